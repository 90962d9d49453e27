package io.rankfeed.sampling.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.sampling.order.EpochOrder;
import io.rankfeed.sampling.order.RandomOrders;
import io.rankfeed.sampling.plan.quota.Margin;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.TrainFeed;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The reported shortages, compared with counts of the rows that are drawn. */
class ShortagesTest {
    /** The published table: what there is of each difficulty, half of it correct. */
    private static final Map<String, Long> CODE_CONTESTS = Map.of("low", 600_000L, "med", 2_400_000L, "high", 77_000L);

    @Test
    void repeatedRowsAreCountedInTheirStageAndEpoch() {
        RandomOrders orders = new RandomOrders(91);
        int reported = 0;
        for (int i = 0; i < 1_500; i++) {
            PlanRequest request = orders.request();
            if (request.onShortage() != OnShortage.REPEAT || request.mode() != EpochMode.STREAM) {
                continue;
            }
            PlannedOrder planned;
            try {
                planned = OrderPlanner.planned(request);
            } catch (ConfigException refused) {
                continue;
            }
            Map<String, Long> expected = repeatedByCounting(planned.feed());
            Map<String, Long> found = new HashMap<>();
            for (PlannedOrder.Shortage shortage : planned.shortages()) {
                found.put(shortage.stage() + " " + shortage.stratum(), shortage.repeated());
                assertThat(shortage.taken()).isEqualTo(shortage.wanted()).isGreaterThanOrEqualTo(shortage.repeated());
            }
            assertThat(found).as("seed 91, case %d", i).isEqualTo(expected);
            reported += found.size();
        }
        assertThat(reported).isGreaterThan(1_000);
    }

    @Test
    void movedRows_ofStages_areWhatStrataGave() {
        RandomOrders orders = new RandomOrders(92);
        int reported = 0;
        for (int i = 0; i < 3_000; i++) {
            PlanRequest request = orders.request();
            if (request.onShortage() != OnShortage.REDISTRIBUTE || request.mode() != EpochMode.STREAM) {
                continue;
            }
            PlannedOrder planned;
            try {
                planned = OrderPlanner.planned(request);
            } catch (ConfigException refused) {
                continue;
            }
            Map<Integer, Long> moved = new HashMap<>();
            for (PlannedOrder.Shortage shortage : planned.shortages()) {
                assertThat(shortage.taken()).isNotEqualTo(shortage.wanted());
                assertThat(shortage.repeated()).isZero();
                moved.merge(shortage.stage(), shortage.taken() - shortage.wanted(), Long::sum);
            }
            assertThat(moved.values()).as("seed 92, case %d", i).allMatch(sum -> sum == 0);
            reported += planned.shortages().size();
            // Cut at epoch ends or not, a segment says of which stage it is.
            if (request.seed() < 0) {
                continue;
            }
            TrainFeed feed = planned.feed();
            for (Segment segment : feed.segments()) {
                long epoch = segment.step() / feed.stepsPerEpoch();
                long cut = segment.stage() * feed.epochs() + epoch;
                assertThat(segment.number())
                        .as("seed 92, case %d", i)
                        .isIn(planned.shortages().isEmpty() ? segment.stage() : cut, cut);
            }
        }
        assertThat(reported).isGreaterThan(300);
    }

    @Test
    void codeContests_tooFewHighRows_keepsHalfCorrect() {
        RequestBuilder request = codeContests(OnShortage.REDISTRIBUTE);
        PlannedOrder planned = OrderPlanner.planned(request.build());
        TrainFeed order = planned.feed();
        for (Segment segment : order.segments()) {
            List<Long> quotas = segment.quotas();
            // false/high, false/low, false/med, true/…: half of every stretch is correct, to the row.
            assertThat(quotas.get(0) + quotas.get(1) + quotas.get(2))
                    .isEqualTo(quotas.get(3) + quotas.get(4) + quotas.get(5));
        }
        assertThat(planned.shortages())
                .containsExactly(
                        new PlannedOrder.Shortage(2, "false/high", 40_000, 38_500, 38_496, 0),
                        new PlannedOrder.Shortage(2, "false/low", 10_000, 300_000, 10_248, 0),
                        new PlannedOrder.Shortage(2, "false/med", 50_000, 1_200_000, 51_256, 0),
                        new PlannedOrder.Shortage(2, "true/high", 40_000, 38_500, 38_496, 0),
                        new PlannedOrder.Shortage(2, "true/low", 10_000, 300_000, 10_248, 0),
                        new PlannedOrder.Shortage(2, "true/med", 50_000, 1_200_000, 51_256, 0));
    }

    @Test
    void codeContestsMayRepeatTheHighRowsThatLack() {
        assertThat(OrderPlanner.planned(codeContests(OnShortage.REPEAT).build()).shortages())
                .containsExactly(
                        new PlannedOrder.Shortage(2, "false/high", 40_000, 38_500, 40_000, 1_500),
                        new PlannedOrder.Shortage(2, "true/high", 40_000, 38_500, 40_000, 1_500));
    }

    /** Three epochs of 200,000 rows, one stage each, as the curriculum has them; the last wants 40 % high. */
    private static RequestBuilder codeContests(OnShortage onShortage) {
        RequestBuilder request = new RequestBuilder();
        request.lanes = 8;
        request.batch = 64;
        request.epochs = 3;
        request.rows = 200_000;
        request.onShortage = onShortage;
        Map<String, String> correct = new HashMap<>();
        for (String value : List.of("false", "true")) {
            CODE_CONTESTS.forEach((difficulty, rows) -> {
                request.stratum(value + "/" + difficulty, rows / 2);
                correct.put(value + "/" + difficulty, value);
            });
        }
        Margin half = new Margin("is_correct", correct, Map.of("false", BigDecimal.ONE, "true", BigDecimal.ONE));
        int[][] weights = {{70, 30, 0}, {30, 60, 10}, {10, 50, 40}};
        for (int i = 0; i < 3; i++) {
            int[] ofStage = weights[i];
            Map<String, BigDecimal> shares = new LinkedHashMap<>();
            correct.keySet()
                    .forEach(name -> shares.put(
                            name,
                            BigDecimal.valueOf(ofStage[name.endsWith("low") ? 0 : name.endsWith("med") ? 1 : 2])));
            request.stages.add(new PlanRequest.Stage(
                    new StageEnd.Epoch(BigDecimal.valueOf(i + 1L)), shares, List.of(half), Map.of()));
        }
        return request;
    }

    private static Map<String, Long> repeatedByCounting(TrainFeed order) {
        Map<String, Long> repeated = new HashMap<>();
        long[] drawn = new long[order.strata().size()];
        BatchRows batch = new BatchRows(order.batch());
        EpochOrder epochOrder = new EpochOrder(order, 0, 1);
        for (long step = 0; step < order.steps(); step++) {
            if (step % order.stepsPerEpoch() == 0) {
                drawn = new long[drawn.length];
            }
            epochOrder.fill(step, batch);
            long stage = order.segmentAt(step).number();
            for (int i = 0; i < batch.size(); i++) {
                int s = batch.stratum(i);
                drawn[s]++;
                if (drawn[s] > order.strata().get(s).available()) {
                    repeated.merge(stage + " " + order.strata().get(s).name(), 1L, Long::sum);
                }
            }
        }
        return repeated;
    }
}
