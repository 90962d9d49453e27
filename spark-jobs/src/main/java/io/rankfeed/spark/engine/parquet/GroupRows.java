package io.rankfeed.spark.engine.parquet;

import java.util.PrimitiveIterator;
import java.util.stream.LongStream;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.spark.sql.catalyst.InternalRow;

/** Reads the rows of some pages of one row group, forward. */
final class GroupRows {
    private final RecordReader<InternalRow> values;
    private final PrimitiveIterator.OfLong places;

    GroupRows(PageReadStore pages, MessageColumnIO columnIo, RecordMaterializer<InternalRow> records) {
        places = pages.getRowIndexes()
                .orElseGet(() -> LongStream.range(0, pages.getRowCount()).iterator());
        values = columnIo.getRecordReader(new FilledPages(pages), records, FilterCompat.NOOP);
    }

    /** The row at a place of the row group, which must be after the previous place; valid until the next call. */
    InternalRow at(long place) {
        InternalRow row = values.read();
        long at = places.nextLong();
        while (at < place) {
            row = values.read();
            at = places.nextLong();
        }
        if (at != place) {
            throw new IllegalStateException("the reader skipped row " + place + " of a row group, and gave row " + at);
        }
        return row;
    }
}
