package io.rankfeed.sampling.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.testing.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What docs/format/plan.md, section 8, says of rows, over seeded orders; see also {@link OrderClaimsPropertyTest}. */
class StoredOrdersPropertyTest {
    private static final long SEED = Seed.of(StoredOrdersPropertyTest.class);
    private static final int ORDERS = Seed.cases(400);

    @Test
    void orders_reachEveryBoundaryAndWhatIsBeyondIt() {
        for (Predicate<TrainFeed> boundary : List.<Predicate<TrainFeed>>of(
                order -> order.lanes() == 1,
                order -> order.members().stream().allMatch(member -> member.lanes() == order.lanes()),
                order -> order.members().size() == 1,
                order -> order.strata().size() == 1,
                order -> order.batch() == order.lanes(),
                order -> order.segments().stream()
                        .allMatch(segment -> segment.batch().isEmpty()),
                order -> order.window() == 1,
                order -> order.mode() == EpochMode.STREAM,
                order -> anyStratum(order, (rows, member) -> rows == 1),
                order -> anyStratum(order, (rows, member) -> rows > 0 && rows < order.lanes()),
                order -> anyStratum(order, (rows, member) -> rows >= order.lanes() && rows < member.lanes()),
                order -> anyStratum(order, (rows, member) -> rows > 0 && rows % member.lanes() == 0),
                order -> anyStratum(order, (rows, member) -> rows / member.lanes() >= Permutation.SHUFFLE_BELOW))) {
            StoredOrders orders = new StoredOrders(SEED);
            boolean[] seen = new boolean[2];
            for (int i = 0; i < ORDERS; i++) {
                seen[boundary.test(orders.next()) ? 1 : 0] = true;
            }
            assertThat(seen).as("seed %d", SEED).containsOnly(true);
        }
    }

    private interface OfStratum {
        boolean test(long rows, Member member);
    }

    private static boolean anyStratum(TrainFeed order, OfStratum test) {
        return order.members().stream()
                .anyMatch(member -> member.strata().stream().anyMatch(stratum -> test.test(stratum.rows(), member)));
    }

    @Test
    void fastPathAndJumps_anyOrder_giveTheRowsOfThePage() {
        forEachOrder((order, random) -> {
            ReferenceOrder reference = new ReferenceOrder(order);
            OrderLookup lookup = new OrderLookup(order);
            int world = anyWorld(order, random);
            int rank = random.nextInt(world);
            EpochOrder straight = new EpochOrder(order, rank, world);
            EpochOrder jumping = new EpochOrder(order, rank, world);
            BatchRows batch = new BatchRows(straight.rowsPerBatch());
            for (long step = 0; step < order.steps(); step++) {
                straight.fill(step, batch);
                List<OrderLookup.Row> rows = Rows.of(batch);
                assertThat(rows).isEqualTo(reference.batch(step, rank, world));
                int index = random.nextInt(rows.size());
                assertThat(lookup.rowAt(step, rank, world, index)).isEqualTo(rows.get(index));
                if (random.nextInt(4) == 0) {
                    jumping.fill(step, batch);
                    assertThat(Rows.of(batch)).isEqualTo(rows);
                }
            }
        });
    }

    @Test
    void visits_ofARow_areAllItsSteps() {
        forEachOrder((order, random) -> {
            RecordedRun run = new RecordedRun(order, order.lanes());
            int at = random.nextInt(run.index.length);
            List<OrderLookup.Visit> visits = new ArrayList<>();
            for (int step = 0; step < order.steps(); step++) {
                for (int lane = 0; lane < order.lanes(); lane++) {
                    for (int i = run.at(step, lane); i < run.end(step, lane); i++) {
                        if (run.index[i] == run.index[at] && run.stratum[i] == run.stratum[at]) {
                            visits.add(new OrderLookup.Visit(step, lane));
                        }
                    }
                }
            }
            assertThat(new OrderLookup(order).visits(run.stratum[at], run.index[at]))
                    .isEqualTo(visits);
        });
    }

    @Test
    void rows_anyWorld_areInTheRanksOwnLanesOrShared() {
        forEachOrder((order, random) -> {
            int world = anyWorld(order, random);
            RecordedRun run = new RecordedRun(order, world);
            List<LaneLayout> layouts = new ArrayList<>();
            List<Integer> first = new ArrayList<>();
            for (Member member : order.members()) {
                for (int s = 0; s < member.strata().size(); s++) {
                    layouts.add(new LaneLayout(member.lanes(), member.strata()));
                    first.add(first.size() - s);
                }
            }
            for (int step = 0; step < order.steps(); step++) {
                for (int rank = 0; rank < world; rank++) {
                    for (int i = run.at(step, rank); i < run.end(step, rank); i++) {
                        LaneLayout layout = layouts.get(run.stratum[i]);
                        int stratum = run.stratum[i] - first.get(run.stratum[i]);
                        assertThat(run.lane[i]).isEqualTo(layout.lane(stratum, run.index[i]));
                        assertThat(run.ordinal[i]).isEqualTo(layout.ordinal(stratum, run.index[i]));
                        assertThat(run.lane[i] == LaneLayout.SHARED || run.lane[i] % world == rank)
                                .isTrue();
                    }
                }
            }
        });
    }

    @Test
    void cycles_anyOrder_haveNoRowTwice() {
        forEachOrder((order, random) -> {
            RecordedRun run = new RecordedRun(order, order.lanes());
            Set<List<Long>> seen = new HashSet<>();
            for (int i = 0; i < run.index.length; i++) {
                assertThat(seen.add(List.of((long) run.stratum[i], run.index[i], run.cycle[i])))
                        .isTrue();
            }
        });
    }

    @Test
    void visits_segmentEnds_differByAtMostOne() {
        forEachOrder((order, random) -> {
            RecordedRun run = new RecordedRun(order, 1);
            boolean samePart =
                    order.mode() == EpochMode.PASS && order.members().get(0).cycles() == RowCycles.LIST;
            for (Segment segment : order.segments()) {
                int from = order.mode() == EpochMode.PADDED || samePart ? (int) segment.step() : 0;
                for (int[] visits : run.visits(from, (int) segment.end())) {
                    int min = Arrays.stream(visits).min().orElse(0);
                    assertThat(Arrays.stream(visits).max().orElse(0) - min).isLessThanOrEqualTo(1);
                }
                if (order.mode() == EpochMode.PASS) {
                    int[] ofEpoch = run.visits((int) segment.step(), (int) segment.end())[0];
                    assertThat(Arrays.stream(ofEpoch).sum()).isEqualTo(order.stepsPerEpoch() * order.batch());
                    assertThat(Arrays.stream(ofEpoch).max()).hasValue(1);
                }
            }
        });
    }

    private static int anyWorld(TrainFeed order, SplittableRandom random) {
        List<Integer> worlds = Worlds.of(order.lanes());
        return worlds.get(random.nextInt(worlds.size()));
    }

    private static void forEachOrder(BiConsumer<TrainFeed, SplittableRandom> claim) {
        StoredOrders orders = new StoredOrders(SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < ORDERS; i++) {
            TrainFeed order = orders.next();
            try {
                claim.accept(order, random);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + SEED + ", order " + i + ": " + order, e);
            }
        }
    }
}
