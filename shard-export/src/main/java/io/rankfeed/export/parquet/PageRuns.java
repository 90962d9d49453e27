package io.rankfeed.export.parquet;

import io.rankfeed.schema.failure.CorruptDataException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * The levels of columns and their values in runs, in the pages of a row group without checksums. Parquet's readers do not
 * compare levels with the number of rows, or those of the columns of one group: with broken ones, list items move to other
 * rows, and keys of maps are null. They do not see cut runs either ({@link Runs}), and fail far from the file at numbers
 * that a dictionary does not have.
 */
public final class PageRuns {
    /** The levels of a group of columns, as one of these columns has them. */
    private record Known(long hash, ColumnDescriptor column) {}

    private final String file;
    private final MessageType schema;
    private final long rows;
    private final Map<List<String>, Known> known = new HashMap<>();

    /** @param rows of the row group */
    public PageRuns(String file, MessageType schema, long rows) {
        this.file = file;
        this.schema = schema;
        this.rows = rows;
    }

    /** Whether a page has runs: levels, or values of this encoding. */
    static boolean areIn(ColumnDescriptor column, @Nullable Encoding values) {
        return column.getMaxDefinitionLevel() > 0
                || values == Encoding.RLE
                || values == Encoding.RLE_DICTIONARY
                || values == Encoding.PLAIN_DICTIONARY;
    }

    /**
     * Checks some pages of a column chunk, each as it is read. Each begins with a row, and must have the rows that the
     * page index states: the index has no checksum. Of a page without a checksum, levels and dictionary indices are
     * checked too. The reader throws {@link CorruptDataException}.
     */
    public PageReader checked(ColumnDescriptor column, PageReader pages, OffsetIndex index) {
        ColumnRuns runs = new ColumnRuns(file, schema, column, List.of());
        return new PageReader() {
            private int next;

            @Override
            public @Nullable DictionaryPage readDictionaryPage() {
                DictionaryPage dictionary = pages.readDictionaryPage();
                runs.dictionary(dictionary);
                return dictionary;
            }

            @Override
            public long getTotalValueCount() {
                return pages.getTotalValueCount();
            }

            @Override
            public @Nullable DataPage readPage() {
                DataPage page = pages.readPage();
                if (page == null) {
                    return null;
                }
                long first = page.getFirstRowIndex().orElseThrow();
                while (index.getFirstRowIndex(next) < first) {
                    next++;
                }
                long expected = index.getLastRowIndex(next, rows) - first + 1;
                boolean isFlat = column.getMaxRepetitionLevel() == 0;
                if (isFlat && page.getValueCount() != expected) {
                    throw runs.damage("a page of " + page.getValueCount() + " values has " + expected
                            + " rows by the page index");
                }
                return isFlat && page.getCrc().isPresent() ? page : runs.checked(page, expected);
            }
        };
    }

    /**
     * Reads all pages of a column chunk.
     *
     * @throws CorruptDataException if the levels do not give the rows, continue a list that does
     *     not exist or differ from those of another column of a group; if runs are cut off, or a value is not in the dictionary
     */
    public void check(ColumnDescriptor column, PageReader pages) {
        String[] path = column.getPath();
        List<SharedLevels> groups = new ArrayList<>();
        for (int i = 1; i < path.length; i++) {
            String[] group = Arrays.copyOf(path, i);
            if (schema.getType(group).asGroupType().getFieldCount() > 1) {
                groups.add(new SharedLevels(
                        List.of(group), schema.getMaxRepetitionLevel(group), schema.getMaxDefinitionLevel(group)));
            }
        }
        ColumnRuns runs = new ColumnRuns(file, schema, column, groups);
        if (runs.check(pages, rows)) {
            for (SharedLevels group : groups) {
                Known other = known.putIfAbsent(group.path(), new Known(group.hash(), column));
                if (other != null && other.hash() != group.hash()) {
                    throw runs.damage("it has lists or nulls where column "
                            + String.join(".", other.column().getPath())
                            + " of the same group has none, or the reverse");
                }
            }
        }
    }
}
