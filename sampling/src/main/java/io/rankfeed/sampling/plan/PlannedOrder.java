package io.rankfeed.sampling.plan;

import io.rankfeed.schema.order.TrainFeed;
import java.util.List;

/**
 * A planned feed and its shortages.
 *
 * @param shortages by stage and stratum; none where every epoch has the rows that it requires
 */
public record PlannedOrder(TrainFeed feed, List<Shortage> shortages) {
    public PlannedOrder {
        shortages = List.copyOf(shortages);
    }

    /**
     * A stratum that contributes to a stage, over all epochs, another number of rows than its share, or rows that repeat within an
     * epoch.
     *
     * @param stage from 0
     * @param wanted rows by the shares alone
     * @param available rows in the table
     * @param taken rows that are drawn; other strata of the stage make up for the rows missing to {@code wanted}
     * @param repeated rows of these that the same epoch has drawn before
     */
    public record Shortage(int stage, String stratum, long wanted, long available, long taken, long repeated) {}
}
