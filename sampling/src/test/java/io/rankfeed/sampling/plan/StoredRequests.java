package io.rankfeed.sampling.plan;

import io.rankfeed.sampling.order.RandomOrders;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/** Requests over the lists of a version, and what their orders draw, counted tooth by tooth. */
public final class StoredRequests {
    public static final Member.Source SOURCE = new Member.Source("data", "0".repeat(16), "train");

    private final RandomOrders orders;
    private final SplittableRandom random;

    /** A request and the lists that it draws from. */
    public record Drawn(PlanRequest request, StoredLists stored) {
        /** The order, or the reason against it. */
        public PlannedOrder planned() {
            return OrderPlanner.planned(request, stored);
        }

        public Drawn on(OnShortage choice) {
            return new Drawn(
                    changed(request, request.epochs(), request.rowsPerEpoch(), choice, request.stages()), stored);
        }
    }

    public StoredRequests(long seed) {
        this.orders = new RandomOrders(seed);
        this.random = new SplittableRandom(seed);
    }

    /** @param scheduled whether stages have their own batches */
    public Drawn next(boolean scheduled) {
        while (true) {
            PlanRequest request = orders.request();
            boolean stream = request.mode() == EpochMode.STREAM;
            if (scheduled && (!stream || request.balanceWithin() == BalanceWithin.EPOCH)) {
                continue;
            }
            List<PlanRequest.Stage> stages = new ArrayList<>();
            long largest = request.batch();
            for (PlanRequest.Stage stage : request.stages()) {
                int batch = request.lanes() * random.nextInt(1, 7);
                largest = Math.max(largest, scheduled ? batch : 0);
                stages.add(new PlanRequest.Stage(
                        stage.until(),
                        stage.weights(),
                        stage.margins(),
                        stage.bounds(),
                        scheduled ? OptionalInt.of(batch) : OptionalInt.empty()));
            }
            long rows = request.mode() == EpochMode.PADDED
                    ? request.strata().get(0).rows()
                    : Math.max(largest, request.rowsPerEpoch());
            StoredLists stored =
                    new StoredLists(SOURCE, request.lanes() * random.nextInt(1, 4), false, false, random.nextBoolean());
            return new Drawn(changed(request, request.epochs(), rows, request.onShortage(), stages), stored);
        }
    }

    private static PlanRequest changed(
            PlanRequest request, int epochs, long rows, OnShortage onShortage, List<PlanRequest.Stage> stages) {
        return new PlanRequest(
                request.feed(),
                request.seed() >>> 1,
                request.lanes(),
                request.batch(),
                epochs,
                rows,
                request.mode(),
                request.order(),
                request.balanceWithin(),
                PoolSpan.RUN,
                onShortage,
                request.zeroQuota(),
                request.shares(),
                request.strata(),
                stages);
    }

    /** The rows that each epoch draws of each stratum. */
    static long[][] need(TrainFeed order) {
        long[][] need = new long[order.epochs()][order.strata().size()];
        for (Segment segment : order.segments()) {
            long length = segment.steps();
            for (long step = segment.step(); step < segment.end(); step++) {
                long[] ofEpoch = need[order.epochAt(step)];
                for (int lane = 0; lane < order.lanes(); lane++) {
                    long lead = segment.c() + lane * length / order.lanes();
                    long shift = (segment.m() * (step - segment.step()) + lead) % length;
                    for (int slot = 0; slot < order.rowsPerLane(segment); slot++) {
                        ofEpoch[stratumAt(segment, (slot + 1) * length - 1 - shift)]++;
                    }
                }
            }
        }
        return need;
    }

    private static int stratumAt(Segment segment, long position) {
        int stratum = 0;
        long end = segment.quotas().get(0);
        while (end <= position) {
            stratum++;
            end += segment.quotas().get(stratum);
        }
        return stratum;
    }

    /** The same feed with another name. */
    public static TrainFeed named(TrainFeed feed, String name) {
        return new TrainFeed(
                name,
                feed.seed(),
                feed.lanes(),
                feed.batch(),
                feed.epochs(),
                feed.stepsPerEpoch(),
                feed.epochStarts(),
                feed.mode(),
                feed.order(),
                feed.window(),
                feed.members(),
                feed.segments());
    }
}
