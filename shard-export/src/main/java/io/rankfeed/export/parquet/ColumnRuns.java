package io.rankfeed.export.parquet;

import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
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

/** The levels and the values in runs of one column chunk, see {@link PageRuns}. */
final class ColumnRuns {
    private static final String INVALID = "the levels or values of a page are cut off or invalid";
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final String file;
    private final ColumnDescriptor column;
    private final List<SharedLevels> groups;
    private final int[] repeatedAt;
    private int dictionarySize;
    private long rows;
    /** Whether the levels of some pages have an encoding that is not checked. */
    private boolean isPartial;

    private int definedBefore = -1;

    /** @param groups of the column's path whose levels are hashed */
    ColumnRuns(String file, MessageType schema, ColumnDescriptor column, List<SharedLevels> groups) {
        this.file = file;
        this.column = column;
        this.groups = groups;
        this.repeatedAt = repeatedAt(schema, column);
    }

    /**
     * Reads all pages.
     *
     * @param expectedRows of the row group
     * @return whether the levels of all pages could be checked
     */
    boolean check(PageReader pages, long expectedRows) {
        try {
            dictionary(pages.readDictionaryPage());
            for (DataPage page = pages.readPage(); page != null; page = pages.readPage()) {
                check(page);
            }
        } catch (IOException | RuntimeException e) {
            throw e instanceof CorruptDataException damage ? damage : damage(INVALID);
        }
        if (!isPartial && rows != expectedRows) {
            throw damage("its repetition levels start " + rows + " rows in a row group of " + expectedRows);
        }
        return !isPartial;
    }

    /** Must be called before the pages that use it are checked. */
    void dictionary(@Nullable DictionaryPage dictionary) {
        dictionarySize = dictionary == null ? 0 : dictionary.getDictionarySize();
    }

    /**
     * Reads a page that begins with a row.
     *
     * @param expectedRows by the page index
     * @return a copy, which can be read again
     */
    DataPage checked(DataPage page, long expectedRows) {
        long before = rows;
        definedBefore = -1;
        DataPage copy = PageCopy.of(page);
        try {
            check(copy);
        } catch (IOException | RuntimeException e) {
            throw e instanceof CorruptDataException damage ? damage : damage(INVALID);
        }
        if (!isPartial && rows - before != expectedRows) {
            throw damage("its repetition levels start " + (rows - before) + " rows in a page of " + expectedRows);
        }
        return copy;
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
        int alike;
        for (int i = 0; i < values; i += alike) {
            alike = Math.min(values - i, Math.min(repetitions.alike(), definitions.alike()));
            int repetition = repetitions.next(alike);
            int defined = definitions.next(alike);
            if (repetition > column.getMaxRepetitionLevel() || defined > column.getMaxDefinitionLevel()) {
                throw damage("a level is larger than its columns are nested");
            }
            if (repetition == 0) {
                rows += alike;
            } else if (Math.min(defined, definedBefore) < repeatedAt[repetition]) {
                throw damage("a repetition level continues a list that does not exist");
            }
            definedBefore = defined;
            for (SharedLevels group : groups) {
                group.add(repetition, defined, alike);
            }
            if (defined == column.getMaxDefinitionLevel()) {
                present += alike;
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
            int index = new Runs(values, width).max(count);
            if (Integer.compareUnsigned(index, dictionarySize) >= 0) {
                throw damage("a value has index " + Integer.toUnsignedString(index) + " in a dictionary of "
                        + dictionarySize + " values");
            }
        } else if (count > 0 && encoding == Encoding.RLE) {
            new Runs(withLength(values), 1).max(count);
        }
    }

    /** Returns the definition level from which a list has an item, by repetition level. */
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

    CorruptDataException damage(String what) {
        return new CorruptDataException(file, "column " + String.join(".", column.getPath()) + ": " + what);
    }
}
