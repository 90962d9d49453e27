package io.rankfeed.sampling.mixture;

import io.rankfeed.sampling.mixture.MixtureRequest.OnEnd;
import io.rankfeed.sampling.order.Mix;
import io.rankfeed.sampling.order.Multiplier;
import io.rankfeed.sampling.plan.StageEnd;
import io.rankfeed.sampling.plan.quota.Quotas;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.OrderLimits;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.TrainFeed;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Plans one comb over the strata of all members (docs/format/plan.md, section 11). */
public final class MixturePlanner {
    private final MixtureRequest request;
    private final List<MixtureMember> members;
    private final int lanes;
    private final int stepsPerEpoch;
    private final List<List<BigDecimal>> weights;
    /** The units that the own run of each member has. */
    private final long[] capacity;

    private final MemberStages planned;

    private MixturePlanner(MixtureRequest request) {
        if (request.members().isEmpty()) {
            throw new ConfigException("the mixture has no members; name the orders that it is made of");
        }
        this.request = request;
        this.members = request.members().stream()
                .sorted((a, b) -> CanonicalJson.compareCodePoints(a.name(), b.name()))
                .toList();
        this.lanes = members.stream()
                .map(member -> BigInteger.valueOf(member.stored().lanes()))
                .reduce(BigInteger.ZERO, BigInteger::gcd)
                .intValueExact();
        MixtureRequestRules.check(request, lanes);
        this.stepsPerEpoch = MixtureEpoch.steps(request);
        this.capacity =
                members.stream().mapToLong(member -> member.rows() / lanes).toArray();
        this.weights = request.stages().stream()
                .map(stage -> members.stream().map(stage::weight).toList())
                .toList();
        List<StageEnd> ends =
                request.stages().stream().map(MixtureRequest.Stage::end).toList();
        this.planned = MemberStages.of(StageEnd.steps(ends, request.epochs(), stepsPerEpoch, request.batch()), weights);
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
                return planned(segments.get());
            }
        }
        throw new ConfigException("a member has too few rows for the first step of the mixture; lower the batch, or"
                + " choose on-end: repeat or redistribute");
    }

    private PlannedMixture planned(List<Segment> segments) {
        Segment last = segments.get(segments.size() - 1);
        TrainFeed feed = new TrainFeed(
                request.feed(),
                request.seed(),
                lanes,
                request.batch(),
                Math.toIntExact((last.end() - 1) / stepsPerEpoch + 1),
                stepsPerEpoch,
                List.of(),
                EpochMode.STREAM,
                RowOrder.GLOBAL,
                1,
                members.stream().map(MixtureMember::member).toList(),
                segments);
        List<PlannedMixture.Taken> taken = new ArrayList<>();
        int stratum = 0;
        for (MixtureMember member : members) {
            long units = 0;
            for (int s = 0; s < member.strata(); s++, stratum++) {
                units += last.base().get(stratum) + last.quotas().get(stratum);
            }
            taken.add(new PlannedMixture.Taken(member.name(), member.rows(), units * lanes));
        }
        return new PlannedMixture(feed, taken);
    }

    /** The most steps that may take no more rows of a member than it has: each segment is rounded by less than a unit. */
    private long longest(long steps) {
        long segments = request.stages().size()
                + members.stream().mapToLong(member -> member.parts().size()).sum();
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
        for (int m = 0; m < members.size(); m++) {
            BigInteger units = stages.taken(m).multiply(BigInteger.valueOf(rowsPerLane()));
            BigInteger most = BigInteger.valueOf(capacity[m] + segments);
            if (units.compareTo(most.multiply(stages.whole())) > 0) {
                return false;
            }
        }
        return true;
    }

    private int rowsPerLane() {
        return request.batch() / lanes;
    }

    /** The segments of a run; empty where it takes more rows of a member than it has and is to stop before. */
    private Optional<List<Segment>> segments(MemberStages stages) {
        List<MemberShares> shares = new ArrayList<>();
        TreeSet<Long> cuts = new TreeSet<>();
        Arrays.stream(stages.ends()).forEach(cuts::add);
        for (int m = 0; m < members.size(); m++) {
            shares.add(new MemberShares(members.get(m), stages.ends(m, members.get(m))));
            cuts.addAll(shares.get(m).ends());
        }
        cuts.remove(0L);
        long[] left = capacity.clone();
        List<Segment> segments = new ArrayList<>();
        List<Long> base = new ArrayList<>();
        long begin = 0;
        for (long end : cuts) {
            int stage = stages.at(end);
            long[] quotas = quotas(stage, (end - begin) * rowsPerLane(), left);
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
            segments.add(segment(begin, end - begin, segments.size(), strata, base, stage));
            for (int s = 0; s < strata.size(); s++) {
                base.set(s, base.get(s) + strata.get(s));
            }
            begin = end;
        }
        return Optional.of(segments);
    }

    private long[] quotas(int stage, long units, long[] left) {
        if (request.onEnd() != OnEnd.REDISTRIBUTE) {
            return Quotas.apportion(units, weights.get(stage));
        }
        try {
            return Quotas.apportion(units, weights.get(stage), left);
        } catch (ConfigException e) {
            throw new ConfigException(
                    request.where(stage) + "the members together have too few rows (" + e.getMessage() + ", a unit is "
                            + lanes + " rows); request fewer rows or epochs, or choose on-end: repeat or stop",
                    e);
        }
    }

    private Segment segment(long step, long steps, int number, List<Long> quotas, List<Long> base, int stage) {
        if (!OrderLimits.fitsComb(steps, rowsPerLane()) || !OrderLimits.fits(lanes, steps)) {
            throw new ConfigException(request.where(stage) + steps
                    + " steps are too many for 64-bit arithmetic; cut it in two or raise the batch");
        }
        long c = Long.remainderUnsigned(Mix.key(request.seed(), 3, number), steps);
        return new Segment(step, steps, number, quotas, base, Multiplier.choose(steps, lanes), c, stage);
    }
}
