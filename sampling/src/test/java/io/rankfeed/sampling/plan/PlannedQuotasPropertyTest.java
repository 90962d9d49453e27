package io.rankfeed.sampling.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.sampling.order.RandomOrders;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.testing.Seed;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stage ends, quotas and pools against the request, in arithmetic that shares nothing with the planner's. */
class PlannedQuotasPropertyTest {
    private static final long SEED = Seed.of(PlannedQuotasPropertyTest.class);
    private static final int CONFIGURATIONS = Seed.cases(1_250);

    private interface Check {
        void of(PlanRequest request, TrainFeed order);
    }

    @Test
    void stages_anyEnds_endAtTheNearestStepAndCoverTheRun() {
        forEachStream((request, order) -> {
            long at = 0;
            for (Segment segment : order.segments()) {
                assertThat(segment.step()).isEqualTo(at);
                at = segment.end();
                if (mayBeRedistributed(request)) {
                    continue;
                }
                BigDecimal until = ((StageEnd.Fraction)
                                request.stages().get((int) segment.number()).until())
                        .ofRun();
                // 2 * steps <= 2 * f * T + 1 < 2 * steps + 2: the step nearest to f * T, halves up.
                BigDecimal twice =
                        until.multiply(BigDecimal.valueOf(2 * order.steps())).add(BigDecimal.ONE);
                assertThat(BigDecimal.valueOf(2 * segment.end())).isLessThanOrEqualTo(twice);
                assertThat(BigDecimal.valueOf(2 * segment.end() + 2)).isGreaterThan(twice);
            }
            assertThat(at).isEqualTo((long) order.epochs() * order.stepsPerEpoch());
        });
    }

    @Test
    void quotas_anyShares_areFloorOrOneMoreByRemainder() {
        forEachStream((request, order) -> {
            if (mayBeRedistributed(request)) {
                return;
            }
            for (Segment segment : order.segments()) {
                PlanRequest.Stage stage = request.stages().get((int) segment.number());
                List<BigInteger> weights = order.strata().stream()
                        .map(stratum -> stage.weights()
                                .getOrDefault(stratum.name(), BigDecimal.ZERO)
                                .scaleByPowerOfTen(9)
                                .toBigIntegerExact())
                        .toList();
                BigInteger all = weights.stream().reduce(BigInteger.ZERO, BigInteger::add);
                BigInteger units = BigInteger.valueOf(segment.steps() * order.rowsPerLane());
                BigInteger minUp = all;
                BigInteger maxDown = BigInteger.ZERO;
                for (int s = 0; s < weights.size(); s++) {
                    BigInteger share = units.multiply(weights.get(s));
                    BigInteger given = BigInteger.valueOf(segment.quotas().get(s));
                    BigInteger over = given.multiply(all).subtract(share);
                    assertThat(over.abs()).isLessThan(all);
                    BigInteger remainder = share.mod(all);
                    if (over.signum() > 0) {
                        minUp = minUp.min(remainder);
                    } else {
                        maxDown = maxDown.max(remainder);
                    }
                }
                assertThat(minUp).isGreaterThanOrEqualTo(maxDown);
            }
        });
    }

    @Test
    void poolsAreWhatTheRunNeedsOrAllThereIs() {
        forEachStream((request, order) -> {
            for (int s = 0; s < order.strata().size(); s++) {
                Stratum stratum = order.strata().get(s);
                int number = s;
                long draws = order.segments().stream()
                                .mapToLong(segment -> segment.quotas().get(number))
                                .sum()
                        * order.lanes();
                if (request.pool() == PoolSpan.RUN) {
                    assertThat(stratum.rows()).isEqualTo(Math.min(stratum.available(), draws));
                } else {
                    assertThat(stratum.rows()).isLessThanOrEqualTo(Math.min(stratum.available(), draws));
                    assertThat(stratum.rows() > 0).isEqualTo(draws > 0);
                }
            }
        });
    }

    /** Whether the plan may have been made again: one that was is cut at epoch ends and numbered otherwise. */
    private static boolean mayBeRedistributed(PlanRequest request) {
        return request.onShortage() == OnShortage.REDISTRIBUTE;
    }

    private static void forEachStream(Check check) {
        RandomOrders random = new RandomOrders(SEED);
        int planned = 0;
        for (int i = 0; planned < CONFIGURATIONS; i++) {
            PlanRequest request = random.request();
            TrainFeed order;
            try {
                order = OrderPlanner.plan(request);
            } catch (ConfigException refused) {
                continue;
            }
            if (request.mode() != EpochMode.STREAM) {
                continue;
            }
            planned++;
            try {
                check.of(request, order);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + SEED + ", configuration " + i + ": " + order, e);
            }
        }
    }
}
