package io.rankfeed.sampling.mixture;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.sampling.mixture.MixtureRequest.OnEnd;
import io.rankfeed.sampling.plan.OnShortage;
import io.rankfeed.sampling.plan.StageEnd;
import io.rankfeed.sampling.plan.StoredRequests;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.testing.Seed;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Drawn mixtures of drawn plans, of which some end in them. */
class MixturePropertyTest {
    private static final long SEED = Seed.of(MixturePropertyTest.class);
    private static final int CASES = Seed.cases(400);

    private final StoredRequests plans = new StoredRequests(SEED);
    private final SplittableRandom random = new SplittableRandom(SEED);

    @Test
    void mixtures_anyEnd_takeTheirShares() {
        Map<OnEnd, Integer> ended = new HashMap<>();
        for (int i = 0; i < CASES; i++) {
            MixtureRequest request = request();
            for (OnEnd onEnd : OnEnd.values()) {
                Optional<PlannedMixture> planned = planned(request, onEnd);
                if (planned.isPresent()) {
                    check(request, onEnd, planned.get());
                    boolean one = planned.get().taken().stream().anyMatch(taken -> taken.repeated() > 0)
                            || planned.get().feed().steps() < steps(request)
                            || (onEnd == OnEnd.REDISTRIBUTE && !planned.equals(planned(request, OnEnd.REPEAT)));
                    ended.merge(onEnd, one ? 1 : 0, Integer::sum);
                }
            }
        }
        assertThat(ended.values()).allMatch(count -> count > CASES / 40);
    }

    private static long steps(MixtureRequest request) {
        return request.epochs() * (((MixtureRequest.Epoch.Rows) request.epoch()).rows() / request.batch());
    }

    private static void check(MixtureRequest request, OnEnd onEnd, PlannedMixture mixture) {
        long rows = 0;
        for (PlannedMixture.Taken taken : mixture.taken()) {
            rows += taken.taken();
            if (onEnd != OnEnd.REPEAT) {
                assertThat(taken.repeated()).as("%s", request).isZero();
            }
        }
        assertThat(rows).as("%s", request).isEqualTo(mixture.feed().steps() * request.batch());
        if (onEnd == OnEnd.REDISTRIBUTE) {
            return;
        }
        for (Segment segment : mixture.feed().segments()) {
            MixtureRequest.Stage stage = request.stages().get((int) segment.stage());
            long units = segment.steps() * request.batch() / mixture.feed().lanes();
            int stratum = 0;
            for (MixtureMember member : request.members()) {
                long given = 0;
                for (int s = 0; s < member.strata(); s++) {
                    given += segment.quotas().get(stratum++);
                }
                BigDecimal off = BigDecimal.valueOf(given)
                        .multiply(stage.sum())
                        .subtract(BigDecimal.valueOf(units).multiply(stage.weight(member)));
                assertThat(off.abs()).as("%s, %s", member.name(), request).isLessThan(stage.sum());
            }
        }
    }

    private static Optional<PlannedMixture> planned(MixtureRequest request, OnEnd onEnd) {
        try {
            return Optional.of(MixturePlanner.plan(new MixtureRequest(
                    request.feed(),
                    request.seed(),
                    request.batch(),
                    request.epochs(),
                    request.epoch(),
                    onEnd,
                    request.members(),
                    request.stages())));
        } catch (ConfigException refused) {
            assertThat(refused.getMessage()).isNotBlank();
            assertThat(onEnd).as("%s", request).isNotEqualTo(OnEnd.REPEAT);
            return Optional.empty();
        }
    }

    /** Of members of different lanes; stages may end together, have one step, and leave members out. */
    private MixtureRequest request() {
        List<MixtureMember> members = new ArrayList<>();
        int lanes = 0;
        int count = random.nextInt(1, 5);
        while (members.size() < count) {
            StoredRequests.Drawn drawn = plans.next(random.nextBoolean()).on(OnShortage.REPEAT);
            try {
                members.add(
                        new MixtureMember("m" + members.size(), drawn.planned().feed()));
                lanes = gcd(lanes, drawn.stored().lanes());
            } catch (ConfigException refused) {
                assertThat(refused.getMessage()).isNotBlank();
            }
        }
        int batch = lanes * random.nextInt(1, 5);
        int steps = random.nextInt(2, 40);
        List<MixtureRequest.Stage> stages = new ArrayList<>();
        if (random.nextBoolean()) {
            stages.add(new MixtureRequest.Stage(new StageEnd.Step(random.nextInt(1, steps)), weights(count)));
        }
        stages.add(new MixtureRequest.Stage(new StageEnd.Run(), weights(count)));
        MixtureRequest.Epoch epoch = new MixtureRequest.Epoch.Rows((long) batch * steps + random.nextInt(batch));
        return new MixtureRequest(
                "train", random.nextLong() >>> 1, batch, random.nextInt(1, 3), epoch, OnEnd.REPEAT, members, stages);
    }

    private Map<String, BigDecimal> weights(int members) {
        Map<String, BigDecimal> weights = new HashMap<>();
        for (int m = 0; m < members; m++) {
            weights.put("m" + m, BigDecimal.valueOf(random.nextInt(m == 0 ? 1 : 0, 4), 1));
        }
        return weights;
    }

    private static int gcd(int a, int b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
