package io.rankfeed.spark.prepare.query;

import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import io.rankfeed.spark.prepare.pack.BadRow;
import io.rankfeed.spark.prepare.pack.BadRows;
import io.rankfeed.spark.prepare.pack.RowLayout;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/**
 * The number of a query's rows that are in the prepared table, and of those that are left out.
 *
 * @param rows that are
 * @param bad those that are left out, by reason
 */
public record RowCounts(long rows, Map<String, Long> bad) {
    static RowCounts ofGood(long rows) {
        return new RowCounts(rows, Map.of());
    }

    /**
     * Counts packed rows.
     *
     * @param packed rows of {@link RowLayout}, the bad ones in the unit 1
     * @param hasKey whether rows with the same key are duplicates
     */
    static RowCounts of(Dataset<Row> packed, boolean hasKey) {
        Column isBad = functions.col(RowLayout.UNIT).equalTo(1);
        Column key = functions.col(RowLayout.KEY);
        Dataset<Row> keys = packed.select(
                functions.when(isBad, BadRow.reason(key)).as("reason"),
                functions
                        .when(functions.not(isBad).and(functions.lit(hasKey)), key)
                        .as("key"));
        TreeMap<String, Long> bad = new TreeMap<>();
        long good = 0;
        for (Row row : keys.groupBy("reason", "key")
                .agg(functions.count(functions.lit(1)).as("rows"))
                .groupBy("reason")
                .agg(functions.sum("rows"), functions.count(functions.lit(1)))
                .collectAsList()) {
            if (row.isNullAt(0)) {
                good = hasKey ? row.getLong(2) : row.getLong(1);
                if (row.getLong(1) > good) {
                    bad.put(Reason.DUPLICATE_KEY.id(), row.getLong(1) - good);
                }
            } else {
                bad.put(Reason.valueOf(row.getString(0)).id(), row.getLong(1));
            }
        }
        return new RowCounts(good, bad);
    }

    public static RowCounts of(Manifest.Prepared table) {
        return new RowCounts(table.rows(), table.badRows());
    }

    long badRows() {
        return bad.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Rows that the query gives. */
    long all() {
        return rows + badRows();
    }

    /** Describes the bad rows, as in "2 of 100 rows are bad and left out (malformed-line 2)"; empty if there are none. */
    public Optional<String> leftOut() {
        return badRows() == 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%,d of %s bad and left out %s",
                        badRows(),
                        Plural.counted(all(), "row is", "rows are"),
                        BadRows.reasons(bad)));
    }
}
