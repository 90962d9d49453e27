package io.rankfeed.sampling.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Drawn plans over stored lists, compared with counts that share nothing with the planner. */
class StoredPlansPropertyTest {
    private static final long SEED = Seed.of(StoredPlansPropertyTest.class);
    private static final int CASES = Seed.cases(1_000);

    /** Refused if and only if an epoch needs more rows than are stored, with the batch of the feed and with batches by stage. */
    @Test
    void shortage_anyPlan_isWhatItsEpochsDraw() {
        int refused = 0;
        int planned = 0;
        for (StoredRequests.Drawn drawn : drawn(EpochMode.STREAM)) {
            Optional<PlannedOrder> repeated = planned(drawn.on(OnShortage.REPEAT));
            if (repeated.isEmpty()) {
                continue;
            }
            TrainFeed order = repeated.get().feed();
            long[] repeats = repeats(order);
            long[] reported = new long[repeats.length];
            for (PlannedOrder.Shortage shortage : repeated.get().shortages()) {
                reported[names(order).indexOf(shortage.stratum())] += shortage.repeated();
            }
            assertThat(reported).as("%s", drawn).isEqualTo(repeats);
            Optional<PlannedOrder> exact = planned(drawn.on(OnShortage.ERROR));
            if (sum(repeats) > 0) {
                assertThat(exact).as("%s", drawn).isEmpty();
                refused++;
            } else {
                assertThat(exact.map(PlannedOrder::feed)).as("%s", drawn).contains(order);
                planned++;
            }
            planned(drawn.on(OnShortage.REDISTRIBUTE)).ifPresent(moved -> assertThat(sum(repeats(moved.feed())))
                    .as("%s", drawn)
                    .isZero());
        }
        assertThat(refused).isGreaterThan(CASES / 20);
        assertThat(planned).isGreaterThan(CASES / 20);
    }

    private static List<String> names(TrainFeed order) {
        return order.strata().stream().map(Stratum::name).toList();
    }

    private static long[] repeats(TrainFeed order) {
        long[] repeats = new long[order.strata().size()];
        for (long[] ofEpoch : StoredRequests.need(order)) {
            for (int s = 0; s < repeats.length; s++) {
                repeats[s] += Math.max(0, ofEpoch[s] - order.strata().get(s).rows());
            }
        }
        return repeats;
    }

    private static long sum(long[] numbers) {
        long sum = 0;
        for (long number : numbers) {
            sum += number;
        }
        return sum;
    }

    /** An epoch of a pass has as many batches as fit into the rows wanted and into whole turns of the stored lanes. */
    @Test
    void pass_anyStorage_takesAllBatchesThatFit() {
        int passes = 0;
        for (StoredRequests.Drawn drawn : drawn(EpochMode.PASS)) {
            Optional<PlannedOrder> planned = planned(drawn);
            PlanRequest request = drawn.request();
            long stored = request.strata().get(0).rows();
            long most = Math.min(
                    request.rowsPerEpoch(), stored - stored % drawn.stored().lanes());
            assertThat(planned.isPresent()).as("%s", drawn).isEqualTo(most >= request.batch());
            if (planned.isPresent()) {
                long epoch = (long) planned.get().feed().stepsPerEpoch() * request.batch();
                assertThat(epoch).as("%s", drawn).isLessThanOrEqualTo(most).isGreaterThan(most - request.batch());
                assertThat(planned.get().feed().strata().get(0).rows()).isEqualTo(stored);
                passes++;
            }
        }
        assertThat(passes).isGreaterThan(CASES / 50);
    }

    /** What a stage's batch is where all have the same: the feed's. */
    @Test
    void batch_equalInAllStages_isTheFeeds() {
        for (StoredRequests.Drawn drawn : drawn(EpochMode.STREAM)) {
            PlanRequest request = drawn.request();
            List<PlanRequest.Stage> stages = new ArrayList<>();
            request.stages()
                    .forEach(stage -> stages.add(new PlanRequest.Stage(
                            stage.until(),
                            stage.weights(),
                            stage.margins(),
                            stage.bounds(),
                            OptionalInt.of(request.batch()))));
            PlanRequest equal = request.joined(request.strata(), stages);
            List<PlanRequest.Stage> none = new ArrayList<>();
            stages.forEach(stage ->
                    none.add(new PlanRequest.Stage(stage.until(), stage.weights(), stage.margins(), stage.bounds())));
            PlanRequest plain = request.joined(request.strata(), none);
            assertThat(planned(new StoredRequests.Drawn(equal, drawn.stored())))
                    .as("%s", drawn)
                    .isEqualTo(planned(new StoredRequests.Drawn(plain, drawn.stored())));
        }
    }

    /** Format 1 and 2 have the same segments, as one arithmetic makes both. */
    @Test
    void segments_ofStoredPools_areThoseOfTheTable() {
        for (StoredRequests.Drawn drawn : drawn(EpochMode.STREAM)) {
            if (drawn.request().batches().stream().distinct().count() > 1) {
                continue;
            }
            Optional<List<Segment>> ofTable =
                    refusable(() -> OrderPlanner.plan(drawn.request()).segments());
            assertThat(planned(drawn).map(planned -> planned.feed().segments()))
                    .as("%s", drawn)
                    .isEqualTo(ofTable);
        }
    }

    /** The smallest of everything, and one more or less of it. */
    @Test
    void boundaries_ofLanesRowsBatchesAndEpochs_arePlanned() {
        for (int lanes : new int[] {1, 2, 12}) {
            for (int batch : new int[] {lanes, 12}) {
                for (int rows : new int[] {12, 13, 24}) {
                    TrainFeed order = plan(w -> {
                        w.lanes = lanes;
                        w.batch = batch;
                        w.rows = rows;
                        w.epochs = 1 + rows % 2;
                        w.stratum("a", rows).stage("1", "a=1");
                    });
                    assertThat(order.steps()).isEqualTo((1L + rows % 2) * (rows / batch));
                    assertThat(repeats(order)).containsExactly(0);
                }
            }
        }
        TrainFeed single = plan(w -> {
            w.lanes = 1;
            w.batch = 3;
            w.rows = 3;
            w.stratum("a", 1).stratum("b", 1).stratum("c", 1).stratum("none", 0);
            w.stage("0.5", "a=1", "b=1", "c=1", "none=0").stage("1", "a=1", "b=1", "c=1");
        });
        assertThat(single.segments()).singleElement().satisfies(segment -> assertThat(segment.quotas())
                .containsExactly(1L, 1L, 1L, 0L));
    }

    private static TrainFeed plan(Consumer<RequestBuilder> change) {
        RequestBuilder request = new RequestBuilder();
        change.accept(request);
        StoredLists stored = new StoredLists(StoredRequests.SOURCE, 12, false, true, false);
        return OrderPlanner.planned(request.build(), stored).feed();
    }

    private static List<StoredRequests.Drawn> drawn(EpochMode mode) {
        StoredRequests requests = new StoredRequests(SEED);
        List<StoredRequests.Drawn> drawn = new ArrayList<>();
        for (int i = 0; i < CASES; i++) {
            StoredRequests.Drawn next = requests.next(mode == EpochMode.STREAM && i % 2 == 0);
            if (next.request().mode() == mode) {
                drawn.add(next);
            }
        }
        return drawn;
    }

    private static Optional<PlannedOrder> planned(StoredRequests.Drawn drawn) {
        return refusable(drawn::planned);
    }

    private static <T> Optional<T> refusable(Supplier<T> plan) {
        try {
            return Optional.of(plan.get());
        } catch (ConfigException refused) {
            assertThat(refused.getMessage()).isNotBlank();
            return Optional.empty();
        }
    }
}
