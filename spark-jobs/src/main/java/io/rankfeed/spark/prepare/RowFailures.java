package io.rankfeed.spark.prepare;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.engine.Provenance;
import io.rankfeed.spark.engine.SparkFailures;
import io.rankfeed.spark.prepare.pack.BadRows;
import io.rankfeed.spark.prepare.query.BadRowScan;
import io.rankfeed.spark.prepare.query.FailingRow;
import io.rankfeed.spark.prepare.query.PreparedQuery;
import io.rankfeed.spark.prepare.query.RowCheck;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.source.Sources;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Names the row at which a job over a query fails.
 *
 * @param sources of the query
 */
record RowFailures(JobContext context, Sources sources) {
    /** Does work over the job's query; if a value fails without its place, computes the query again, row by row. */
    <T> T placing(Supplier<T> work) {
        return SparkFailures.locating(work, this::located);
    }

    private RuntimeException located(RuntimeException failure) {
        context.step("prepare: find the bad row");
        Map<String, Supplier<Dataset<Row>>> queries = new LinkedHashMap<>();
        // Labels first: the job's query cannot be analyzed without them.
        context.job()
                .prepare()
                .labels()
                .forEach((name, labels) ->
                        queries.put("prepare.labels." + name + ".column", () -> provenance(labels.query())
                                .rows()));
        queries.put("the job's SQL", this::unguarded);
        return queries.entrySet().stream()
                .map(query -> FailingRow.named(
                        context.spark(), query.getKey(), query.getValue().get(), sources, failure))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseGet(() -> SparkFailures.withoutRow(failure));
    }

    /** The rows of the query that must not fail: all, or those from which the rows that may be bad are computed. */
    private Dataset<Row> unguarded() {
        Dataset<Row> rows = provenance(context.job().query()).rows();
        return RowCheck.computed(context.spark(), rows, context.job().prepare().onBadRow());
    }

    private Provenance provenance(String query) {
        return Provenance.of(context.spark(), query, context.job().sources().keySet());
    }

    /** Does a step; where a bad row ends it without its place, one more pass finds the first bad row and counts all. */
    <T> T naming(PreparedQuery query, Supplier<T> step) {
        return SparkFailures.locating(step, failure -> {
            context.step("prepare: find the bad rows");
            FailingRow.refuseMistake(query.rows());
            BadRows bad = BadRowScan.of(query);
            BadRows.Found first = bad.first();
            return first == null
                    ? failure
                    : new CorruptDataException(
                            first.place(),
                            first.message() + "; " + bad.counted() + " in the query. " + SparkFailures.QUARANTINE,
                            failure);
        });
    }

    /** Refuses a query without rows, and names the first bad row if there is one. */
    void refuseEmpty(long rows, PreparedQuery query) {
        if (rows == 0) {
            BadRows bad = BadRowScan.of(query);
            BadRows.Found first = bad.first();
            if (first != null) {
                FailingRow.refuseMistake(query.rows());
                throw new CorruptDataException(
                        first.place(), first.message() + "; no row of the query can be used: " + bad.counted());
            }
            throw new ConfigException(
                    "prepare: the query gives no rows; check its conditions and those of the sources");
        }
    }
}
