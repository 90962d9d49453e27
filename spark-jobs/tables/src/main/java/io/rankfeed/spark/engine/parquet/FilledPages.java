package io.rankfeed.spark.engine.parquet;

import java.util.HashSet;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.Set;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexStore;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a row group, except pages without values. Arrow's writer makes such pages, and parquet-java 1.17 fails
 * at the first level that it reads of one.
 */
record FilledPages(PageReadStore pages, Check check) implements PageReadStore {
    /** Adds a check to the reader of a column's pages. */
    @FunctionalInterface
    interface Check {
        Check NONE = (column, pages) -> pages;

        PageReader of(ColumnDescriptor column, PageReader pages);
    }

    /**
     * Whether pages of a row group can be chosen: each has rows, and is within its column chunk. parquet-java cannot choose
     * pages of a column chunk that has pages without rows.
     *
     * @throws org.apache.parquet.internal.filter2.columnindex.ColumnIndexStore.MissingOffsetIndexException if a column has
     *     no page index
     */
    static boolean canBeChosen(ColumnIndexStore indexes, MessageType columns, BlockMetaData group) {
        Set<ColumnPath> read = new HashSet<>();
        columns.getColumns().forEach(column -> read.add(ColumnPath.get(column.getPath())));
        for (ColumnChunkMetaData chunk : group.getColumns()) {
            if (read.contains(chunk.getPath())
                    && !canBeChosen(indexes.getOffsetIndex(chunk.getPath()), chunk, group.getRowCount())) {
                return false;
            }
        }
        return true;
    }

    private static boolean canBeChosen(OffsetIndex pages, ColumnChunkMetaData chunk, long rows) {
        long firstByte = chunk.getStartingPos();
        long endByte = firstByte + chunk.getTotalSize();
        long endRow = rows;
        for (int page = pages.getPageCount() - 1; page >= 0; page--) {
            long offset = pages.getOffset(page);
            int bytes = pages.getCompressedPageSize(page);
            if (pages.getFirstRowIndex(page) >= endRow || offset < firstByte || bytes < 0 || bytes > endByte - offset) {
                return false;
            }
            endRow = pages.getFirstRowIndex(page);
            endByte = offset;
        }
        return endRow == 0;
    }

    @Override
    public PageReader getPageReader(ColumnDescriptor column) {
        PageReader own = pages.getPageReader(column);
        PageReader reader = check.of(column, own);
        return new PageReader() {
            @Override
            public DictionaryPage readDictionaryPage() {
                return reader.readDictionaryPage();
            }

            @Override
            public long getTotalValueCount() {
                return reader.getTotalValueCount();
            }

            @Override
            public @Nullable DataPage readPage() {
                DataPage page = reader.readPage();
                while (page != null && page.getValueCount() == 0) {
                    page = reader.readPage();
                }
                return page;
            }
        };
    }

    @Override
    public long getRowCount() {
        return pages.getRowCount();
    }

    @Override
    public Optional<Long> getRowIndexOffset() {
        return pages.getRowIndexOffset();
    }

    @Override
    public Optional<PrimitiveIterator.OfLong> getRowIndexes() {
        return pages.getRowIndexes();
    }

    @Override
    public void close() {
        pages.close();
    }
}
