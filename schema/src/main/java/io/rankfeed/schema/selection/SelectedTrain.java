package io.rankfeed.schema.selection;

import io.rankfeed.schema.order.OrderLimits;
import io.rankfeed.schema.order.StoredFeed;
import io.rankfeed.schema.order.Stratum;
import java.util.List;

/**
 * The stored rows of a train feed.
 *
 * @param columns names of the strata columns, in the order of the parts of the strata's names
 * @param list the order of the rows of a stratum
 * @param strata sorted by name; at least one
 */
public record SelectedTrain(
        String name,
        int lanes,
        List<String> columns,
        ListOrder list,
        List<SelectedStratum> strata,
        List<String> rowDigests)
        implements SelectedFeed {
    /** @throws IllegalArgumentException if the parts contradict each other, or exceed {@link OrderLimits} */
    public SelectedTrain {
        columns = List.copyOf(columns);
        strata = List.copyOf(strata);
        rowDigests = List.copyOf(rowDigests);
        String where = "feed '" + name + "': ";
        Checks.require(
                columns.stream().distinct().count() == columns.size(),
                where + "a column is listed twice in " + columns);
        Checks.require(!strata.isEmpty(), where + "has no stratum");
        Checks.requireSorted(strata.stream().map(SelectedStratum::name).toList(), where + "strata");
        for (SelectedStratum stratum : strata) {
            Checks.require(
                    stratum.values().size() == columns.size(),
                    where + "stratum '" + stratum.name() + "' has "
                            + stratum.values().size() + " values for the columns " + columns);
        }
        Checks.requireFeed(name, lanes, rows(where, strata), rowDigests);
        Checks.require(
                (long) lanes * strata.size() <= OrderLimits.MAX_COUNTERS,
                where + lanes + " lanes times " + strata.size() + " strata exceed " + OrderLimits.MAX_COUNTERS);
        list.check(where, strata);
    }

    @Override
    public StoredFeed stored() {
        return StoredFeed.of(
                name,
                lanes,
                strata.stream()
                        .map(stratum -> new Stratum(stratum.name(), stratum.available(), stratum.rows()))
                        .toList());
    }

    @Override
    public long rows() {
        return rows("feed '" + name + "': ", strata);
    }

    private static long rows(String where, List<SelectedStratum> strata) {
        long rows = 0;
        for (SelectedStratum stratum : strata) {
            rows += stratum.rows();
            Checks.require(rows >= 0, where + "its strata have 2^63 rows or more");
        }
        return rows;
    }
}
