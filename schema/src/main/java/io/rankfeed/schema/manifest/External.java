package io.rankfeed.schema.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What a version over an existing dataset states of the files that its lanes refer to; they are listed in {@value #FILE_NAME}.
 *
 * @param files their number
 * @param bytes of all of them
 * @param columns by field, how many files after that of a row's {@code _source} the file is that has its value
 * @param damaged samples of the dataset that are left out; the rest of a file counts as one
 */
public record External(long files, long bytes, Map<String, Integer> columns, long damaged) {
    /** The list of the files: an Arrow file of the version, in the layout of a lane. */
    public static final String FILE_NAME = "external.arrow";

    /** The list of damaged samples, a file of the version where there are some. */
    public static final String DAMAGED_FILE_NAME = "damaged.jsonl";

    /** The fields of the list. */
    public static final SampleSchema LIST_SCHEMA = new SampleSchema(List.of(
            new Field("path", DType.STRING, Shape.scalar(), false),
            new Field("bytes", DType.INT64, Shape.scalar(), false),
            new Field("sha256", DType.BINARY, Shape.scalar(), false)));

    /** The name of the feed that the list is of, as a lane. */
    public static final String LIST_FEED = "external";

    /** Rows of a record batch of the list. */
    public static final int LIST_BATCH_ROWS = 4096;

    /** @throws IllegalArgumentException if a number is negative */
    public External {
        columns = new TreeMap<>(columns);
        if (files < 1
                || bytes < 0
                || damaged < 0
                || columns.values().stream().anyMatch(file -> file < 0 || file >= files)) {
            throw new IllegalArgumentException(
                    "external: " + files + " files, " + bytes + " bytes, " + damaged + " damaged, columns " + columns);
        }
    }

    /**
     * Whether lanes have the values of a field, and not references: numbers of a fixed shape of at most 8 bytes, as a reference would not
     * be shorter.
     */
    public static boolean isInline(Field field) {
        return field.kind() == Field.Kind.FIXED && field.strideBytes() <= Long.BYTES;
    }

    /**
     * The schema of lanes that have references to the values of these fields: of numbers of a fixed shape of at most 8 bytes the values
     * themselves, of others of a fixed shape their offset, and of all else offset and length, in bytes.
     */
    public static SampleSchema stored(SampleSchema fed) {
        return new SampleSchema(fed.fields().stream().map(External::stored).toList());
    }

    private static Field stored(Field field) {
        if (isInline(field)) {
            return field;
        }
        Shape shape = field.kind() == Field.Kind.FIXED ? Shape.scalar() : Shape.of(2);
        return new Field(field.name(), DType.INT64, shape, field.nullable());
    }

    /** How many files after that of a row's {@code _source} the file is that has its value of a field. */
    public int after(String field) {
        return Objects.requireNonNull(columns.get(field), field);
    }

    void write(ObjectNode object) {
        object.put("files", files).put("bytes", bytes).put("damaged", damaged);
        ObjectNode byName = object.putObject("columns");
        columns.forEach(byName::put);
    }

    static External read(JsonObject object) {
        object.only("files", "bytes", "columns", "damaged");
        Map<String, Integer> columns = new HashMap<>();
        JsonObject byName = object.object("columns");
        byName.names().forEach(name -> columns.put(name, byName.intBetween(name, 0, Integer.MAX_VALUE)));
        return new External(
                object.integer("files", 1, Integer.MAX_VALUE),
                object.integer("bytes", 0, Long.MAX_VALUE),
                columns,
                object.integer("damaged", 0, Long.MAX_VALUE));
    }
}
