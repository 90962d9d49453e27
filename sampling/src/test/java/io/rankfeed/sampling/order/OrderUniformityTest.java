package io.rankfeed.sampling.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.sampling.plan.RequestBuilder;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.TrainFeed;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The statistics of whole orders: where rows come in a shuffled epoch, and which strata come where. */
class OrderUniformityTest {
    private static final int SEEDS = 10_000;
    private static final double MAX_SCORE = 4.5;

    @Test
    void row_shuffledEpochs_isAtEachPositionEquallyOften() {
        for (int rows : new int[] {2, 3, 5, 8, 16, 31, 32, 63, 64, 65, 80}) {
            int batch = rows % 4 == 0 ? rows / 4 : 1;
            TrainFeed plan = pass(rows, batch);
            int[][] hits = new int[rows][rows];
            int[] together = new int[2];
            for (int seed = 0; seed < SEEDS; seed++) {
                int[] positions = positionsInSecondEpoch(seeded(plan, seed));
                for (int row = 0; row < rows; row++) {
                    hits[row][positions[row]]++;
                }
                together[positions[0] / batch == positions[1] / batch ? 0 : 1]++;
            }
            assertThat(Math.abs(ChiSquare.positions(hits, SEEDS)))
                    .as("positions of %d rows", rows)
                    .isLessThan(MAX_SCORE);
            if (batch > 1) {
                // Two rows share a batch as often as of all other positions batch - 1 are in it.
                double[] chances = {batch - 1.0, rows - batch};
                assertThat(Math.abs(ChiSquare.weighted(together, chances)))
                        .as("pairs of %d rows in a batch", rows)
                        .isLessThan(MAX_SCORE);
            }
        }
    }

    private static int[] positionsInSecondEpoch(TrainFeed order) {
        EpochOrder epochOrder = new EpochOrder(order, 0, 1);
        BatchRows batch = new BatchRows(order.batch());
        int[] positions = new int[order.stepsPerEpoch() * order.batch()];
        for (int step = 0; step < order.stepsPerEpoch(); step++) {
            epochOrder.fill((long) order.stepsPerEpoch() + step, batch);
            for (int i = 0; i < batch.size(); i++) {
                positions[(int) batch.index(i)] = step * order.batch() + i;
            }
        }
        return positions;
    }

    private static TrainFeed pass(int rows, int batch) {
        RequestBuilder request = new RequestBuilder().stratum("all", rows);
        request.mode = EpochMode.PASS;
        request.lanes = 1;
        request.batch = batch;
        request.rows = rows;
        request.epochs = 2;
        return request.plan();
    }

    private static TrainFeed seeded(TrainFeed plan, long seed) {
        return new TrainFeed(
                plan.name(),
                seed,
                plan.lanes(),
                plan.batch(),
                plan.epochs(),
                plan.stepsPerEpoch(),
                plan.mode(),
                plan.order(),
                plan.window(),
                plan.strata(),
                plan.segments());
    }

    /** No rank and no position of its batch leans to a stratum, at any world size. */
    @Test
    void strata_eachPositionOfEachRank_occurByTheirShare() {
        RequestBuilder request = new RequestBuilder();
        request.lanes = 8;
        request.batch = 32;
        request.rows = 32L * 4_000;
        request.stratum("a", 1_000_000).stratum("b", 1_000_000).stratum("c", 1_000_000);
        request.stage("1", "a=0.61", "b=0.3", "c=0.09");
        TrainFeed order = request.plan();
        Segment only = order.segments().get(0);
        double[] shares = only.quotas().stream().mapToDouble(q -> q).toArray();
        for (int world : Worlds.of(order.lanes())) {
            RecordedRun run = new RecordedRun(order, world);
            for (int cell = 0; cell < order.batch(); cell++) {
                int[] counts = new int[shares.length];
                for (int step = 0; step < order.steps(); step++) {
                    counts[run.stratum[run.at(step, 0) + cell]]++;
                }
                // The comb is more even than chance where a batch is small, so only leaning is a failure.
                assertThat(ChiSquare.weighted(counts, shares))
                        .as("world %d, rank %d, position %d", world, cell / run.rowsPerRank, cell % run.rowsPerRank)
                        .isLessThan(MAX_SCORE);
            }
        }
    }

    /** Lanes take turns: over a segment the times at which a rare stratum comes to a lane are spread alike for all lanes. */
    @Test
    void noLaneIsEarlierThanAnotherForAStratum() {
        RequestBuilder request = new RequestBuilder();
        request.lanes = 16;
        request.batch = 16;
        request.rows = 16L * 3_000;
        request.stratum("common", 1_000_000).stratum("rare", 1_000_000).stage("1", "common=29", "rare=1");
        TrainFeed order = request.plan();
        RecordedRun run = new RecordedRun(order, order.lanes());
        int parts = 10;
        int[][] drawn = new int[order.lanes()][parts];
        for (int step = 0; step < order.steps(); step++) {
            for (int lane = 0; lane < order.lanes(); lane++) {
                drawn[lane][(int) ((long) step * parts / order.steps())] += run.stratum[run.at(step, lane)];
            }
        }
        for (int[] lane : drawn) {
            assertThat(Arrays.stream(lane).sum()).isEqualTo(100);
            assertThat(Arrays.stream(lane).min().getAsInt()).isGreaterThanOrEqualTo(8);
            assertThat(Arrays.stream(lane).max().getAsInt()).isLessThanOrEqualTo(12);
        }
    }
}
