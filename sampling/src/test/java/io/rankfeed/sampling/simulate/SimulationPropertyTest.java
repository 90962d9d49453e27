package io.rankfeed.sampling.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rankfeed.sampling.order.RandomOrders;
import io.rankfeed.sampling.order.RecordedRun;
import io.rankfeed.sampling.plan.RequestBuilder;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.testing.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** What a simulation says against plain counting over the recorded run. */
class SimulationPropertyTest {
    private static final long SEED = Seed.of(SimulationPropertyTest.class);
    private static final int CONFIGURATIONS = Seed.cases(75);

    @Test
    void countsAreThoseOfTheRun() {
        RandomOrders orders = new RandomOrders(SEED);
        for (int i = 0; i < CONFIGURATIONS; i++) {
            TrainFeed order = orders.next();
            RecordedRun run = new RecordedRun(order, 1);
            Simulation simulation = Simulation.of(order, step -> {});
            String where = "configuration " + i + " of seed " + SEED;

            int[][] visits = run.visits(0, (int) order.steps());
            for (int s = 0; s < visits.length; s++) {
                int[] of = visits[s];
                assertThat(simulation.strata().get(s))
                        .as(where)
                        .isEqualTo(new Simulation.Visits(
                                order.strata().get(s).name(),
                                of.length,
                                Arrays.stream(of).sum(),
                                Arrays.stream(of).min().orElse(0),
                                Arrays.stream(of).max().orElse(0),
                                Arrays.stream(of).filter(count -> count == 0).count()));
            }
            for (int epoch = 0; epoch < order.epochs(); epoch++) {
                long seen = Arrays.stream(run.visits(0, (epoch + 1) * order.stepsPerEpoch()))
                        .flatMapToInt(Arrays::stream)
                        .filter(count -> count > 0)
                        .count();
                assertThat(simulation.epochs().get(epoch).seen()).as(where).isEqualTo(seen);
                assertThat(simulation.epochs().get(epoch).together()).as(where).isEqualTo(together(run, epoch));
            }
            assertThat(simulation.leastUnique()).as(where).isEqualTo(leastUnique(run));
            assertThat(simulation.drawn().stream()
                            .flatMap(List::stream)
                            .mapToLong(Long::longValue)
                            .sum())
                    .as(where)
                    .isEqualTo(order.steps() * order.batch());
        }
    }

    @Test
    void pass_fiveEpochs_haveAllRowsInOtherOrders() {
        RequestBuilder request = new RequestBuilder();
        request.rows = 40_000;
        request.batch = 40;
        request.epochs = 5;
        request.mode = EpochMode.PASS;

        Simulation simulation = Simulation.of(request.stratum("all", 50_000).plan(), step -> {});

        assertThat(simulation.strata()).containsExactly(new Simulation.Visits("all", 40_000, 200_000, 5, 5, 0));
        assertThat(simulation.epochs())
                .extracting(Simulation.Epoch::seen)
                .containsOnly(40_000L)
                .hasSize(5);
        // As many draws as rows, twice as many, …, with replacement: 1 - 1/e, 1 - 1/e^2, …
        double[] byChance = {0.632, 0.865, 0.950, 0.982, 0.993};
        for (int e = 0; e < byChance.length; e++) {
            assertThat(simulation.epochs().get(e).seenByChance() / 40_000)
                    .as("epoch %d", e)
                    .isCloseTo(byChance[e], within(0.0005));
        }
        assertThat(simulation.epochs().get(0).correlation()).isEmpty();
        for (Simulation.Epoch later : simulation.epochs().subList(1, 5)) {
            // 4 deviations of a random shuffle's
            assertThat(later.correlation().orElseThrow()).isCloseTo(0, within(4 / Math.sqrt(40_000)));
            assertThat(later.together().orElseThrow()).isCloseTo(39.0 / 39_999, within(2e-4));
        }
        assertThat(simulation.meanUnique()).isEqualTo(1);
    }

    @Test
    void stratumOfOneRow_beginsLater_isCountedFromThen() {
        RequestBuilder request = new RequestBuilder();
        request.lanes = 1;
        request.epochs = 2;
        request.stage("0.5", "common=1", "rare=0").stage("1", "common=79", "rare=1");

        List<Simulation.Epoch> epochs = Simulation.of(
                        request.stratum("common", 400).stratum("rare", 1).plan(), step -> {})
                .epochs();

        // 80, then 159 draws of 159 rows, and the single one.
        assertThat(epochs.get(0).seenByChance()).isCloseTo(159 * (1 - Math.pow(158 / 159.0, 80)), within(1e-9));
        assertThat(epochs.get(1).seenByChance()).isCloseTo(1 + 159 * (1 - Math.pow(158 / 159.0, 159)), within(1e-9));
    }

    @Test
    void plannedOrder_nextEpoch_keepsItsPositions() {
        RequestBuilder request = new RequestBuilder();
        request.rows = 800;
        request.epochs = 2;
        request.mode = EpochMode.PASS;
        request.order = RowOrder.PLANNED;

        Simulation.Epoch second = Simulation.of(request.stratum("all", 800).plan(), step -> {})
                .epochs()
                .get(1);

        assertThat(second.correlation().orElseThrow()).isCloseTo(1, within(1e-9));
        assertThat(second.together()).hasValue(1);
    }

    private static OptionalDouble together(RecordedRun run, int epoch) {
        if (epoch == 0) {
            return OptionalDouble.empty();
        }
        int steps = run.order.stepsPerEpoch();
        Map<List<Long>, Integer> last = new HashMap<>();
        walk(run, (epoch - 1) * steps, epoch * steps, (row, step) -> last.put(row, step));
        long again = 0;
        long pairs = 0;
        for (int step = epoch * steps; step < (epoch + 1) * steps; step++) {
            List<Integer> before = new ArrayList<>();
            HashSet<List<Long>> rows = new HashSet<>();
            walk(run, step, step + 1, (row, at) -> {
                rows.add(row);
                // A row's second draw in an epoch says nothing of the epoch before.
                Integer there = last.remove(row);
                if (there != null) {
                    before.add(there);
                }
            });
            pairs += (long) rows.size() * (rows.size() - 1) / 2;
            for (int i = 0; i < before.size(); i++) {
                for (int j = 0; j < i; j++) {
                    again += before.get(i).equals(before.get(j)) ? 1 : 0;
                }
            }
        }
        return pairs == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) again / pairs);
    }

    private static double leastUnique(RecordedRun run) {
        double min = 1;
        for (int step = 0; step < run.order.steps(); step++) {
            HashSet<List<Long>> rows = new HashSet<>();
            walk(run, step, step + 1, (row, at) -> rows.add(row));
            min = Math.min(min, (double) rows.size() / run.order.batch());
        }
        return min;
    }

    private static void walk(RecordedRun run, int from, int to, BiConsumer<List<Long>, Integer> take) {
        for (int i = from * run.order.batch(); i < to * run.order.batch(); i++) {
            take.accept(List.of((long) run.stratum[i], run.index[i]), i / run.order.batch());
        }
    }
}
