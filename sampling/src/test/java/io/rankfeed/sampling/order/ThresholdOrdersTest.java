package io.rankfeed.sampling.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.sampling.plan.RequestBuilder;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs that cross a threshold of the implementation: sequential iteration, a jump to every step, and the page give the same rows. */
class ThresholdOrdersTest {
    private static final long SEED = 63_64;

    @Test
    void sequentialIterationGivesTheRowsOfThePage() {
        for (TrainFeed order : ThresholdOrders.all()) {
            ReferenceOrder reference = new ReferenceOrder(order);
            for (int world : List.of(1, order.lanes())) {
                for (int rank = 0; rank < Math.min(world, 3); rank++) {
                    List<String> run = run(order, rank, world);
                    for (int step = 0; step < run.size(); step++) {
                        assertThat(run.get(step))
                                .as("step %d, rank %d of %d, %s", step, rank, world, order)
                                .isEqualTo(Rows.text(reference.batch(step, rank, world)));
                    }
                }
            }
        }
    }

    @Test
    void jump_toEveryStep_givesTheRowsOfSequentialIteration() {
        for (TrainFeed order : ThresholdOrders.all()) {
            for (int world : Worlds.of(order.lanes())) {
                List<String> run = run(order, world - 1, world);
                EpochOrder jumping = new EpochOrder(order, world - 1, world);
                BatchRows batch = new BatchRows(jumping.rowsPerBatch());
                List<Integer> steps =
                        new ArrayList<>(IntStream.range(0, run.size()).boxed().toList());
                Collections.shuffle(steps, new Random(SEED));
                for (int step : steps) {
                    jumping.fill(step, batch);
                    assertThat(Rows.text(Rows.of(batch)))
                            .as("seed %d, step %d, world %d, %s", SEED, step, world, order)
                            .isEqualTo(run.get(step));
                    assertThat(Rows.text(Rows.batch(order, step, world - 1, world)))
                            .isEqualTo(run.get(step));
                }
            }
        }
    }

    /** The example that was found: 508 rows in 8 lanes, where most lanes alternate between 63 and 64 rows. */
    @Test
    void rows_alternatingTablesAndGrids_areVisitedEquallyOften() {
        TrainFeed order = RequestBuilder.plan(w -> {
            w.lanes = 8;
            w.batch = 8;
            w.rows = 508;
            w.epochs = 8;
            w.stratum("all", 508).stage("1", "all=1");
        });
        int[] visits = new RecordedRun(order, 1).visits(0, (int) order.steps())[0];
        assertThat(order.steps() * order.batch()).isEqualTo(4_032);
        assertThat(IntStream.of(visits).min()).hasValue(7);
        assertThat(IntStream.of(visits).max()).hasValue(8);
    }

    private static List<String> run(TrainFeed order, int rank, int world) {
        EpochOrder straight = new EpochOrder(order, rank, world);
        BatchRows batch = new BatchRows(straight.rowsPerBatch());
        return IntStream.range(0, (int) order.steps())
                .mapToObj(step -> {
                    straight.fill(step, batch);
                    return Rows.text(Rows.of(batch));
                })
                .toList();
    }
}
