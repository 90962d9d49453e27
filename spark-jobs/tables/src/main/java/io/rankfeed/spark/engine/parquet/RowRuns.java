package io.rankfeed.spark.engine.parquet;

import java.util.stream.IntStream;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;

/**
 * Runs of neighboring rows of one row group, in the form of pages, because Parquet computes its row ranges from pages.
 *
 * <p>The runs always contain the row before the last chosen one. parquet-java 1.17 regards a column as exhausted once it
 * has fetched the number of its last row, and fetches that number when it passes the row before. If that row is in an
 * earlier page, the last row's page is never loaded, and the value is the next one of the earlier page. If the row before
 * is in the ranges, the number of the last row is fetched when its own page is open.
 */
final class RowRuns implements OffsetIndex {
    private final long[] first;
    private final long[] last;
    private int runs;

    /**
     * @param rows ascending, equal ones next to each other
     * @param from the first of them that is in the row group
     * @param to after the last one
     * @param groupFirst number of the row group's first row
     */
    private RowRuns(long[] rows, int from, int to, long groupFirst) {
        first = new long[to - from];
        last = new long[to - from];
        for (int i = from; i < to; i++) {
            long row = rows[i] - groupFirst;
            long begin = rows[i] == rows[to - 1] ? Math.max(0, row - 1) : row;
            if (runs > 0 && begin <= last[runs - 1] + 1) {
                last[runs - 1] = row;
            } else {
                first[runs] = begin;
                last[runs++] = row;
            }
        }
    }

    static RowRanges ranges(long[] rows, int from, int to, long groupFirst, long groupRows) {
        RowRuns runs = new RowRuns(rows, from, to, groupFirst);
        return RowRanges.create(
                groupRows, IntStream.range(0, runs.getPageCount()).iterator(), runs);
    }

    @Override
    public int getPageCount() {
        return runs;
    }

    @Override
    public long getFirstRowIndex(int run) {
        return first[run];
    }

    @Override
    public long getLastRowIndex(int run, long groupRows) {
        return last[run];
    }

    @Override
    public long getOffset(int run) {
        throw new UnsupportedOperationException("runs have no bytes");
    }

    @Override
    public int getCompressedPageSize(int run) {
        throw new UnsupportedOperationException("runs have no bytes");
    }
}
