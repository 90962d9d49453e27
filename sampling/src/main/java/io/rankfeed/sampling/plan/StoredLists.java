package io.rankfeed.sampling.plan;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.OrderLimits;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Stratum;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The lists of a version, from which an order is planned (docs/format/plan.md, section 3.7).
 *
 * @param source the train feed of the version
 * @param lanes U, in which the version stores them
 * @param complete whether they have every row of the table that the feed takes
 * @param hashed whether they are in hash order
 * @param listFirst whether the first cycle keeps the order of the lists: in the default order of an export whose lists are in hash order
 *     with the seed of the plan, and in an order with ordered stages
 */
public record StoredLists(Member.Source source, int lanes, boolean complete, boolean hashed, boolean listFirst) {
    /** @throws ConfigException if the version cannot serve the request; the message says what the version has */
    void check(PlanRequest request) {
        if (lanes % request.lanes() != 0) {
            List<Integer> divisors = IntStream.rangeClosed(1, lanes)
                    .filter(divisor -> lanes % divisor == 0)
                    .boxed()
                    .toList();
            throw new ConfigException("lanes " + request.lanes() + " do not divide the " + lanes
                    + " lanes of the version; take one of " + divisors);
        }
        if ((long) lanes * request.strata().size() > OrderLimits.MAX_COUNTERS) {
            throw new ConfigException(
                    request.strata().size() + " strata times " + lanes + " lanes of the version exceed "
                            + OrderLimits.MAX_COUNTERS + "; export a version with fewer strata or lanes");
        }
        if (request.order() == RowOrder.PLANNED && hashed) {
            throw new ConfigException("order: planned keeps the order of the lists, but the version has them in hash"
                    + " order; choose order: global, or export a version whose rows come from a list, a column or"
                    + " the table in its order");
        }
        if (request.pool() == PoolSpan.EPOCH) {
            throw new ConfigException("pool: epoch says what an export stores, and a plan over a version draws from all"
                    + " that is stored; leave pool out");
        }
    }

    /** The member of an order. */
    Member member(String feed, RowOrder order, List<Stratum> strata) {
        RowCycles cycles = listFirst ? RowCycles.LIST_FIRST : RowCycles.SHUFFLED;
        return new Member(
                feed,
                source.dataset(),
                source.version(),
                source.feed(),
                lanes,
                order == RowOrder.PLANNED ? RowCycles.LIST : cycles,
                strata);
    }

    /** The rows of an epoch of a pass in which no row can come twice: the same number in each stored lane. */
    long rowsOfPass(long stored) {
        return stored / lanes * lanes;
    }
}
