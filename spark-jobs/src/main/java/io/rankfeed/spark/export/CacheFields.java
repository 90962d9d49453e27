package io.rankfeed.spark.export;

import io.rankfeed.export.lane.LaneWriter;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.tensor.ScalarKind;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;

/** Moves a row's fields from Spark's columns to a cache file, without boxing. One object per task. */
final class CacheFields {
    private interface Mover {
        void move(InternalRow row, int column, LaneWriter writer, int field);
    }

    private final List<Mover> movers = new ArrayList<>();
    private final int firstColumn;

    /**
     * @param types the Spark type of each field
     * @param firstColumn index of the first field in the rows
     */
    CacheFields(SampleSchema schema, List<DataType> types, int firstColumn) {
        this.firstColumn = firstColumn;
        for (int i = 0; i < types.size(); i++) {
            movers.add(mover(schema.fields().get(i), types.get(i)));
        }
    }

    /** @throws CorruptDataException if a value does not fit its field */
    void move(InternalRow row, LaneWriter writer) {
        for (int field = 0; field < movers.size(); field++) {
            int column = firstColumn + field;
            if (row.isNullAt(column)) {
                writer.putMissing(field);
            } else {
                movers.get(field).move(row, column, writer, field);
            }
        }
    }

    private static Mover mover(Field field, DataType type) {
        ScalarKind kind = ScalarKind.of(type)
                .orElseThrow(() -> new CorruptDataException(
                        "column '" + field.name() + "'",
                        "is " + type.simpleString() + " in the prepared table, which never has that type;"
                                + " run prepare again"));
        return switch (kind) {
            case STRING ->
                (row, column, writer, at) ->
                        bytes(writer, at, row.getUTF8String(column).getBytes());
            case BINARY -> (row, column, writer, at) -> bytes(writer, at, row.getBinary(column));
            default -> (row, column, writer, at) -> writer.putBits(at, kind.bits(row, column));
        };
    }

    private static void bytes(LaneWriter writer, int field, byte[] value) {
        writer.putBytes(field, value, 0, value.length);
    }
}
