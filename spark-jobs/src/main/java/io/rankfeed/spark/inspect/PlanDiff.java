package io.rankfeed.spark.inspect;

import static org.apache.spark.sql.functions.col;

import io.rankfeed.report.Report;
import io.rankfeed.report.StrataNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The rows of a feed in two plans, side by side. */
final class PlanDiff {
    private static final String WAS = "stratum_before";
    private static final String IS = "stratum_after";
    private static final String SAME_LANE = "sameLane";

    /** What became of a stratum's rows. */
    private static final class Change {
        long before;
        long after;
        long stayed;
        long otherLane;
        long entered;
        long left;
        long movedIn;
        long movedOut;
    }

    private final String feed;
    private final Dataset<Row> both;
    private final SortedMap<String, Change> changes = new TreeMap<>(StrataNames.FOR_PEOPLE);

    private PlanDiff(String feed, Dataset<Row> both) {
        this.feed = feed;
        this.both = both;
    }

    /** @param before columns of {@link PlanRows}; likewise {@code after} */
    static PlanDiff of(String feed, Dataset<Row> before, Dataset<Row> after) {
        Dataset<Row> old = before.select(
                col(PlanRows.ROW_ID),
                col(PlanRows.STRATUM).as(WAS),
                col(PlanRows.LANE).as("oldLane"));
        Dataset<Row> now = after.select(
                col(PlanRows.ROW_ID).as("id"),
                col(PlanRows.STRATUM).as(IS),
                col(PlanRows.LANE).as("newLane"));
        Column same = old.col(PlanRows.ROW_ID).equalTo(now.col("id"));
        Dataset<Row> joined = old.join(now, same, "full_outer")
                .selectExpr("coalesce(row_id, id) AS row_id", WAS, IS, "oldLane = newLane AS " + SAME_LANE);
        PlanDiff diff = new PlanDiff(feed, joined);
        joined.groupBy(WAS, IS, SAME_LANE).count().collectAsList().forEach(diff::count);
        return diff;
    }

    private void count(Row group) {
        String was = group.getString(0);
        String is = group.getString(1);
        long rows = group.getLong(3);
        if (was != null) {
            Change change = changes.computeIfAbsent(was, name -> new Change());
            change.before += rows;
            change.left += is == null ? rows : 0;
            change.movedOut += is != null && !is.equals(was) ? rows : 0;
        }
        if (is != null) {
            Change change = changes.computeIfAbsent(is, name -> new Change());
            change.after += rows;
            change.entered += was == null ? rows : 0;
            change.movedIn += was != null && !is.equals(was) ? rows : 0;
            if (is.equals(was)) {
                change.stayed += rows;
                change.otherLane += group.getBoolean(2) ? 0 : rows;
            }
        }
    }

    /** Whether a row entered, left or moved. */
    boolean isDifferent() {
        return changes.values().stream().anyMatch(change -> change.entered + change.left + change.movedOut > 0);
    }

    /**
     * @param before names rows by their ids, of what was; {@code after} of what is
     */
    void describe(
            Report report,
            int examples,
            Function<List<Long>, Map<Long, String>> before,
            Function<List<Long>, Map<Long, String>> after) {
        report.fact(
                "entered " + feed,
                changes.values().stream().mapToLong(change -> change.entered).sum());
        report.fact(
                "left " + feed,
                changes.values().stream().mapToLong(change -> change.left).sum());
        report.fact(
                "moved in " + feed,
                changes.values().stream().mapToLong(change -> change.movedOut).sum());
        Report.Table table = report.table(
                "strata of " + feed,
                "stratum",
                "before",
                "after",
                "stayed",
                "otherLane",
                "entered",
                "left",
                "movedIn",
                "movedOut");
        changes.forEach((name, change) -> table.add(
                name,
                change.before,
                change.after,
                change.stayed,
                change.otherLane,
                change.entered,
                change.left,
                change.movedIn,
                change.movedOut));
        if (examples > 0 && isDifferent()) {
            Report.Table rows = report.table("examples of " + feed, "what", "row_id", "key", "before", "after");
            name(rows, "entered", col(WAS).isNull(), examples, after);
            name(rows, "left", col(IS).isNull(), examples, before);
            name(rows, "moved", col(WAS).notEqual(col(IS)), examples, after);
        }
    }

    /** The rows of least id: the same ones in every run. */
    private void name(
            Report.Table table,
            String what,
            Column which,
            int examples,
            Function<List<Long>, Map<Long, String>> keysOf) {
        List<Row> rows =
                both.where(which).orderBy(PlanRows.ROW_ID).limit(examples).collectAsList();
        Map<Long, String> keys =
                keysOf.apply(rows.stream().map(row -> row.getLong(0)).toList());
        rows.forEach(row -> table.add(
                what,
                row.getLong(0),
                Optional.<Object>ofNullable(keys.get(row.getLong(0))).orElse(Report.NONE),
                row.isNullAt(1) ? Report.NONE : row.getString(1),
                row.isNullAt(2) ? Report.NONE : row.getString(2)));
    }
}
