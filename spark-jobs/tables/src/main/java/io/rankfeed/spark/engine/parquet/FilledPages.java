package io.rankfeed.spark.engine.parquet;

import java.util.Optional;
import java.util.PrimitiveIterator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexStore;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a row group, except pages without values. Arrow's writer makes such pages, and parquet-java 1.17 fails
 * at the first level that it reads of one.
 */
record FilledPages(PageReadStore pages) implements PageReadStore {
    /**
     * Whether a row group has pages without rows. Their ranges of rows end before they begin, for which parquet-java cannot choose pages.
     *
     * @param rows of the row group
     */
    static boolean areNotAll(ColumnIndexStore indexes, MessageType columns, long rows) {
        for (ColumnDescriptor column : columns.getColumns()) {
            OffsetIndex pages = indexes.getOffsetIndex(ColumnPath.get(column.getPath()));
            long end = rows;
            for (int page = pages.getPageCount() - 1; page >= 0; page--) {
                if (pages.getFirstRowIndex(page) >= end) {
                    return true;
                }
                end = pages.getFirstRowIndex(page);
            }
        }
        return false;
    }

    @Override
    public PageReader getPageReader(ColumnDescriptor column) {
        PageReader reader = pages.getPageReader(column);
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
