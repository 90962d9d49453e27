package io.rankfeed.sampling.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.sampling.plan.OnShortage;
import io.rankfeed.sampling.plan.RequestBuilder;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.testing.Seed;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The fast path against the page's pseudo code, against jumps, and against the positions of rows. */
class EpochOrderPropertyTest {
    private static final long SEED = Seed.of(EpochOrderPropertyTest.class);
    private static final int CONFIGURATIONS = Seed.cases(250);

    @Test
    void theFastPathGivesTheRowsOfThePage() {
        eachRank((order, rank, world, random) -> {
            ReferenceOrder reference = new ReferenceOrder(order);
            EpochOrder epochOrder = new EpochOrder(order, rank, world);
            BatchRows batch = new BatchRows(epochOrder.rowsPerBatch());
            for (int step = 0; step < order.steps(); step++) {
                epochOrder.fill(step, batch);
                if (random.nextInt(6) == 0) {
                    assertThat(Rows.of(batch)).isEqualTo(reference.batch(step, rank, world));
                }
            }
        });
    }

    @Test
    void anyJumpGivesWhatReadingOnGives() {
        eachRank((order, rank, world, random) -> {
            EpochOrder straight = new EpochOrder(order, rank, world);
            EpochOrder jumping = new EpochOrder(order, rank, world);
            BatchRows expected = new BatchRows(straight.rowsPerBatch());
            BatchRows actual = new BatchRows(straight.rowsPerBatch());
            List<List<OrderLookup.Row>> run = IntStream.range(0, (int) order.steps())
                    .mapToObj(step -> {
                        straight.fill(step, expected);
                        return Rows.of(expected);
                    })
                    .toList();
            for (int i = 0; i < 5; i++) {
                int step = random.nextInt(run.size());
                for (int on = step; on < Math.min(run.size(), step + 3); on++) {
                    jumping.fill(on, actual);
                    assertThat(Rows.of(actual)).isEqualTo(run.get(on));
                }
            }
        });
    }

    @Test
    void lookupsAgreeInBothDirections() {
        eachRank((order, rank, world, random) -> {
            OrderLookup lookup = new OrderLookup(order);
            EpochOrder epochOrder = new EpochOrder(order, rank, world);
            BatchRows batch = new BatchRows(epochOrder.rowsPerBatch());
            for (int i = 0; i < 6; i++) {
                long step = random.nextLong(order.steps());
                int index = random.nextInt(batch.capacity());
                epochOrder.fill(step, batch);
                OrderLookup.Row row = lookup.rowAt(step, rank, world, index);
                assertThat(row).isEqualTo(Rows.of(batch).get(index));
                assertThat(lookup.visits(row.stratum(), row.index()))
                        .anyMatch(visit -> visit.step() == step && visit.lane() % world == rank);
            }
        });
    }

    @Test
    void visitsOfARowAreAllItsSteps() {
        SplittableRandom random = new SplittableRandom(SEED);
        RandomOrders orders = new RandomOrders(SEED);
        for (int i = 0; i < 300; i++) {
            TrainFeed order = orders.next();
            RecordedRun run = new RecordedRun(order, order.lanes());
            int at = random.nextInt(run.index.length);
            List<OrderLookup.Visit> visits = IntStream.range(0, run.index.length)
                    .filter(k -> run.index[k] == run.index[at] && run.stratum[k] == run.stratum[at])
                    .mapToObj(k -> new OrderLookup.Visit(k / order.batch(), k % order.batch() / run.rowsPerRank))
                    .toList();
            assertThat(new OrderLookup(order).visits(run.stratum[at], run.index[at]))
                    .as("seed %d, configuration %d", SEED, i)
                    .isEqualTo(visits);
        }
    }

    @Test
    void rowsLieInTheRanksOwnLanesOrInTheSharedFile() {
        eachRank((order, rank, world, random) -> {
            LaneLayout layout = new LaneLayout(order);
            RecordedRun run = new RecordedRun(order, world);
            for (int k = 0; k < run.index.length; k++) {
                int owner = k % order.batch() / run.rowsPerRank;
                int lane = run.lane[k];
                if (lane != LaneLayout.SHARED && lane % world != owner) {
                    throw new AssertionError("rank " + owner + " reads lane " + lane);
                }
                assertThat(lane).isEqualTo(layout.lane(run.stratum[k], run.index[k]));
                assertThat(run.ordinal[k]).isEqualTo(layout.ordinal(run.stratum[k], run.index[k]));
                assertThat(layout.stratumAt(lane, run.ordinal[k])).isEqualTo(run.stratum[k]);
                assertThat(layout.indexAt(lane, run.ordinal[k])).isEqualTo(run.index[k]);
            }
        });
    }

    /** With so many (lane, stratum) that their short lists are shuffled draw by draw and not by table. */
    @Test
    void shortLists_hundredsOfThousands_giveTheSameRows() {
        RequestBuilder request = new RequestBuilder();
        String[] weights = new String[33_000];
        for (int s = 0; s < weights.length; s++) {
            request.stratum("s" + s, 19);
            weights[s] = "s" + s + "=1";
        }
        request.lanes = 8;
        request.batch = 8_000;
        request.rows = 8_000L * 120;
        request.onShortage = OnShortage.REPEAT;
        TrainFeed order = request.stage("1", weights).plan();
        OrderLookup lookup = new OrderLookup(order);
        EpochOrder epochOrder = new EpochOrder(order, 0, 1);
        BatchRows batch = new BatchRows(order.batch());
        for (int step = 110; step < 114; step++) {
            epochOrder.fill(step, batch);
            List<OrderLookup.Row> rows = Rows.of(batch);
            for (int index = 0; index < order.batch(); index += 79) {
                assertThat(rows.get(index)).isEqualTo(lookup.rowAt(step, 0, 1, index));
            }
        }
    }

    private interface Check {
        void of(TrainFeed order, int rank, int world, SplittableRandom random);
    }

    private static void eachRank(Check check) {
        SplittableRandom random = new SplittableRandom(SEED);
        RandomOrders orders = new RandomOrders(SEED);
        for (int i = 0; i < CONFIGURATIONS; i++) {
            TrainFeed order = orders.next();
            List<Integer> worlds = Worlds.of(order.lanes());
            int world = worlds.get(random.nextInt(worlds.size()));
            int rank = random.nextInt(world);
            try {
                check.of(order, rank, world, random);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        "seed " + SEED + ", configuration " + i + ", rank " + rank + " of " + world + ": " + order, e);
            }
        }
    }
}
