package io.rankfeed.spark.sample;

import io.rankfeed.job.FeedSection;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.engine.GuardedQuery;
import io.rankfeed.spark.engine.InternalRows;
import io.rankfeed.spark.engine.RowSteps;
import io.rankfeed.spark.engine.SparkFailures;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.sample.table.PreparedFrame;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;

/** Finds the row of the prepared table at which an expression of a feed fails. */
final class FailingFeedRow {
    private record Found(long file, long row, long source, long sourceRow, String message) implements Serializable {
        private static final Comparator<Found> ORDER =
                Comparator.comparingLong(Found::file).thenComparingLong(Found::row);
    }

    private FailingFeedRow() {}

    /** Does work over the rows of feeds; if a value fails, names its row. */
    static <T> T locatingBadRow(
            SparkSession spark, PreparedFrame frame, Map<String, FeedSection> feeds, Supplier<T> work) {
        return SparkFailures.locating(work, failure -> named(spark, frame, feeds, failure));
    }

    private static RuntimeException named(
            SparkSession spark, PreparedFrame frame, Map<String, FeedSection> feeds, RuntimeException failure) {
        Map<String, String> conditions = new LinkedHashMap<>();
        new TreeMap<>(feeds).forEach((feed, section) -> conditions(feed, section, conditions));
        for (Map.Entry<String, String> condition : conditions.entrySet()) {
            Scan scan = new Scan(
                    GuardedQuery.condition(spark, frame.rows().schema(), condition.getKey(), condition.getValue()),
                    new ArrayList<>(List.of(frame.rows().columns())));
            List<Found> found = InternalRows.of(frame.rows())
                    .mapPartitions(rows -> scan.of(rows).iterator())
                    .collect();
            if (!found.isEmpty()) {
                Found first = found.stream().min(Found.ORDER).orElseThrow();
                return new CorruptDataException(
                        location(frame, first),
                        condition.getKey() + ": " + first.message() + "; " + SparkFailures.TRY,
                        failure);
            }
        }
        return SparkFailures.withoutRow(failure);
    }

    private static String location(PreparedFrame frame, Found found) {
        return found.source() < 0
                ? frame.dataFiles().get((int) found.file()).path() + ", row " + found.row()
                : frame.manifest().sources().get((int) found.source()) + ", row " + found.sourceRow();
    }

    /** Conditions of a feed by their keys in the job file. */
    private static void conditions(String feed, FeedSection section, Map<String, String> conditions) {
        String name = "feed '" + feed + "'";
        section.where().ifPresent(where -> conditions.put(name + ", where", where));
        String rows = section.where().map(where -> "(" + where + ") AND ").orElse("");
        section.strata().forEach(column -> column.sql()
                .ifPresent(sql -> conditions.put(name + ", strata, sql", rows + computed(sql))));
        for (int i = 0; i < section.stages().size(); i++) {
            String stage = name + ", stages[" + i + "]";
            section.stages()
                    .get(i)
                    .where()
                    .ifPresent(where -> conditions.put(stage + ", where", rows + "(" + where + ")"));
            section.stages()
                    .get(i)
                    .orderBy()
                    .ifPresent(sql -> conditions.put(stage + ", order-by", rows + computed(sql)));
        }
    }

    /** A condition that computes the expression; its result is ignored. */
    private static String computed(String sql) {
        return "xxhash64(" + sql + ") = 0";
    }

    private record Scan(RowSteps steps, ArrayList<String> columns) implements Serializable {
        /** The first failing row of a partition; empty if there is none. */
        List<Found> of(Iterator<InternalRow> rows) {
            RowSteps.Run computing = steps.open();
            int source = columns.indexOf(PreparedFrame.SOURCE);
            int sourceRow = columns.indexOf(PreparedFrame.SOURCE_ROW);
            List<Found> found = new ArrayList<>();
            while (rows.hasNext()) {
                InternalRow row = rows.next();
                try {
                    computing.of(row);
                } catch (RuntimeException e) {
                    UnfitValueException unfit = SparkFailures.unfitValue(e).orElseThrow(() -> e);
                    boolean hasSource = source >= 0 && !row.isNullAt(source);
                    found.add(new Found(
                            row.getInt(columns.indexOf(PreparedFrame.FILE)),
                            row.getLong(columns.indexOf(PreparedFrame.ROW)),
                            hasSource ? row.getInt(source) : -1,
                            hasSource ? row.getLong(sourceRow) : -1,
                            unfit.getMessage()));
                    found.sort(Found.ORDER);
                    found.subList(1, found.size()).clear();
                }
            }
            return found;
        }
    }
}
