package io.rankfeed.sampling.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.sampling.plan.quota.Webster;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.testing.Seed;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A stratum's pool is its first rows by hash; so a choice is nested if no pool is smaller where more is asked for, or there. */
class NestedPlansPropertyTest {
    private static final long SEED = Seed.of(NestedPlansPropertyTest.class);
    private static final int CONFIGURATIONS = Seed.cases(1_000);
    private static final int LONGEST_STEPS = 40;

    @Test
    void pool_moreRowsWantedOrAvailable_isNotSmaller() {
        assertThat(shrunk(Shares.GROWING)).isEmpty();
        // Else this could not fail: by largest remainder, and with stages rounded each for itself, some are.
        assertThat(shrunk(Shares.NEAREST)).hasSizeGreaterThan(CONFIGURATIONS / 20);
    }

    /** Configurations of which some pool gets smaller. */
    private static List<String> shrunk(Shares shares) {
        SplittableRandom random = new SplittableRandom(SEED);
        List<String> found = new ArrayList<>();
        int planned = 0;
        for (int i = 0; i < CONFIGURATIONS; i++) {
            RequestBuilder request = request(random, shares);
            int fixed = minSteps(request);
            int steps = fixed + random.nextInt(8);
            long[] before = new long[request.strata.size()];
            for (; steps <= LONGEST_STEPS + fixed; steps += random.nextInt(1, 4)) {
                request.rows = (long) steps * request.batch + random.nextInt(request.batch);
                if (random.nextInt(4) == 0) {
                    int grows = random.nextInt(request.strata.size());
                    PlanRequest.Available stratum = request.strata.get(grows);
                    request.strata.set(
                            grows,
                            new PlanRequest.Available(stratum.stratum(), stratum.rows() + random.nextInt(1, 50)));
                }
                long[] pools = pools(request);
                if (pools.length == 0) {
                    continue;
                }
                planned++;
                if (IntStream.range(0, pools.length).anyMatch(s -> pools[s] < before[s])) {
                    found.add("seed " + SEED + ", configuration " + i + ", steps " + steps + ": "
                            + Arrays.toString(before) + " " + Arrays.toString(pools));
                    break;
                }
                System.arraycopy(pools, 0, before, 0, pools.length);
            }
        }
        assertThat(planned).isGreaterThan(5 * CONFIGURATIONS);
        return found;
    }

    /** None where a stage of so short a run would be empty, which is refused. */
    private static long[] pools(RequestBuilder request) {
        try {
            return request.plan().strata().stream().mapToLong(Stratum::rows).toArray();
        } catch (ConfigException refused) {
            return new long[0];
        }
    }

    /** Of one or several stages, which all go with the run, or are so many steps or rows but for the last. */
    private static RequestBuilder request(SplittableRandom random, Shares shares) {
        RequestBuilder request = new RequestBuilder();
        request.shares = shares;
        request.lanes = random.nextInt(1, 5);
        request.batch = request.lanes * random.nextInt(1, 5);
        request.epochs = random.nextInt(1, 4);
        request.onShortage = OnShortage.REPEAT;
        request.zeroQuota = ZeroQuota.ALLOW;
        int strata = random.nextInt(1, 9);
        for (int s = 0; s < strata; s++) {
            request.stratum("s" + s, random.nextInt(3) == 0 ? random.nextInt(1, 200) : 1_000_000);
        }
        int stages = random.nextInt(1, 5);
        int kind = random.nextInt(3);
        int at = 0;
        for (int i = 0; i < stages; i++) {
            StageEnd end = new StageEnd.Run();
            if (i < stages - 1) {
                at += random.nextInt(1, 200);
                end = switch (kind) {
                    case 0 -> new StageEnd.Fraction(BigDecimal.valueOf(at, 3));
                    case 1 -> new StageEnd.Epoch(BigDecimal.valueOf((long) at * request.epochs, 3));
                    default ->
                        random.nextBoolean()
                                ? new StageEnd.Step(4 * (i + 1) + random.nextInt(3))
                                : new StageEnd.Rows((long) request.batch * random.nextInt(1, 4));
                };
            }
            request.stages.add(new PlanRequest.Stage(end, weights(random, strata), List.of(), Map.of()));
        }
        return request;
    }

    /** Steps that a run must have: where stages count them or their rows, and for each to have one where they are of epochs. */
    private static int minSteps(RequestBuilder request) {
        return request.stages.size() > 1 && !(request.stages.get(0).until() instanceof StageEnd.Fraction) ? 20 : 1;
    }

    private static Map<String, BigDecimal> weights(SplittableRandom random, int strata) {
        Map<String, BigDecimal> weights = new HashMap<>();
        weights.put("s" + random.nextInt(strata), BigDecimal.ONE);
        for (int s = 0; s < strata; s++) {
            if (random.nextInt(4) > 0) {
                weights.put("s" + s, BigDecimal.valueOf(random.nextInt(0, 1000), 2));
            }
        }
        if (weights.values().stream().allMatch(weight -> weight.signum() == 0)) {
            weights.put("s0", BigDecimal.ONE);
        }
        return weights;
    }

    @Test
    void shares_anyWeights_areThoseOfUnitsGivenOneByOne() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 500; i++) {
            List<BigDecimal> weights =
                    new ArrayList<>(weights(random, random.nextInt(1, 12)).values());
            if (weights.stream().allMatch(weight -> weight.signum() == 0)) {
                continue;
            }
            long[] given = new long[weights.size()];
            for (int units = 0; units < 200; units++) {
                assertThat(Webster.apportion(units, weights))
                        .as("%s %s", weights, units)
                        .containsExactly(given);
                assertNearItsWeight(units, weights, given);
                given[furthestBelowShare(weights, given)]++;
            }
        }
    }

    private static int furthestBelowShare(List<BigDecimal> weights, long[] given) {
        int found = 0;
        for (int s = 1; s < given.length; s++) {
            BigDecimal it = weights.get(s).multiply(BigDecimal.valueOf(2 * given[found] + 1));
            BigDecimal other = weights.get(found).multiply(BigDecimal.valueOf(2 * given[s] + 1));
            found = it.compareTo(other) > 0 ? s : found;
        }
        return found;
    }

    /** By at most half a unit and its part of half a unit for each stratum with a weight. */
    private static void assertNearItsWeight(long units, List<BigDecimal> weights, long[] given) {
        double total = weights.stream().mapToDouble(BigDecimal::doubleValue).sum();
        long weighed = weights.stream().filter(weight -> weight.signum() > 0).count();
        for (int s = 0; s < given.length; s++) {
            double part = weights.get(s).doubleValue() / total;
            assertThat(Math.abs(given[s] - units * part)).isLessThanOrEqualTo(0.5 + part * weighed / 2 + 1e-9);
        }
    }

    @Test
    void aShareThatIsAWholeNumberIsGivenExactly() {
        List<BigDecimal> weights = List.of(new BigDecimal("0.3"), new BigDecimal("0.4"), new BigDecimal("0.3"));
        assertThat(Webster.apportion(10_000_000_000L, weights))
                .containsExactly(3_000_000_000L, 4_000_000_000L, 3_000_000_000L);
        TrainFeed order = RequestBuilder.plan(request -> {
            request.shares = Shares.GROWING;
            request.rows = 800;
            request.stratum("a", 9_999).stratum("b", 9_999);
            request.stage("0.3", "a=1", "b=1").stage("0.7", "a=3", "b=1").stage("1", "b=1");
        });
        assertThat(order.segments().stream().map(Segment::step)).containsExactly(0L, 30L, 70L);
    }

    @Test
    void whatCouldMakeAShareLessIsRefused() {
        assertThatThrownBy(() -> growing(new StageEnd.Fraction(new BigDecimal("0.5")), new StageEnd.Step(8)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("end all stages in the same way");
        assertThatThrownBy(() -> RequestBuilder.plan(request -> {
                    request.shares = Shares.GROWING;
                    request.onShortage = OnShortage.REDISTRIBUTE;
                    request.stratum("a", 99).stage("1", "a=1");
                }))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("would reduce some of them");
    }

    private static TrainFeed growing(StageEnd... ends) {
        return RequestBuilder.plan(request -> {
            request.shares = Shares.GROWING;
            request.stratum("a", 99);
            List<StageEnd> all = new ArrayList<>(List.of(ends));
            all.add(new StageEnd.Run());
            all.forEach(end ->
                    request.stages.add(new PlanRequest.Stage(end, Map.of("a", BigDecimal.ONE), List.of(), Map.of())));
        });
    }
}
