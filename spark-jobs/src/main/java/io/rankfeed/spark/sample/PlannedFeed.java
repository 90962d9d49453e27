package io.rankfeed.spark.sample;

import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.spark.job.FeedSection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * A feed with its numbers, and the rows of the table that it may draw from.
 *
 * @param dropped rows left out because they lie in no bin
 * @param rows those that its condition leaves
 * @param stratumName the name of a row's stratum
 */
record PlannedFeed(
        FeedSection section,
        Feed feed,
        List<CountedStratum> strata,
        long dropped,
        Dataset<Row> rows,
        Column stratumName) {

    /** The rows of its pools, with what orders them and the plan's file in which each is written. */
    Dataset<Row> pools(PreparedFrame prepared, List<String> keyColumns) {
        FeedRows feedRows = FeedRows.of(feed);
        Dataset<Row> byPriority =
                new KeyedRows(prepared, rows, keyColumns).byPriority(stratumName, stratumNames(), section.seed());
        Dataset<Row> chosen = Selection.bottom(byPriority, feedRows, available());
        boolean byAddress =
                section.kind() == FeedSection.Kind.SEQUENTIAL || section.order() == FeedSection.Order.PLANNED;
        Dataset<Row> ordered = byAddress ? KeyedRows.byAddress(chosen) : chosen;
        return Selection.withFile(ordered, feedRows, byAddress);
    }

    private List<String> stratumNames() {
        return feed instanceof TrainFeed train
                ? train.strata().stream().map(TrainFeed.Stratum::name).toList()
                : List.of(CountedStratum.ALL);
    }

    private long[] available() {
        Map<String, Long> counted =
                strata.stream().collect(Collectors.toMap(CountedStratum::name, CountedStratum::rows));
        return stratumNames().stream().mapToLong(counted::get).toArray();
    }
}
