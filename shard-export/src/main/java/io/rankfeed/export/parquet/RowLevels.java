package io.rankfeed.export.parquet;

import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridDecoder;
import org.apache.parquet.schema.MessageType;

/**
 * The repetition and definition levels of a column with lists, compared with the number of rows. Parquet's readers do not
 * compare them: with broken levels, list items move to other rows.
 */
public final class RowLevels {
    private final String file;
    private final ColumnDescriptor column;
    private final int[] repeatedAt;
    private long rows;
    /** Whether the levels of some pages have an encoding that is not checked. */
    private boolean isPartial;

    private int definedBefore = -1;

    private RowLevels(String file, MessageType schema, ColumnDescriptor column) {
        this.file = file;
        this.column = column;
        this.repeatedAt = repeatedAt(schema, column);
    }

    /**
     * Reads all pages of a column chunk.
     *
     * @param rows of the row group
     * @throws CorruptDataException if the levels do not give that many rows, or continue a list that does not exist
     */
    public static void check(String file, MessageType schema, ColumnDescriptor column, PageReader pages, long rows) {
        RowLevels levels = new RowLevels(file, schema, column);
        try {
            for (DataPage page = pages.readPage(); page != null; page = pages.readPage()) {
                levels.check(page);
            }
        } catch (IOException | RuntimeException e) {
            if (e instanceof CorruptDataException damage) {
                throw damage;
            }
            throw levels.damage("the levels of a page are cut off or invalid");
        }
        if (!levels.isPartial && levels.rows != rows) {
            throw levels.damage("its repetition levels start " + levels.rows + " rows in a row group of " + rows);
        }
    }

    private void check(DataPage page) throws IOException {
        if (page instanceof DataPageV1 v1) {
            if (v1.getRlEncoding() == Encoding.RLE && v1.getDlEncoding() == Encoding.RLE) {
                ByteBufferInputStream bytes = v1.getBytes().toInputStream();
                InputStream repetition = bytes.sliceStream(BytesUtils.readIntLittleEndian(bytes));
                InputStream definition = bytes.sliceStream(BytesUtils.readIntLittleEndian(bytes));
                check(repetition, definition, v1.getValueCount());
            } else {
                isPartial = true;
            }
        } else if (page instanceof DataPageV2 v2) {
            check(
                    v2.getRepetitionLevels().toInputStream(),
                    v2.getDefinitionLevels().toInputStream(),
                    v2.getValueCount());
        }
    }

    private void check(InputStream repetitionLevels, InputStream definitionLevels, int values) throws IOException {
        RunLengthBitPackingHybridDecoder repetitions = decoder(repetitionLevels, column.getMaxRepetitionLevel());
        RunLengthBitPackingHybridDecoder definitions = decoder(definitionLevels, column.getMaxDefinitionLevel());
        for (int i = 0; i < values; i++) {
            int repetition = repetitions.readInt();
            int defined = definitions.readInt();
            if (repetition > column.getMaxRepetitionLevel() || defined > column.getMaxDefinitionLevel()) {
                throw damage("a level is larger than its columns are nested");
            }
            if (repetition == 0) {
                rows++;
            } else if (Math.min(defined, definedBefore) < repeatedAt[repetition]) {
                throw damage("a repetition level continues a list that does not exist");
            }
            definedBefore = defined;
        }
    }

    private static RunLengthBitPackingHybridDecoder decoder(InputStream levels, int max) {
        return new RunLengthBitPackingHybridDecoder(BytesUtils.getWidthFromMaxInt(max), levels);
    }

    /** For each repetition level, the definition level from which its list has an item. */
    private static int[] repeatedAt(MessageType schema, ColumnDescriptor column) {
        int[] at = new int[column.getMaxRepetitionLevel() + 1];
        String[] path = column.getPath();
        int repetition = 0;
        for (int i = 1; i <= path.length; i++) {
            String[] ancestor = Arrays.copyOf(path, i);
            if (schema.getMaxRepetitionLevel(ancestor) > repetition) {
                repetition++;
                at[repetition] = schema.getMaxDefinitionLevel(ancestor);
            }
        }
        return at;
    }

    private CorruptDataException damage(String what) {
        return new CorruptDataException(file, "column " + String.join(".", column.getPath()) + ": " + what);
    }
}
