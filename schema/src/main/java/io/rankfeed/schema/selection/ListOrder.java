package io.rankfeed.schema.selection;

import java.util.List;

/**
 * The order of the rows of a stratum.
 *
 * @param by what orders them
 * @param ordered the parts of lists that stages with an order have put in theirs
 */
public record ListOrder(By by, List<OrderedStage> ordered) {
    /** The order of a list. */
    public sealed interface By permits Hash, Table, Given, Column {}

    /** By the hash of the row's id with a seed. */
    public record Hash(long seed) implements By {}

    /** The order of the prepared table. */
    public record Table() implements By {}

    /** The order of a list from elsewhere. */
    public record Given() implements By {}

    /** By the values of a column. */
    public record Column(String name) implements By {}

    /**
     * The rows of a stage that goes from easy to hard.
     *
     * @param by the number of a row that orders them, as the job writes it
     * @param ranges sorted by stratum
     */
    public record OrderedStage(String by, List<Range> ranges) {
        public OrderedStage {
            ranges = List.copyOf(ranges);
        }
    }

    /**
     * List indices of a stratum.
     *
     * @param stratum its number
     * @param from the first
     * @param to the first after it
     */
    public record Range(int stratum, long from, long to) {}

    public ListOrder {
        ordered = List.copyOf(ordered);
    }

    /** Whether the lists have no order but that of a hash. */
    public boolean isHashed() {
        return by instanceof Hash;
    }

    void check(String where, List<SelectedStratum> strata) {
        Checks.require(!(by instanceof Hash hash) || hash.seed() >= 0, where + "list: the seed is negative");
        Checks.require(
                ordered.isEmpty() || isHashed(), where + "list: stages are ordered, but the list is not by hash");
        for (OrderedStage stage : ordered) {
            int before = -1;
            for (Range range : stage.ranges()) {
                Checks.require(
                        range.stratum() > before && range.stratum() < strata.size(),
                        where + "list: stratum " + range.stratum() + " of the stage by " + stage.by()
                                + " is unknown, not sorted, or a duplicate");
                long rows = strata.get(range.stratum()).rows();
                Checks.require(
                        0 <= range.from() && range.from() < range.to() && range.to() <= rows,
                        where + "list: rows " + range.from() + " to " + range.to() + " of stratum '"
                                + strata.get(range.stratum()).name() + "' are not among its " + rows);
                before = range.stratum();
            }
        }
    }
}
