package io.rankfeed.sampling.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.testing.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The table of docs/format/plan.md, section 8, over seeded configurations; what holds of stored pools too, over those as well. */
class OrderClaimsPropertyTest {
    private static final long SEED = Seed.of(OrderClaimsPropertyTest.class);
    private static final int CONFIGURATIONS = Seed.cases(750);
    private static final int WIDE_CONFIGURATIONS = Seed.cases(50);

    @Test
    void eachLaneDrawsItsQuotasInEverySegment() {
        forEachOrderOrStored(order -> {
            // At world V a rank is a lane. A window never leaves its segment, so this holds for wide windows too.
            RecordedRun run = new RecordedRun(order, order.lanes());
            for (Segment segment : order.segments()) {
                for (int rank = 0; rank < order.lanes(); rank++) {
                    long[] drawn = new long[order.strata().size()];
                    for (int step = (int) segment.step(); step < segment.end(); step++) {
                        int[] counts = run.counts(run.at(step, rank), run.end(step, rank));
                        Arrays.setAll(drawn, s -> drawn[s] + counts[s]);
                    }
                    assertThat(drawn).containsExactly(longs(segment.quotas()));
                }
            }
        });
    }

    @Test
    void batch_anyWorldSize_hasFloorOrCeilOfEachShare() {
        forEachOrderOrStored(order -> {
            if (order.window() > 1) {
                return;
            }
            for (int world : Worlds.of(order.lanes())) {
                RecordedRun run = new RecordedRun(order, world);
                for (Segment segment : order.segments()) {
                    for (int step = (int) segment.step(); step < segment.end(); step++) {
                        assertShares(run, run.at(step, 0), run.at(step + 1, 0), segment);
                        for (int rank = 0; rank < world; rank++) {
                            assertShares(run, run.at(step, rank), run.end(step, rank), segment);
                        }
                    }
                }
            }
        });
    }

    /** Checks the shares of strata, and after them those of members. */
    private static void assertShares(RecordedRun run, int from, int to, Segment segment) {
        long line = segment.steps() * run.order.rowsPerLane(segment);
        long[] counts = andMembers(
                run.order, Arrays.stream(run.counts(from, to)).asLongStream().toArray());
        long[] quotas = andMembers(run.order, longs(segment.quotas()));
        for (int s = 0; s < counts.length; s++) {
            long share = quotas[s] * (to - from);
            if (counts[s] < share / line || counts[s] > (share + line - 1) / line) {
                throw new AssertionError(
                        "stratum " + s + ": " + counts[s] + " rows where the share is " + share + "/" + line);
            }
        }
    }

    private static long[] andMembers(TrainFeed order, long[] ofStrata) {
        long[] all = Arrays.copyOf(ofStrata, ofStrata.length + order.members().size());
        int s = 0;
        for (int m = 0; m < order.members().size(); m++) {
            for (int i = order.members().get(m).strata().size(); i > 0; i--, s++) {
                all[ofStrata.length + m] += ofStrata[s];
            }
        }
        return all;
    }

    @Test
    void everyWorldSizeSeesTheSameGlobalBatches() {
        forEachOrderOrStored(order -> {
            RecordedRun one = new RecordedRun(order, 1);
            for (int world : Worlds.of(order.lanes())) {
                RecordedRun other = new RecordedRun(order, world);
                for (int step = 0; step < order.steps(); step++) {
                    assertThat(sorted(other, step)).containsExactly(sorted(one, step));
                }
            }
        });
    }

    private static long[] sorted(RecordedRun run, int step) {
        return IntStream.range(run.at(step, 0), run.at(step + 1, 0))
                .mapToLong(i -> (long) run.stratum[i] << 48 | run.index[i])
                .sorted()
                .toArray();
    }

    @Test
    void visits_endOfRun_coverThePoolAndDifferByAtMostOne() {
        forEachOrder(order -> {
            RecordedRun run = new RecordedRun(order, order.lanes());
            if (order.mode() == EpochMode.PADDED) {
                for (int epoch = 0; epoch < order.epochs(); epoch++) {
                    int from = epoch * order.stepsPerEpoch();
                    int[] visits = run.visits(from, from + order.stepsPerEpoch())[0];
                    assertThat(Arrays.stream(visits).filter(v -> v < 1 || v > 2))
                            .isEmpty();
                    assertThat(Arrays.stream(visits).filter(v -> v == 2).count())
                            .isLessThan(order.batch());
                }
                return;
            }
            for (int[] visits : run.visits(0, (int) order.steps())) {
                assertEven(visits, 1);
                assertThat(Arrays.stream(visits).anyMatch(v -> v == 0)).isFalse();
            }
        });
    }

    @Test
    void eachEpochOfAPassIsThePoolOnce() {
        forEachOrder(order -> {
            if (order.mode() == EpochMode.PASS) {
                RecordedRun run = new RecordedRun(order, order.lanes());
                for (int epoch = 0; epoch < order.epochs(); epoch++) {
                    int from = epoch * order.stepsPerEpoch();
                    assertThat(run.visits(from, from + order.stepsPerEpoch())[0])
                            .containsOnly(1);
                }
            }
        });
    }

    @Test
    void visits_anyStep_areCloseAndMeetAtSegmentEnds() {
        forEachOrderOrStored(order -> {
            if (order.mode() == EpochMode.PADDED || (order.mode() == EpochMode.PASS && order.isStored())) {
                return;
            }
            RecordedRun run = new RecordedRun(order, order.lanes());
            int[][] visits = run.visits(0, 0);
            int[][] drawn = new int[order.lanes()][visits.length];
            for (int step = 0; step < order.steps(); step++) {
                for (int lane = 0; lane < order.lanes(); lane++) {
                    for (int i = run.at(step, lane); i < run.end(step, lane); i++) {
                        visits[run.stratum[i]][(int) run.index[i]]++;
                        drawn[lane][run.stratum[i]]++;
                    }
                }
                boolean end = order.segmentAt(step).end() == step + 1;
                for (int s = 0; s < visits.length; s++) {
                    int number = s;
                    int[] ofLanes =
                            Arrays.stream(drawn).mapToInt(d -> d[number]).toArray();
                    int gap = Arrays.stream(ofLanes).max().getAsInt()
                            - Arrays.stream(ofLanes).min().getAsInt();
                    if (end) {
                        assertThat(gap).isZero();
                        assertEven(visits[s], 1);
                    } else if (order.window() == 1) {
                        Segment segment = order.segmentAt(step);
                        assertThat((long) gap).isLessThanOrEqualTo(4 * quotients(segment.m(), segment.steps()));
                        assertEven(visits[s], 1 + ceilDiv(gap * order.lanes(), visits[s].length));
                    }
                }
            }
        });
    }

    private static int ceilDiv(int a, int b) {
        return b == 0 ? 0 : (a + b - 1) / b;
    }

    /** The sum of the partial quotients of p / q. */
    private static long quotients(long p, long q) {
        return q == 0 ? 0 : p / q + quotients(q, p % q);
    }

    private static void assertEven(int[] visits, int max) {
        if (visits.length > 0) {
            int min = Arrays.stream(visits).min().getAsInt();
            assertThat(Arrays.stream(visits).max().getAsInt() - min).isLessThanOrEqualTo(max);
        }
    }

    @Test
    void cycle_complete_isThePoolWithoutDuplicates() {
        forEachOrder(order -> {
            int lanes = order.lanes();
            for (int s = 0; s < order.strata().size(); s++) {
                long rows = order.strata().get(s).rows();
                Cycles cycles = new Cycles(order);
                for (long cycle = 0; rows > 0 && cycle < 4; cycle++) {
                    long epoch = cycle % order.epochs();
                    boolean[] seen = new boolean[Math.toIntExact(rows)];
                    for (long k = cycle * rows; k < (cycle + 1) * rows; k++) {
                        int row = (int) cycles.row(s, (int) (k % lanes), k / lanes, epoch);
                        assertThat(seen[row]).isFalse();
                        seen[row] = true;
                    }
                }
            }
        });
    }

    @Test
    void duplicatesInAStep_repeatingStratum_areRare() {
        double[] againAndBound = new double[2];
        forEachOrder(order -> {
            if (order.window() > 1) {
                return;
            }
            RecordedRun run = new RecordedRun(order, 1);
            long[] before = new long[order.strata().size()];
            for (int step = 0; step < order.steps(); step++) {
                int[] drawn = run.counts(run.at(step, 0), run.at(step + 1, 0));
                int[][] visits = run.visits(step, step + 1);
                for (int s = 0; s < drawn.length; s++) {
                    long rows = visits[s].length;
                    long again = Arrays.stream(visits[s]).filter(v -> v > 1).count();
                    if (rows == draws(order, s)) {
                        assertThat(again).isZero();
                    } else if (drawn[s] <= rows / 4) {
                        boolean cycleEnds = (before[s] + drawn[s]) / rows > before[s] / rows;
                        againAndBound[0] += again;
                        againAndBound[1] += cycleEnds ? drawn[s] * drawn[s] / 4.0 / rows : 0;
                    }
                    before[s] += drawn[s];
                }
            }
        });
        assertThat(againAndBound[0]).isPositive().isLessThan(againAndBound[1]);
    }

    private static long draws(TrainFeed order, int stratum) {
        return order.lanes()
                * order.segments().stream()
                        .mapToLong(segment -> segment.quotas().get(stratum))
                        .sum();
    }

    @Test
    void epoch_redistributed_drawsNoMoreThanTheTableHas() {
        RandomOrders orders = new RandomOrders(SEED);
        int redistributed = 0;
        for (int i = 0; i < CONFIGURATIONS; i++) {
            TrainFeed order = orders.next();
            // Only pieces of a redistributed plan are numbered past the stages that RandomOrders gives.
            if (order.mode() != EpochMode.STREAM || order.segments().stream().allMatch(g -> g.number() < 4)) {
                continue;
            }
            redistributed++;
            RecordedRun run = new RecordedRun(order, 1);
            for (int epoch = 0; epoch < order.epochs(); epoch++) {
                int from = run.at(epoch * order.stepsPerEpoch(), 0);
                int[] drawn = run.counts(from, from + order.stepsPerEpoch() * order.batch());
                for (int s = 0; s < drawn.length; s++) {
                    long available = order.strata().get(s).available();
                    assertThat((long) drawn[s])
                            .as("seed %d, configuration %d", SEED, i)
                            .isLessThanOrEqualTo(available / order.lanes() * order.lanes());
                }
            }
        }
        assertThat(redistributed).isPositive();
    }

    @Test
    void segmentPrefix_eachLaneAndAll_followsTheQuotas() {
        forEachOrderOrStored(order -> {
            if (order.window() > 1) {
                return;
            }
            RecordedRun run = new RecordedRun(order, order.lanes());
            for (Segment segment : order.segments()) {
                double[] share = shares(order, segment);
                // Proven for a lane; seen for all lanes together.
                double laneBound = 2.0 * quotients(segment.m(), segment.steps()) + 1e-6;
                long[][] drawn = new long[order.lanes() + 1][order.strata().size()];
                for (int step = (int) segment.step(); step < segment.end(); step++) {
                    double rows = order.rowsPerLane(segment) * (step + 1.0 - segment.step());
                    for (int lane = 0; lane < order.lanes(); lane++) {
                        for (int i = run.at(step, lane); i < run.end(step, lane); i++) {
                            drawn[lane][run.stratum[i]]++;
                            drawn[order.lanes()][run.stratum[i]]++;
                        }
                        assertNear(order, drawn[lane], share, rows, laneBound);
                    }
                    assertNear(order, drawn[order.lanes()], share, rows * order.lanes(), 6);
                }
            }
        });
    }

    private static double[] shares(TrainFeed order, Segment segment) {
        double line = (double) segment.steps() * order.rowsPerLane(segment);
        return Arrays.stream(andMembers(order, longs(segment.quotas())))
                .mapToDouble(q -> q / line)
                .toArray();
    }

    private static void assertNear(TrainFeed order, long[] ofStrata, double[] share, double rows, double bound) {
        long[] drawn = andMembers(order, ofStrata);
        for (int s = 0; s < share.length; s++) {
            if (Math.abs(drawn[s] - share[s] * rows) > bound) {
                throw new AssertionError("stratum or member " + s + ": " + drawn[s] + " of " + rows + " rows");
            }
        }
    }

    @Test
    void window_eachLane_hasTheRowsOfItsStepsWithoutWindow() {
        forEachOrder(order -> {
            if (order.window() == 1) {
                return;
            }
            RecordedRun wide = new RecordedRun(order, order.lanes());
            RecordedRun narrow = new RecordedRun(
                    new TrainFeed(
                            order.name(),
                            order.seed(),
                            order.lanes(),
                            order.batch(),
                            order.epochs(),
                            order.stepsPerEpoch(),
                            order.mode(),
                            order.order(),
                            1,
                            order.strata(),
                            order.segments()),
                    order.lanes());
            int from = 0;
            for (int step = 1; step <= order.steps(); step++) {
                boolean segmentEnds = order.segmentAt(step - 1).end() == step;
                if (segmentEnds || step % order.stepsPerEpoch() == 0) {
                    for (int lane = 0; lane < order.lanes(); lane++) {
                        assertThat(sorted(wide, from, step, lane)).containsExactly(sorted(narrow, from, step, lane));
                    }
                    from = step;
                }
            }
        });
    }

    private static long[] sorted(RecordedRun run, int from, int to, int lane) {
        return IntStream.range(from, to)
                .flatMap(step -> IntStream.range(run.at(step, lane), run.at(step, lane) + run.rowsPerRank))
                .mapToLong(i -> (long) run.stratum[i] << 48 | run.index[i])
                .sorted()
                .toArray();
    }

    private static void forEachOrder(Consumer<TrainFeed> claim) {
        forEachOrder(CONFIGURATIONS, 16, claim);
        forEachOrder(WIDE_CONFIGURATIONS, 64, claim);
    }

    private static void forEachOrderOrStored(Consumer<TrainFeed> claim) {
        forEachOrder(claim);
        forEachOrder(CONFIGURATIONS, new StoredOrders(SEED)::next, "stored", claim);
    }

    private static void forEachOrder(int count, int maxLanes, Consumer<TrainFeed> claim) {
        forEachOrder(count, new RandomOrders(SEED, maxLanes)::next, "at most " + maxLanes + " lanes", claim);
    }

    private static void forEachOrder(int count, Supplier<TrainFeed> orders, String which, Consumer<TrainFeed> claim) {
        for (int i = 0; i < count; i++) {
            TrainFeed order = orders.get();
            try {
                claim.accept(order);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + SEED + ", " + which + ", configuration " + i + ": " + order, e);
            }
        }
    }

    private static long[] longs(List<Long> values) {
        return values.stream().mapToLong(v -> v).toArray();
    }
}
