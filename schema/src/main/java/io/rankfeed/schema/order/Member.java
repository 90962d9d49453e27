package io.rankfeed.schema.order;

import java.util.List;
import java.util.Optional;

/**
 * A train feed of a version, from which an order draws (docs/format/plan.md, section 1).
 *
 * @param name members are sorted by it; in an order of one member the name of its feed
 * @param source the feed of a version; empty in an order of format 1, which draws from the pools of its own plan
 * @param lanes U, the stored lanes, a multiple of the order's lanes
 * @param cycles the order of rows from cycle to cycle
 * @param strata sorted by name; at least one. With a source, {@code rows} are those stored, and {@code available} is the same
 */
public record Member(String name, Optional<Source> source, int lanes, RowCycles cycles, List<Stratum> strata) {
    /** A train feed of a version. */
    public record Source(String dataset, String version, String feed) {
        public Source {
            Rules.requireDataset(dataset);
            Rules.requireId(version, "version");
            Rules.requireName("feed", feed);
        }
    }

    /** @throws IllegalArgumentException if the parts contradict each other */
    public Member {
        strata = List.copyOf(strata);
        Rules.requireName("member", name);
        String where = "member '" + name + "': ";
        Rules.require(
                lanes >= 1 && lanes <= OrderLimits.MAX_LANES,
                where + "lanes " + lanes + " must be 1 to " + OrderLimits.MAX_LANES);
        Rules.require(!strata.isEmpty(), where + "has no stratum");
        Rules.requireSorted(strata.stream().map(Stratum::name).toList(), where + "strata");
        if (source.isPresent()) {
            for (Stratum stratum : strata) {
                Rules.require(
                        stratum.available() == stratum.rows(),
                        where + "stratum '" + stratum.name() + "' stores " + stratum.rows() + " rows, but "
                                + stratum.available() + " are available");
            }
        }
    }

    /** A member of a version. */
    public Member(
            String name,
            String dataset,
            String version,
            String feed,
            int lanes,
            RowCycles cycles,
            List<Stratum> strata) {
        this(name, Optional.of(new Source(dataset, version, feed)), lanes, cycles, strata);
    }

    /** The only member of an order of format 1. */
    static Member ofPlan(String feed, int lanes, RowOrder order, List<Stratum> strata) {
        return new Member(
                feed,
                Optional.empty(),
                lanes,
                order == RowOrder.PLANNED ? RowCycles.LIST : RowCycles.LIST_FIRST,
                strata);
    }
}
