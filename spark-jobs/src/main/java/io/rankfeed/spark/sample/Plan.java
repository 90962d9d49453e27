package io.rankfeed.spark.sample;

import io.rankfeed.schema.manifest.FeedDecisions;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.selection.Selection;
import io.rankfeed.spark.sample.select.FeedRows;
import io.rankfeed.spark.sample.select.PlanFiles;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;

/**
 * A plan that is complete.
 *
 * @param id 16 hexadecimal digits
 * @param path its folder
 * @param manifestSha256 digest of its {@code manifest.json}, which names it in a version's inputs
 * @param order the numbers of every feed
 * @param selection its rows; empty in a plan that an older release made
 * @param decisions by feed what was decided to come to them
 */
public record Plan(
        String id,
        Path path,
        String manifestSha256,
        Order order,
        Optional<Selection> selection,
        Map<String, FeedDecisions> decisions) {
    /** Path of a file of a feed's rows, below the plan's folder. */
    public static String rowsFile(String feed, int number) {
        return PlanFiles.path(feed, number);
    }

    /** Rows of all feeds. */
    public long rows() {
        return order.feeds().stream()
                .mapToLong(feed -> FeedRows.of(feed).total())
                .sum();
    }
}
