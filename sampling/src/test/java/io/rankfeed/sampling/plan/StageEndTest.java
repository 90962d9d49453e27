package io.rankfeed.sampling.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.TrainFeed;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StageEndTest {
    @Test
    void stageEnds_ofMixedKinds_areAccepted() {
        assertThat(ends(4, 25, 8, epoch("0.5"), step(20), rows(83), fraction("0.6"), new StageEnd.Run()))
                .containsExactly(13, 20, 30, 60, 100);
        assertThat(ends(4, 25, 8, epoch("1"), epoch("4"))).containsExactly(25, 100);
        assertThat(ends(4, 25, 8, rows(400), rows(400))).containsExactly(50, 100);
        assertThat(ends(4, 25, 8, step(99), step(100))).containsExactly(99, 100);
        assertThat(ends(1, 10, 8, fraction("0.01"), fraction("1"))).containsExactly(0, 10);
    }

    @Test
    void endsThatDoNotFitAreRefusedWithTheirNumbers() {
        assertRefused("stage 1 would end before step 20, where it begins at step 20", step(20), step(20));
        assertRefused("stage 1 would end before step 25, where it begins at step 50", fraction("0.5"), epoch("1"));
        assertRefused("stage 0 would end before step 101, but the run has 100 steps (4 epochs of 25)", step(101));
        assertRefused("stage 0 would end before step 0", epoch("0.001"));
        assertRefused("stage 0: 7 rows do not fill one batch of 8", rows(7), new StageEnd.Run());
        assertRefused("the last stage ends before step 75, but the run has 100 steps; leave its end out", epoch("3"));
        assertRefused("the last stage ends at 0.5 of the run; it must end at 1", step(3), fraction("0.5"));
        assertRefused("stage 2: until 0.2 must be above 0.3", fraction("0.3"), step(60), fraction("0.2"));
    }

    @Test
    void aPlanDoesNotHangOnHowAStagesEndIsWritten() {
        SplittableRandom random = new SplittableRandom(11);
        for (int i = 0; i < 300; i++) {
            int epochs = random.nextInt(1, 5);
            int stepsPerEpoch = random.nextInt(2, 40);
            int run = epochs * stepsPerEpoch;
            int cut = random.nextInt(1, run);
            BigDecimal fraction = new BigDecimal(cut).divide(new BigDecimal(run), 30, java.math.RoundingMode.HALF_UP);
            BigDecimal epoch =
                    new BigDecimal(cut).divide(new BigDecimal(stepsPerEpoch), 30, java.math.RoundingMode.HALF_UP);
            List<TrainFeed> orders = new ArrayList<>();
            for (StageEnd first : List.of(
                    new StageEnd.Step(cut),
                    new StageEnd.Rows(cut * 8L + random.nextInt(8)),
                    new StageEnd.Fraction(fraction),
                    new StageEnd.Epoch(epoch))) {
                RequestBuilder request = new RequestBuilder();
                request.epochs = epochs;
                request.rows = stepsPerEpoch * 8L;
                request.zeroQuota = ZeroQuota.ALLOW;
                request.stratum("a", 100_000).stratum("b", 100_000);
                request.stage("1", "a=3", "b=1").stage("1", "a=1", "b=4");
                request.stages.replaceAll(stage -> new PlanRequest.Stage(
                        request.stages.indexOf(stage) == 0 ? first : new StageEnd.Run(),
                        stage.weights(),
                        List.of(),
                        stage.bounds()));
                orders.add(request.plan());
            }
            assertThat(orders.get(0).segments().get(1).step()).isEqualTo(cut);
            assertThat(orders).as("seed 11, case %d", i).containsOnly(orders.get(0));
        }
    }

    private static void assertRefused(String message, StageEnd... ends) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ends(4, 25, 8, ends))
                .withMessageContaining(message);
    }

    private static long[] ends(int epochs, int stepsPerEpoch, int batch, StageEnd... ends) {
        return StageEnd.steps(List.of(ends), epochs, stepsPerEpoch, batch);
    }

    private static StageEnd fraction(String until) {
        return new StageEnd.Fraction(new BigDecimal(until));
    }

    private static StageEnd epoch(String until) {
        return new StageEnd.Epoch(new BigDecimal(until));
    }

    private static StageEnd step(long until) {
        return new StageEnd.Step(until);
    }

    private static StageEnd rows(long rows) {
        return new StageEnd.Rows(rows);
    }
}
