package io.rankfeed.spark.export;

import io.rankfeed.report.TextTable;
import io.rankfeed.sampling.order.LaneAssignment;
import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.cache.BatchBody;
import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.spark.sample.FeedReport;
import io.rankfeed.spark.sample.select.FeedRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The expected size of the caches, from the layout of a record batch and the mean length of the values.
 *
 * @param bytesPerRow in a full record batch, provenance and padding included
 */
public record CacheSizes(double bytesPerRow) {
    /**
     * @param meanBytes of a value, by the name of the column; read for columns of variable length alone
     * @param batchRows rows of a record batch
     */
    public static CacheSizes of(SampleSchema schema, Map<String, Double> meanBytes, int batchRows) {
        List<CacheColumn> columns = CacheColumn.of(schema);
        long[] counts = columns.stream()
                .mapToLong(column -> column.hasOffsets()
                        ? (long) Math.min(
                                Integer.MAX_VALUE,
                                batchRows
                                        * meanBytes.getOrDefault(column.name(), 0.0)
                                        / column.dtype().sizeBytes())
                        : 0)
                .toArray();
        // What lists need per item is left out: 4 bytes.
        long[] items = new long[counts.length];
        return new CacheSizes(
                (double) BatchBody.of(columns, batchRows, items, counts).lengthBytes() / batchRows);
    }

    /** The expected size of all lanes of a feed together, in bytes. */
    public long lengthBytes(Feed feed) {
        return lengthBytes(FeedRows.of(feed).total());
    }

    /** The expected size of so many rows, in bytes. */
    public long lengthBytes(long rows) {
        return (long) (rows * bytesPerRow);
    }

    /** Returns what a rank of each world size would read and hold, in a line for each below a heading. */
    public List<String> byWorldSize(FeedReport report) {
        Feed feed = report.feed();
        List<List<String>> table = new ArrayList<>();
        table.add(List.of("world size", "rows per step", "steps", "lanes a rank", "cache of a rank"));
        FeedReport.worldSizes(feed)
                .forEach(world -> table.add(List.of(
                        Integer.toString(world),
                        Integer.toString(feed.batch() / world),
                        String.format(Locale.ROOT, "%,d", report.steps()),
                        Integer.toString(feed.lanes() / world),
                        "about " + ByteSize.rounded(lengthBytes(rowsOfFirstRank(feed, world))))));
        return TextTable.lines(table);
    }

    /**
     * Returns the rows of the first rank, the maximum of all ranks: lanes differ by a row at most, and the first ones
     * have it.
     */
    private static long rowsOfFirstRank(Feed feed, int world) {
        LaneAssignment assignment = LaneAssignment.of(feed);
        long rows = assignment.laneRows(LaneLayout.SHARED);
        for (int lane = 0; lane < feed.lanes(); lane += world) {
            rows += assignment.laneRows(lane);
        }
        return rows;
    }
}
