package io.rankfeed.sampling.order;

import io.rankfeed.sampling.plan.BalanceWithin;
import io.rankfeed.sampling.plan.OnShortage;
import io.rankfeed.sampling.plan.RequestBuilder;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.List;

/**
 * Orders around every threshold of the implementation, each run long enough to cross it in both directions: 63 and 64 rows of
 * a lane in a cycle (table and grid), in all modes; 63 and 64 shared rows; 63 and 64 rows in a rank's batch; 63 and 64 slots in
 * a window.
 */
final class ThresholdOrders {
    private ThresholdOrders() {}

    static List<TrainFeed> all() {
        List<TrainFeed> orders = new ArrayList<>();
        for (int lanes : new int[] {1, 3, 8}) {
            for (int rows : List.of(63 * lanes - 1, 63 * lanes, 63 * lanes + lanes / 2, 64 * lanes - 1, 64 * lanes)) {
                orders.add(stream(lanes, rows, 8));
                orders.add(padded(lanes, rows));
            }
            orders.add(stream(lanes, 1, 2));
            orders.add(pass(lanes, 63 * lanes));
            orders.add(pass(lanes, 64 * lanes));
            orders.add(twoStrata(lanes));
        }
        for (int shared : new int[] {0, 1, 63, 64, 65}) {
            orders.add(stream(66, 66 + shared, 4));
        }
        for (int rows : new int[] {63, 64, 65, 127, 128, 129}) {
            orders.add(batch(rows));
            orders.add(window(rows));
        }
        return orders;
    }

    /** One stratum of {@code rows} that is drawn completely in each of {@code epochs} cycles, the rest of a step moved on. */
    private static TrainFeed stream(int lanes, int rows, int epochs) {
        return RequestBuilder.plan(w -> {
            w.lanes = lanes;
            w.batch = 2 * lanes;
            w.rows = Math.max(rows, w.batch);
            w.epochs = epochs;
            w.onShortage = OnShortage.REPEAT;
            w.stratum("all", rows).stage("1", "all=1");
        });
    }

    /** Each epoch ends with fill-up rows, which begin another cycle. */
    private static TrainFeed padded(int lanes, int rows) {
        return RequestBuilder.plan(w -> {
            w.mode = EpochMode.PADDED;
            w.lanes = lanes;
            w.batch = 5 * lanes;
            w.rows = rows;
            w.epochs = 4;
            w.stratum("all", rows);
        });
    }

    private static TrainFeed pass(int lanes, int rows) {
        return RequestBuilder.plan(w -> {
            w.mode = EpochMode.PASS;
            w.lanes = lanes;
            w.batch = lanes;
            w.rows = rows;
            w.epochs = 4;
            w.stratum("all", rows);
        });
    }

    /** Two strata on both sides of the threshold, whose shares change during the run. */
    private static TrainFeed twoStrata(int lanes) {
        return RequestBuilder.plan(w -> {
            w.lanes = lanes;
            w.batch = 3 * lanes;
            w.rows = 60L * lanes;
            w.epochs = 10;
            w.onShortage = OnShortage.REPEAT;
            w.stratum("above", 64 * lanes - lanes / 3).stratum("below", 63 * lanes + lanes / 3);
            w.stage("0.3", "above=1", "below=2")
                    .stage("0.6", "above=1", "below=0")
                    .stage("1", "above=1", "below=5");
        });
    }

    private static TrainFeed batch(int rows) {
        return RequestBuilder.plan(w -> {
            w.lanes = 2;
            w.batch = 2 * rows;
            w.rows = 4L * rows;
            w.epochs = 2;
            w.stratum("all", 8L * rows).stage("1", "all=1");
        });
    }

    private static TrainFeed window(int slots) {
        return RequestBuilder.plan(w -> {
            w.lanes = 2;
            w.batch = 2;
            w.rows = 2L * slots;
            w.epochs = 3;
            w.within = BalanceWithin.EPOCH;
            w.onShortage = OnShortage.REPEAT;
            w.stratum("a", 2L * slots).stratum("b", 3).stage("1", "a=9", "b=1");
        });
    }
}
