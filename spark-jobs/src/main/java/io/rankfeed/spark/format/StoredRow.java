package io.rankfeed.spark.format;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.cache.CacheLayout;
import io.rankfeed.schema.cache.CacheRows;
import io.rankfeed.schema.cache.CacheSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A row as it is shuffled.
 *
 * <pre>
 *   i64 row id
 *   for each field: u8 1, or 0 for a missing value; then of a value i32 length, unless all have one; then its bytes
 * </pre>
 */
final class StoredRow {
    private StoredRow() {}

    /** Reads rows of a cache file. */
    static final class Reader {
        private final List<Field> fields;
        private final CacheRows rows;

        /** @param schema the fields that are read, all of which the file has */
        Reader(CacheLayout layout, CacheSource source, SampleSchema schema) {
            this.fields = schema.fields();
            List<Integer> columns = new ArrayList<>();
            columns.add(layout.column(CacheColumn.ROW_ID.name()));
            for (Field field : fields) {
                columns.add(layout.column(field.name()));
                if (field.nullable()) {
                    columns.add(layout.column(field.name() + CacheColumn.VALID_SUFFIX));
                }
            }
            this.rows = new CacheRows(layout, source, columns);
        }

        /** The next row; it must exist. */
        byte[] next() {
            rows.next();
            long size = Long.BYTES;
            int column = 1;
            for (Field field : fields) {
                size += 1L + Integer.BYTES + rows.lengthBytes(column);
                column += field.nullable() ? 2 : 1;
            }
            byte[] row = new byte[Math.toIntExact(size)];
            byte[] valid = new byte[1];
            int at = rows.copy(0, row, 0);
            column = 1;
            for (Field field : fields) {
                valid[0] = 1;
                if (field.nullable()) {
                    rows.copy(column + 1, valid, 0);
                }
                row[at++] = valid[0];
                if (valid[0] != 0) {
                    if (field.kind() != Field.Kind.FIXED) {
                        at = ByteBuilder.setInt(row, at, rows.lengthBytes(column));
                    }
                    at = rows.copy(column, row, at);
                }
                column += field.nullable() ? 2 : 1;
            }
            return at == row.length ? row : Arrays.copyOf(row, at);
        }
    }

    /** Gives a stored row to a format. */
    static void fill(byte[] stored, SampleSchema schema, FormatRow row) {
        row.begin(ByteBuilder.getLong(stored, 0));
        int at = Long.BYTES;
        List<Field> fields = schema.fields();
        for (int i = 0; i < fields.size(); i++) {
            Field field = fields.get(i);
            if (stored[at++] == 0) {
                row.putMissing(i);
                continue;
            }
            int length = field.strideBytes();
            if (field.kind() != Field.Kind.FIXED) {
                length = ByteBuilder.getInt(stored, at);
                at += Integer.BYTES;
            }
            if (field.kind() == Field.Kind.FIXED && field.shape().rank() == 0) {
                row.putBits(i, bits(stored, at, length));
            } else {
                row.putBytes(i, stored, at, length);
            }
            at += length;
        }
        row.end();
    }

    private static long bits(byte[] stored, int at, int length) {
        long bits = 0;
        for (int i = length - 1; i >= 0; i--) {
            bits = bits << Byte.SIZE | (stored[at + i] & 0xFF);
        }
        return bits;
    }
}
