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
    private final PrimitiveIterator.OfLong rowIndices;

    GroupRows(
            PageReadStore pages,
            MessageColumnIO columnIo,
            RecordMaterializer<InternalRow> records,
            FilledPages.Check check) {
        rowIndices = pages.getRowIndexes()
                .orElseGet(() -> LongStream.range(0, pages.getRowCount()).iterator());
        values = columnIo.getRecordReader(new FilledPages(pages, check), records, FilterCompat.NOOP);
    }

    /** The row at an index of the row group, which must be after the previous index; valid until the next call. */
    InternalRow at(long rowIndex) {
        InternalRow row = values.read();
        long at = rowIndices.nextLong();
        while (at < rowIndex) {
            row = values.read();
            at = rowIndices.nextLong();
        }
        if (at != rowIndex) {
            throw new IllegalStateException(
                    "the reader skipped row " + rowIndex + " of a row group, and gave row " + at);
        }
        return row;
    }
}
