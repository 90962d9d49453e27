package io.rankfeed.spark.source.format.avro;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.source.format.BadValue;
import io.rankfeed.spark.source.format.RowFormat.FileRows;
import io.rankfeed.spark.source.format.avro.AvroFile.Block;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.avro.Schema.Field;
import org.jspecify.annotations.Nullable;

/** The rows of a file, one block in memory. */
final class AvroRows implements FileRows {
    private final AvroFile file;
    private final List<Field> fields;
    /** For each field of the file, its index in a row; -1 if it is not read. */
    private final int[] indices;

    private final int width;
    private final Iterator<Block> blocks;

    private AvroBytes in = new AvroBytes(new byte[0]);
    private long rowsLeft;
    private long row;

    AvroRows(AvroFile file, List<String> columns) {
        this.file = file;
        fields = file.schema().getFields();
        indices =
                fields.stream().mapToInt(field -> columns.indexOf(field.name())).toArray();
        width = columns.size();
        blocks = file.blocks().iterator();
    }

    @Override
    public @Nullable Object @Nullable [] next() {
        while (rowsLeft == 0) {
            if (in.remaining() > 0) {
                throw new CorruptDataException(
                        file.file(), in.remaining() + " bytes after row " + (row - 1) + ", the last of its block");
            } else if (!blocks.hasNext()) {
                return null;
            }
            Block block = blocks.next();
            in = file.open(block);
            rowsLeft = block.rows();
        }
        @Nullable Object[] values = new Object[width];
        AvroValues reader = new AvroValues(in);
        for (int i = 0; i < indices.length; i++) {
            try {
                Object value = reader.read(fields.get(i).schema());
                if (indices[i] >= 0) {
                    values[indices[i]] = value;
                }
            } catch (BadValue e) {
                throw e.in(
                        file.file(), "row " + row + ", column '" + fields.get(i).name() + "'");
            }
        }
        rowsLeft--;
        row++;
        return values;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
