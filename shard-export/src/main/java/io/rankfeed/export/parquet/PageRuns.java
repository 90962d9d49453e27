package io.rankfeed.export.parquet;

import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * The levels of a column and its values in runs, in pages without checksums. Parquet's readers do not compare levels with the
 * number of rows: with broken ones, list items move to other rows. They do not see cut runs either ({@link Runs}), and fail
 * far from the file at numbers that a dictionary does not have.
 */
public final class PageRuns {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final String file;
    private final ColumnDescriptor column;
    private final int[] repeatedAt;
    private int dictionarySize;
    private long rows;
    /** Whether the levels of some pages have an encoding that is not checked. */
    private boolean isPartial;

    private int definedBefore = -1;

    private PageRuns(String file, MessageType schema, ColumnDescriptor column) {
        this.file = file;
        this.column = column;
        this.repeatedAt = repeatedAt(schema, column);
    }

    /** Whether a page has runs: levels, or values of this encoding. */
    static boolean areIn(ColumnDescriptor column, org.apache.parquet.format.@Nullable Encoding values) {
        return column.getMaxDefinitionLevel() > 0
                || values == org.apache.parquet.format.Encoding.RLE
                || values == org.apache.parquet.format.Encoding.RLE_DICTIONARY
                || values == org.apache.parquet.format.Encoding.PLAIN_DICTIONARY;
    }

    /**
     * Reads all pages of a column chunk.
     *
     * @param rows of the row group
     * @throws CorruptDataException if the levels do not give that many rows, or continue a list that does not exist; if runs
     *     are cut off, or a value is not in the dictionary
     */
    public static void check(String file, MessageType schema, ColumnDescriptor column, PageReader pages, long rows) {
        PageRuns runs = new PageRuns(file, schema, column);
        try {
            DictionaryPage dictionary = pages.readDictionaryPage();
            runs.dictionarySize = dictionary == null ? 0 : dictionary.getDictionarySize();
            for (DataPage page = pages.readPage(); page != null; page = pages.readPage()) {
                runs.check(page);
            }
        } catch (IOException | RuntimeException e) {
            if (e instanceof CorruptDataException damage) {
                throw damage;
            }
            throw runs.damage("the levels or values of a page are cut off or invalid");
        }
        if (!runs.isPartial && runs.rows != rows) {
            throw runs.damage("its repetition levels start " + runs.rows + " rows in a row group of " + rows);
        }
    }

    private void check(DataPage page) throws IOException {
        if (page instanceof DataPageV1 v1) {
            if (isRle(v1.getRlEncoding(), column.getMaxRepetitionLevel())
                    && isRle(v1.getDlEncoding(), column.getMaxDefinitionLevel())) {
                ByteBuffer bytes = bytes(v1.getBytes());
                ByteBuffer repetitions = column.getMaxRepetitionLevel() == 0 ? NONE : withLength(bytes);
                ByteBuffer definitions = column.getMaxDefinitionLevel() == 0 ? NONE : withLength(bytes);
                int defined = checkLevels(repetitions, definitions, v1.getValueCount());
                checkValues(bytes, v1.getValueEncoding(), defined);
            } else {
                isPartial = true;
            }
        } else if (page instanceof DataPageV2 v2) {
            int defined =
                    checkLevels(bytes(v2.getRepetitionLevels()), bytes(v2.getDefinitionLevels()), v2.getValueCount());
            checkValues(bytes(v2.getData()), v2.getDataEncoding(), defined);
        }
    }

    private static ByteBuffer bytes(BytesInput input) throws IOException {
        ByteBufferInputStream stream = input.toInputStream();
        return stream.slice(stream.available()).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static boolean isRle(Encoding encoding, int maxLevel) {
        return maxLevel == 0 || encoding == Encoding.RLE;
    }

    private static ByteBuffer withLength(ByteBuffer bytes) {
        int length = bytes.getInt();
        ByteBuffer slice = bytes.slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        return slice;
    }

    /** Returns the number of values that are not null. */
    private int checkLevels(ByteBuffer repetitionLevels, ByteBuffer definitionLevels, int values) {
        Runs repetitions = levels(repetitionLevels, column.getMaxRepetitionLevel());
        Runs definitions = levels(definitionLevels, column.getMaxDefinitionLevel());
        int present = 0;
        for (int i = 0; i < values; i++) {
            int repetition = repetitions.next();
            int defined = definitions.next();
            if (repetition > column.getMaxRepetitionLevel() || defined > column.getMaxDefinitionLevel()) {
                throw damage("a level is larger than its columns are nested");
            }
            if (repetition == 0) {
                rows++;
            } else if (Math.min(defined, definedBefore) < repeatedAt[repetition]) {
                throw damage("a repetition level continues a list that does not exist");
            }
            definedBefore = defined;
            if (defined == column.getMaxDefinitionLevel()) {
                present++;
            }
        }
        return present;
    }

    private static Runs levels(ByteBuffer levels, int max) {
        return new Runs(levels, BytesUtils.getWidthFromMaxInt(max));
    }

    private void checkValues(ByteBuffer values, Encoding encoding, int count) {
        if (count > 0 && encoding.usesDictionary()) {
            int width = values.get();
            if (width < 0 || width > Runs.MAX_WIDTH) {
                throw damage("a page has indices of " + width + " bits");
            }
            Runs indices = new Runs(values, width);
            for (int i = 0; i < count; i++) {
                int index = indices.next();
                if (Integer.compareUnsigned(index, dictionarySize) >= 0) {
                    throw damage("a value has index " + Integer.toUnsignedString(index) + " in a dictionary of "
                            + dictionarySize + " values");
                }
            }
        } else if (count > 0 && encoding == Encoding.RLE) {
            Runs booleans = new Runs(withLength(values), 1);
            for (int i = 0; i < count; i++) {
                booleans.next();
            }
        }
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
