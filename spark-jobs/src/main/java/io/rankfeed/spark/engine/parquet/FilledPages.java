package io.rankfeed.spark.engine.parquet;

import java.util.Optional;
import java.util.PrimitiveIterator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.jspecify.annotations.Nullable;

/**
 * Pages of a row group without those that have no value. Arrow's writer makes such pages, and parquet-java 1.17 fails at the first
 * level that it reads of one.
 */
record FilledPages(PageReadStore pages) implements PageReadStore {
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
