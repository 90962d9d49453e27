package io.rankfeed.sampling.mixture;

import io.rankfeed.sampling.mixture.MixtureRequest.OnEnd;
import io.rankfeed.sampling.order.Mix;
import io.rankfeed.sampling.order.Multiplier;
import io.rankfeed.sampling.plan.quota.Quotas;
import io.rankfeed.sampling.plan.StageEnd;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Segment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Plans one comb over the strata of all members (docs/format/order-2.md, section 6). */
public final class MixturePlanner {
    private final MixtureRequest request;
    private final int lanes;
    private final int stepsPerEpoch;
    private final MemberStages planned;

    private MixturePlanner(MixtureRequest request) {
        this.request = request;
        this.lanes = request.members().stream()
                .map(member -> BigInteger.valueOf(member.storedLanes()))
                .reduce(BigInteger.ZERO, BigInteger::gcd)
                .intValueExact();
        if (request.batch() % lanes != 0) {
            throw new ConfigException("batch " + request.batch() + " is not a multiple of " + lanes
                    + ", the greatest common divisor of the members' lanes; take batch "
                    + ((long) request.batch() / lanes + 1) * lanes);
        }
        if (request.rowsPerEpoch() < request.batch()) {
            throw new ConfigException("an epoch of " + request.rowsPerEpoch() + " rows does not fill one batch of "
                    + request.batch() + "; lower the batch or request more rows");
        }
        this.stepsPerEpoch = Math.toIntExact(request.rowsPerEpoch() / request.batch());
        List<StageEnd> ends =
                request.stages().stream().map(MixtureRequest.Stage::end).toList();
        this.planned = MemberStages.of(
                StageEnd.steps(ends, request.epochs(), stepsPerEpoch, request.batch()),
                request.stages().stream().map(MixtureRequest.Stage::weights).toList());
    }

    /** @throws ConfigException if batch, rows and stages do not fit together, or the members have too few rows */
    public static PlannedMixture plan(MixtureRequest request) {
        return new MixturePlanner(request).plan();
    }

    private PlannedMixture plan() {
        long steps = (long) request.epochs() * stepsPerEpoch;
        for (long run = request.onEnd() == OnEnd.STOP ? longest(steps) : steps; run > 0; run--) {
            Optional<List<Segment>> segments = segments(planned.until(run));
            if (segments.isPresent()) {
                int epochs = Math.toIntExact((run - 1) / stepsPerEpoch + 1);
                return new PlannedMixture(lanes, request.batch(), epochs, stepsPerEpoch, segments.get());
            }
        }
        throw new ConfigException("a member has too few rows for the first step of the mixture; lower the batch, or"
                + " choose on-end: repeat or redistribute");
    }

    /** The most steps that may take no more rows of a member than it has: each segment is rounded by less than a unit. */
    private long longest(long steps) {
        long segments = request.stages().size()
                + request.members().stream()
                        .mapToLong(member -> member.parts().size())
                        .sum();
        long low = 0;
        long high = steps;
        while (low < high) {
            long middle = high - (high - low) / 2;
            if (fits(planned.until(middle), segments)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private boolean fits(MemberStages stages, long segments) {
        for (int m = 0; m < request.members().size(); m++) {
            BigInteger units = stages.taken(m).multiply(BigInteger.valueOf(rowsPerLane()));
            BigInteger most = BigInteger.valueOf(capacity(m) + segments);
            if (units.compareTo(most.multiply(stages.whole())) > 0) {
                return false;
            }
        }
        return true;
    }

    private int rowsPerLane() {
        return request.batch() / lanes;
    }

    /** The units that a member's own run has. */
    private long capacity(int member) {
        return request.members().get(member).rows() / lanes;
    }

    /** The segments of a run; empty where it takes more rows of a member than it has and is to stop before. */
    private Optional<List<Segment>> segments(MemberStages stages) {
        List<MixtureMember> members = request.members();
        List<MemberShares> shares = new ArrayList<>();
        TreeSet<Long> cuts = new TreeSet<>();
        Arrays.stream(stages.ends()).forEach(cuts::add);
        for (int m = 0; m < members.size(); m++) {
            shares.add(new MemberShares(members.get(m), stages.ends(m, members.get(m))));
            cuts.addAll(shares.get(m).ends());
        }
        cuts.remove(0L);
        long[] left = new long[members.size()];
        Arrays.setAll(left, this::capacity);
        List<Segment> segments = new ArrayList<>();
        List<Long> base = new ArrayList<>();
        long begin = 0;
        for (long end : cuts) {
            long[] quotas = quotas(stages, end, (end - begin) * rowsPerLane(), left);
            List<Long> strata = new ArrayList<>();
            for (int m = 0; m < quotas.length; m++) {
                left[m] -= quotas[m];
                if (left[m] < 0 && request.onEnd() == OnEnd.STOP) {
                    return Optional.empty();
                }
                for (long quota : shares.get(m).next(begin, quotas[m])) {
                    strata.add(quota);
                }
            }
            if (base.isEmpty()) {
                strata.forEach(quota -> base.add(0L));
            }
            segments.add(segment(begin, end - begin, segments.size(), strata, base));
            for (int s = 0; s < strata.size(); s++) {
                base.set(s, base.get(s) + strata.get(s));
            }
            begin = end;
        }
        return Optional.of(segments);
    }

    private long[] quotas(MemberStages stages, long end, long units, long[] left) {
        int stage = 0;
        while (stages.ends()[stage] < end) {
            stage++;
        }
        List<BigDecimal> weights = request.stages().get(stage).weights();
        return request.onEnd() == OnEnd.REDISTRIBUTE
                ? Quotas.apportion(units, weights, left)
                : Quotas.apportion(units, weights);
    }

    private Segment segment(long step, long steps, int number, List<Long> quotas, List<Long> base) {
        long c = Long.remainderUnsigned(Mix.key(request.seed(), 3, number), steps);
        return new Segment(step, steps, number, quotas, base, Multiplier.choose(steps, lanes), c);
    }
}
