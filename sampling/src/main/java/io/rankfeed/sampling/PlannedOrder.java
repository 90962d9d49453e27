package io.rankfeed.sampling;

import java.util.List;

/**
 * An order, and what its planner had to do where rows were too few.
 *
 * @param stageOf by segment of the order its stage, from 0; where there are no stages −1
 * @param shortages by stage and stratum; none where every epoch has the rows that it wants
 */
public record PlannedOrder(Order order, List<Integer> stageOf, List<Shortage> shortages) {
    public PlannedOrder {
        stageOf = List.copyOf(stageOf);
        shortages = List.copyOf(shortages);
    }

    /**
     * What a stratum gives to a stage, over all epochs, where that is not what the stage's shares say or comes more than once
     * in an epoch.
     *
     * @param stage from 0
     * @param wanted rows by the shares alone
     * @param available rows in the table
     * @param taken rows that are drawn; what one stratum lacks to {@code wanted} others of the stage give beyond theirs
     * @param repeated of these, rows that the same epoch has drawn before
     */
    public record Shortage(int stage, String stratum, long wanted, long available, long taken, long repeated) {}
}
