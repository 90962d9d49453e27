package io.rankfeed.spark.format;

import io.rankfeed.schema.json.StrictJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.Row;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** The values of a row of MDS and those of a row of the table, which are equal. */
final class RowValues {
    private RowValues() {}

    /** The values of a row of the copy, as those of the table are written. */
    static List<Object> of(Map<String, ByteBuffer> row) {
        List<Object> values = new ArrayList<>();
        values.add(row.get("level").getInt(0));
        values.add(row.get("tag.valid").get(0) == 0 ? "null" : text(row.get("tag")));
        ByteBuffer tokens = row.get("tokens");
        // One dimension of one byte, then the elements.
        values.add(tokens.get(0));
        List<Integer> ids = new ArrayList<>();
        for (int i = 0; i < tokens.get(1); i++) {
            ids.add(tokens.getInt(2 + 4 * i));
        }
        values.add(ids);
        List<Float> box = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            box.add(row.get("box").getFloat(4 * i));
        }
        values.add(box);
        values.add(row.get("small").getShort(0));
        values.add(row.get("even").get(0) == 1);
        List<String> names = new ArrayList<>();
        if (row.get("names.valid").get(0) != 0) {
            StrictJson.parse(text(row.get("names")).getBytes(StandardCharsets.UTF_8), "names")
                    .forEach(name -> names.add(name.asText()));
        } else {
            names.add("null");
        }
        values.add(names);
        return values;
    }

    static List<Object> of(Row row) {
        List<Object> values = new ArrayList<>();
        values.add(row.getAs("level"));
        values.add(Objects.toString(row.getAs("tag")));
        values.add((byte) (1 << 2));
        values.add(row.getList(row.fieldIndex("tokens")));
        List<Float> box = new ArrayList<>();
        row.<Seq<Double>>getList(row.fieldIndex("box"))
                .forEach(line -> CollectionConverters.asJava(line).forEach(value -> box.add(value.floatValue())));
        values.add(box);
        values.add(row.getAs("small"));
        values.add(row.getAs("even"));
        values.add(row.isNullAt(row.fieldIndex("names")) ? List.of("null") : row.getList(row.fieldIndex("names")));
        return values;
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }
}
