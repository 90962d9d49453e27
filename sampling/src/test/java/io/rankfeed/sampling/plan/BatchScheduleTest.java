package io.rankfeed.sampling.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.sampling.order.GoldenPlans;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Segment;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchScheduleTest {
    private static BatchSchedule.Stage stage(StageEnd end, int batch) {
        return new BatchSchedule.Stage(end, batch);
    }

    @Test
    void stages_goldenPlans_endAsInTheSecondPlanner() {
        int compared = 0;
        for (JsonNode golden : GoldenPlans.cases(GoldenPlans.PLANS)) {
            JsonNode request = golden.get("request");
            if (golden.get("order").has("epochStarts")) {
                List<BatchSchedule.Stage> stages = new ArrayList<>();
                for (JsonNode stage : request.get("stages")) {
                    stages.add(stage(GoldenPlans.end(stage), stage.get("batch").asInt()));
                }
                BatchSchedule schedule = BatchSchedule.of(
                        stages,
                        request.get("epochs").asInt(),
                        request.get("rows").asLong());
                assertThat(schedule.epochStarts())
                        .as("%s", golden)
                        .isEqualTo(GoldenPlans.longs(golden.get("order").get("epochStarts")));
                assertThat(schedule.stageEnds())
                        .as("%s", golden)
                        .isEqualTo(GoldenPlans.segments(golden.get("order")).stream()
                                .map(Segment::end)
                                .toList());
                compared++;
            }
        }
        assertThat(compared).isEqualTo(333);
    }

    /** 100 rows per epoch: two epochs in batches of 8, a half in batches of 16, the rest in batches of 32. */
    @Test
    void stages_growingBatch_endWithEpochsAndRows() {
        BatchSchedule schedule = BatchSchedule.of(
                List.of(
                        stage(new StageEnd.Epoch(BigDecimal.valueOf(2)), 8),
                        stage(new StageEnd.Rows(50), 16),
                        stage(new StageEnd.Run(), 32)),
                4,
                100);
        assertThat(schedule.stageEnds()).containsExactly(24L, 27L, 31L);
        assertThat(schedule.epochStarts()).containsExactly(0L, 12L, 24L, 28L);
    }

    @Test
    void stages_thatDoNotFitTheRun_areRefused() {
        StageEnd run = new StageEnd.Run();
        refused("stage 0: an epoch of 100 rows does not fill one batch of 128", stage(run, 128));
        refused("stage 0 would end after the run of 4 epochs", stage(new StageEnd.Rows(1000), 8), stage(run, 16));
        refused("stage 0 has no step", stage(new StageEnd.Rows(7), 8), stage(run, 16));
        refused("stage 1 has no step", stage(run, 8), stage(run, 16));
        refused("stage 0 ends before a step", stage(new StageEnd.Step(3), 8), stage(run, 16));
        refused(
                "the last stage ends before step 12 in epoch 1, but the run has 4 epochs",
                stage(new StageEnd.Epoch(BigDecimal.ONE), 8));
    }

    private static void refused(String message, BatchSchedule.Stage... stages) {
        assertThatThrownBy(() -> BatchSchedule.of(List.of(stages), 4, 100))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }
}
