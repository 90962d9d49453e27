package io.rankfeed.sampling.plan;

import io.rankfeed.sampling.order.Mix;
import io.rankfeed.sampling.order.Multiplier;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Computes the numbers of a train feed from a request (docs/format/plan.md, sections 3 and 4.1). */
public final class OrderPlanner {
    private static final int SHOWN = 8;

    private final PlanRequest request;
    private final List<PlanRequest.Available> strata;
    private final StageQuotas stageQuotas;
    private final int stepsPerEpoch;

    private OrderPlanner(PlanRequest request) {
        PlanRequestRules.check(request);
        this.request = request;
        this.strata = request.strata().stream()
                .sorted((a, b) -> CanonicalJson.compareCodePoints(a.stratum(), b.stratum()))
                .toList();
        this.stageQuotas = new StageQuotas(request, strata);
        this.stepsPerEpoch = PlanRequestRules.stepsPerEpoch(request);
    }

    /**
     * Plans an order.
     *
     * @throws ConfigException if the request contradicts itself or the table; the message names the stratum or number and what to
     *     do
     */
    public static TrainFeed plan(PlanRequest request) {
        return planned(request).feed();
    }

    /** Plans an order, and reports what was done for strata with too few rows. */
    public static PlannedOrder planned(PlanRequest request) {
        return new OrderPlanner(request).planned();
    }

    private PlannedOrder planned() {
        if (request.mode() != EpochMode.STREAM) {
            return new PlannedOrder(planSingle(), List.of());
        }
        long[] ends = stageEnds();
        List<Piece> stages = Piece.ofStages(ends, stepsPerEpoch);
        List<Segment> segments = segments(stages, null);
        Demand demand = demand(segments);
        Shortages shortages = new Shortages(request, strata);
        List<PlannedOrder.Shortage> reported = List.of();
        if (request.onShortage() == OnShortage.REDISTRIBUTE && demand.firstShortage() != null) {
            long[] caps = Arrays.stream(rowsAvailable())
                    .map(rows -> rows / request.lanes())
                    .toArray();
            List<Piece> pieces = Piece.ofStagesAndEpochs(ends, request.epochs(), stepsPerEpoch);
            List<Segment> redistributed = segments(pieces, caps);
            reported = shortages.moved(stages, segments, pieces, redistributed);
            stages = pieces;
            segments = redistributed;
            demand = demand(segments);
        }
        refuseShortage(demand);
        if (request.onShortage() == OnShortage.REPEAT) {
            reported = shortages.repeated(stages, segments, demand);
        }
        return new PlannedOrder(feed(segments, pools(demand)), reported);
    }

    private long[] stageEnds() {
        List<StageEnd> ends = request.stages().isEmpty()
                ? List.of(new StageEnd.Run())
                : request.stages().stream().map(PlanRequest.Stage::until).toList();
        long[] steps = StageEnd.steps(ends, request.epochs(), stepsPerEpoch, request.batch());
        return request.shares() == Shares.GROWING ? GrowingStages.steps(ends, steps, request.epochs()) : steps;
    }

    private TrainFeed planSingle() {
        long rows = request.rowsPerEpoch();
        PlanRequest.Available only = strata.get(0);
        if (rows > only.rows()) {
            throw new ConfigException("mode " + request.mode().word() + ": each epoch wants " + rows
                    + " rows, the table has " + only.rows() + "; request at most that many");
        }
        List<Segment> segments = segments(Piece.ofEpochs(request.epochs(), stepsPerEpoch), null);
        long pool = request.mode() == EpochMode.PASS ? (long) stepsPerEpoch * request.batch() : rows;
        return feed(segments, new long[] {pool});
    }

    private List<Segment> segments(List<Piece> pieces, long @Nullable [] capsPerEpoch) {
        int rowsPerLane = request.batch() / request.lanes();
        long[] base = new long[strata.size()];
        long[] caps = new long[strata.size()];
        long epoch = -1;
        List<Segment> segments = new ArrayList<>();
        for (Piece piece : pieces) {
            PlanRequestRules.checkLength(piece.steps(), rowsPerLane, request.lanes());
            if (capsPerEpoch != null && piece.epoch() != epoch) {
                caps = capsPerEpoch.clone();
                epoch = piece.epoch();
            } else if (capsPerEpoch == null) {
                Arrays.fill(caps, Long.MAX_VALUE);
            }
            long[] quotas = stageQuotas.of(piece, piece.steps() * rowsPerLane, caps);
            segments.add(segment(piece, quotas, base));
            for (int s = 0; s < quotas.length; s++) {
                base[s] += request.mode() == EpochMode.PADDED ? 0 : quotas[s];
                caps[s] -= quotas[s];
            }
        }
        return segments;
    }

    private Segment segment(Piece piece, long[] quotas, long[] base) {
        long c = request.order() == RowOrder.PLANNED
                ? 0
                : Long.remainderUnsigned(Mix.key(request.seed(), 3, piece.number()), piece.steps());
        return new Segment(
                piece.step(),
                piece.steps(),
                piece.number(),
                Arrays.stream(quotas).boxed().toList(),
                Arrays.stream(base).boxed().toList(),
                Multiplier.choose(piece.steps(), request.lanes()),
                c,
                piece.stage() < 0 ? piece.number() : piece.stage());
    }

    private Demand demand(List<Segment> segments) {
        return new Demand(segments, rowsAvailable(), request.lanes(), request.epochs(), stepsPerEpoch);
    }

    private long[] rowsAvailable() {
        return strata.stream().mapToLong(PlanRequest.Available::rows).toArray();
    }

    private void refuseShortage(Demand demand) {
        for (int s = 0; s < strata.size(); s++) {
            if (demand.rows(s) > 0 && strata.get(s).rows() == 0) {
                throw new ConfigException("stratum '" + strata.get(s).stratum() + "': " + demand.rows(s)
                        + " rows needed, but the table has none; set its weight to 0 or add rows");
            }
        }
        Demand.Shortage shortage = demand.firstShortage();
        if (shortage != null && request.onShortage() != OnShortage.REPEAT) {
            PlanRequest.Available stratum = strata.get(shortage.stratum());
            throw new ConfigException("stratum '" + stratum.stratum() + "': epoch " + shortage.epoch() + " wants "
                    + shortage.wanted() + " rows, the table has " + stratum.rows()
                    + othersShort(demand, shortage.stratum())
                    + "; request fewer rows or a smaller weight, or choose on-shortage: repeat or redistribute");
        }
    }

    private String othersShort(Demand demand, int reported) {
        List<String> others = IntStream.range(0, strata.size())
                .filter(s ->
                        s != reported && demand.largestEpoch(s) > strata.get(s).rows())
                .mapToObj(s -> "'" + strata.get(s).stratum() + "' (" + demand.largestEpoch(s) + " of "
                        + strata.get(s).rows() + ")")
                .toList();
        if (others.isEmpty()) {
            return "";
        }
        return "; short too: " + String.join(", ", others.subList(0, Math.min(SHOWN, others.size())))
                + (others.size() > SHOWN ? " and " + (others.size() - SHOWN) + " more" : "");
    }

    private long[] pools(Demand demand) {
        long[] pools = new long[strata.size()];
        for (int s = 0; s < pools.length; s++) {
            long wanted = demand.rows(s);
            if (request.pool() == PoolSpan.EPOCH) {
                long units = (demand.largestEpoch(s) + request.lanes() - 1) / request.lanes();
                wanted = units * request.lanes();
            }
            pools[s] = Math.min(strata.get(s).rows(), wanted);
        }
        return pools;
    }

    private TrainFeed feed(List<Segment> segments, long[] pools) {
        List<Stratum> planned = new ArrayList<>();
        for (int s = 0; s < pools.length; s++) {
            planned.add(new Stratum(strata.get(s).stratum(), strata.get(s).rows(), pools[s]));
        }
        return new TrainFeed(
                request.feed(),
                request.seed(),
                request.lanes(),
                request.batch(),
                request.epochs(),
                stepsPerEpoch,
                request.mode(),
                request.order(),
                request.balanceWithin() == BalanceWithin.EPOCH ? stepsPerEpoch : 1,
                planned,
                segments);
    }
}
