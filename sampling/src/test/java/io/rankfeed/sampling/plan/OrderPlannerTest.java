package io.rankfeed.sampling.plan;

import static io.rankfeed.sampling.plan.RequestBuilder.assertRefused;
import static io.rankfeed.sampling.plan.RequestBuilder.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rankfeed.sampling.order.EpochOrder;
import io.rankfeed.sampling.plan.quota.Quotas;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class OrderPlannerTest {
    @Test
    void units_ofRemainders_goToTheLargestAndTiesToTheFirst() {
        assertThat(Quotas.apportion(8, weights("30", "60", "10"))).containsExactly(2, 5, 1);
        assertThat(Quotas.apportion(1, weights("1", "1", "1"))).containsExactly(1, 0, 0);
        assertThat(Quotas.apportion(5, weights("0.1", "0.1"))).containsExactly(3, 2);
        // A third is not a binary fraction: exact arithmetic keeps the tie a tie.
        assertThat(Quotas.apportion(
                        10, weights("0.333333333333333333333", "0.333333333333333333333", "0.333333333333333333333")))
                .containsExactly(4, 3, 3);
    }

    @Test
    void strataAreNumberedByTheBytesOfTheirNames() {
        TrainFeed order = plan(w -> {
            w.rows = 240;
            w.stratum("\uFF5E", 100).stratum("\uD83D\uDE00", 100).stratum("a", 100);
            w.stage("1", "a=1", "\uFF5E=1", "\uD83D\uDE00=1");
        });
        assertThat(order.strata()).extracting(Stratum::name).containsExactly("a", "\uFF5E", "\uD83D\uDE00");
    }

    @Test
    void stages_betweenSteps_endAtTheNearestAndEmptyOnesCount() {
        TrainFeed order = plan(w -> {
            w.stratum("a", 500);
            w.stage("0.04", "a=1").stage("0.25", "a=1").stage("1", "a=1");
        });
        assertThat(order.segments()).extracting(Segment::step).containsExactly(0L, 3L);
        assertThat(order.segments()).extracting(Segment::number).containsExactly(1L, 2L);
    }

    @Test
    void pool_ofRunOrEpoch_coversAllEpochsOrOne() {
        Consumer<RequestBuilder> three = w -> {
            w.epochs = 3;
            w.stratum("a", 1000).stratum("b", 1000).stage("1", "a=1", "b=3");
        };
        assertThat(plan(three).strata()).extracting(Stratum::rows).containsExactly(60L, 180L);
        TrainFeed epoch = plan(three.andThen(w -> w.pool = PoolSpan.EPOCH));
        assertThat(epoch.strata()).extracting(Stratum::rows).containsExactly(20L, 60L);
        TrainFeed all = plan(three.andThen(w -> w.pool = PoolSpan.ALL));
        assertThat(all.strata()).extracting(Stratum::rows).containsExactly(1000L, 1000L);
        assertThat(all.segments()).isEqualTo(plan(three).segments());
    }

    @Test
    void aNewPassInALaterEpochIsNoShortage() {
        TrainFeed order = plan(w -> {
            w.epochs = 3;
            w.stratum("a", 21).stratum("b", 1000).stage("1", "a=1", "b=3");
        });
        assertThat(order.strata()).extracting(Stratum::rows).containsExactly(21L, 180L);
    }

    @Test
    void aShortageNamesStratumEpochAndCounts() {
        Consumer<RequestBuilder> scarce = w -> {
            w.stratum("a", 19).stratum("b", 1000).stage("1", "a=1", "b=3");
        };
        assertRefused(scarce, "stratum 'a': epoch 0 wants 20 rows, the table has 19", "on-shortage");
        TrainFeed repeated = plan(scarce.andThen(w -> w.onShortage = OnShortage.REPEAT));
        assertThat(repeated.strata().get(0).rows()).isEqualTo(19);
    }

    @Test
    void redistribute_shortage_givesAllRowsAndFillsUpByWeight() {
        TrainFeed order = plan(w -> {
            w.epochs = 2;
            w.onShortage = OnShortage.REDISTRIBUTE;
            w.stratum("a", 10).stratum("b", 1000).stratum("c", 1000).stage("1", "a=2", "b=1", "c=1");
        });
        assertThat(order.segments())
                .extracting(Segment::quotas)
                .containsExactly(List.of(2L, 9L, 9L), List.of(2L, 9L, 9L));
        assertThat(order.segments()).extracting(Segment::number).containsExactly(0L, 1L);
        assertThat(order.strata()).extracting(Stratum::rows).containsExactly(10L, 72L, 72L);
    }

    @Test
    void redistribute_noShortage_changesNothing() {
        Consumer<RequestBuilder> plenty = w -> {
            w.epochs = 2;
            w.stratum("a", 1000).stratum("b", 1000).stage("1", "a=2", "b=1");
        };
        assertThat(plan(plenty.andThen(w -> w.onShortage = OnShortage.REDISTRIBUTE)))
                .isEqualTo(plan(plenty));
    }

    @Test
    void redistribute_tooFewRowsInAll_isRefused() {
        assertRefused(
                w -> {
                    w.onShortage = OnShortage.REDISTRIBUTE;
                    w.stratum("a", 10).stratum("b", 30).stage("1", "a=2", "b=1");
                },
                "stage 0, epoch 0",
                "fewer rows");
    }

    @Test
    void paddedRoundsUpAndPassDown() {
        Consumer<RequestBuilder> plain = w -> {
            w.rows = 83;
            w.stratum("all", 90);
        };
        TrainFeed pass = plan(plain.andThen(w -> w.mode = EpochMode.PASS));
        assertThat(pass.stepsPerEpoch()).isEqualTo(10);
        assertThat(pass.strata().get(0).rows()).isEqualTo(80);
        TrainFeed all = plan(plain.andThen(w -> {
            w.mode = EpochMode.PASS;
            w.pool = PoolSpan.ALL;
        }));
        assertThat(all.stepsPerEpoch()).isEqualTo(10);
        assertThat(all.strata().get(0).rows()).isEqualTo(90);
        TrainFeed padded = plan(plain.andThen(w -> w.mode = EpochMode.PADDED));
        assertThat(padded.stepsPerEpoch()).isEqualTo(11);
        assertThat(padded.strata().get(0).rows()).isEqualTo(83);
    }

    @Test
    void whatCannotBePlannedIsRefusedWithWhatToDo() {
        assertRefused(one(w -> w.batch = 10), "batch 10 is not a multiple of lanes 4", "batch 12 or lanes 2");
        assertRefused(one(w -> w.lanes = 0), "lanes 0");
        assertRefused(one(w -> w.batch = 0), "batch 0");
        assertRefused(one(w -> w.epochs = 0), "epochs 0");
        assertRefused(one(w -> w.rows = 7), "an epoch of 7 rows does not fill one batch of 8", "lower the batch");
        assertRefused(one(w -> w.rows = Long.MAX_VALUE), "too many steps");
        assertRefused(one(w -> w.mode = EpochMode.PASS), "mode pass", "1 stages", "mode: stream");
        assertRefused(one(w -> w.stages.clear()).andThen(w -> w.stratum("b", 9)), "no weights");
        assertRefused(one(w -> w.stratum("a", 9)), "'a' is listed twice");
        assertRefused(w -> {}, "no stratum");
        assertRefused(
                one(w -> {
                    w.order = RowOrder.PLANNED;
                    w.within = BalanceWithin.EPOCH;
                }),
                "planned",
                "balance-within: batch");
        assertRefused(
                w -> {
                    w.mode = EpochMode.PASS;
                    w.stratum("all", 79);
                },
                "wants 80 rows, the table has 79");
    }

    @Test
    void stagesThatDoNotFitAreRefused() {
        assertRefused(one(w -> w.stage("1", "a=1")), "stage 1: until 1 must be above 1");
        assertRefused(w -> w.stratum("a", 99).stage("0.5", "a=1"), "ends at 0.5", "must end at 1");
        assertRefused(w -> w.stratum("a", 99).stage("1.5", "a=1"), "stage 0: until 1.5", "at most 1");
        assertRefused(w -> w.stratum("a", 99).stage("0", "a=1"), "stage 0: until 0 must be above 0");
        assertRefused(w -> w.stratum("a", 99).stage("1", "a=0"), "stage 0: all weights are 0");
        assertRefused(w -> w.stratum("a", 99).stage("1", "a=-1"), "stage 0: weight -1 of 'a' is negative");
        assertRefused(w -> w.stratum("a", 99).stage("1", "b=1"), "stage 0: unknown stratum 'b'", "[a]");
        assertRefused(w -> w.stratum("a", 99).stage("1", "a=1e-999999999"), "more than 100 digits");
    }

    @Test
    void share_belowAUnit_isRefusedUnlessAllowed() {
        Consumer<RequestBuilder> rare =
                w -> w.stratum("a", 99).stratum("b", 999).stage("1", "a=1", "b=999");
        assertRefused(rare, "stage 0: the share of stratum 'a' is under one unit of 4 rows", "weight 1 of 1000");
        TrainFeed order = plan(rare.andThen(w -> w.zeroQuota = ZeroQuota.ALLOW));
        assertThat(order.strata().get(0).rows()).isZero();
        assertThat(order.segments().get(0).quotas()).containsExactly(0L, 20L);
    }

    @Test
    void emptyStratum_repeatAllowed_isRefused() {
        assertRefused(
                w -> {
                    w.onShortage = OnShortage.REPEAT;
                    w.stratum("a", 0).stratum("b", 999).stage("1", "a=1", "b=1");
                },
                "stratum 'a': 40 rows needed, but the table has none");
    }

    @Test
    void world_notADivisorOfLanes_isRefusedWithTheDivisors() {
        TrainFeed order = plan(one(w -> {}));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> new EpochOrder(order, 0, 3))
                .withMessageContaining("world size 3 does not divide the plan's 4 lanes")
                .withMessageContaining("[1, 2, 4]");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> new EpochOrder(order, 2, 2))
                .withMessageContaining("rank 2");
    }

    private static Consumer<RequestBuilder> one(Consumer<RequestBuilder> change) {
        Consumer<RequestBuilder> plain = w -> w.stratum("a", 99).stage("1", "a=1");
        return plain.andThen(change);
    }

    private static List<BigDecimal> weights(String... weights) {
        return Arrays.stream(weights).map(BigDecimal::new).toList();
    }
}
