package io.rankfeed.sampling.plan;

import io.rankfeed.sampling.order.Mix;
import io.rankfeed.sampling.order.Multiplier;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Computes the numbers of a train feed from a request (docs/format/plan.md, sections 3 and 4.1). */
public final class OrderPlanner {
    private final PlanRequest request;
    private final @Nullable StoredLists stored;
    private final List<PlanRequest.Available> strata;
    private final StageQuotas stageQuotas;
    private final TooFewRows tooFewRows;
    private final RunSteps run;

    private OrderPlanner(PlanRequest request, @Nullable StoredLists stored) {
        PlanRequestRules.check(request);
        if (stored != null) {
            stored.check(request);
        }
        this.request = request;
        this.stored = stored;
        this.strata = request.strata().stream()
                .sorted((a, b) -> CanonicalJson.compareCodePoints(a.stratum(), b.stratum()))
                .toList();
        this.stageQuotas = new StageQuotas(request, strata);
        this.tooFewRows = new TooFewRows(request, strata, stored);
        if (request.mode() != EpochMode.STREAM) {
            tooFewRows.checkEpoch();
        }
        this.run = RunSteps.of(request, stored);
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
        return new OrderPlanner(request, null).planned();
    }

    /**
     * Plans an order over the lists of a version, whose rows the strata of the request have.
     *
     * @throws ConfigException also if the version stores too few rows, or not in this order; the message says what it lacks
     */
    public static PlannedOrder planned(PlanRequest request, StoredLists stored) {
        return new OrderPlanner(request, stored).planned();
    }

    private PlannedOrder planned() {
        if (request.mode() != EpochMode.STREAM) {
            return new PlannedOrder(feed(segments(run.byEpoch(), null), new long[] {poolOfEpochs()}), List.of());
        }
        List<Piece> stages = run.byStage();
        List<Segment> segments = segments(stages, null);
        Demand demand = demand(segments);
        Shortages shortages = new Shortages(request, strata);
        List<PlannedOrder.Shortage> reported = List.of();
        if (request.onShortage() == OnShortage.REDISTRIBUTE && demand.firstShortage() != null) {
            long[] caps = Arrays.stream(rowsAvailable())
                    .map(rows -> rows / request.lanes())
                    .toArray();
            List<Piece> pieces = run.byStageAndEpoch();
            List<Segment> redistributed = segments(pieces, caps);
            reported = shortages.moved(stages, segments, pieces, redistributed);
            stages = pieces;
            segments = redistributed;
            demand = demand(segments);
        }
        tooFewRows.check(demand);
        if (request.onShortage() == OnShortage.REPEAT) {
            reported = shortages.repeated(stages, segments, demand);
        }
        return new PlannedOrder(feed(segments, pools(demand)), reported);
    }

    private List<Segment> segments(List<Piece> pieces, long @Nullable [] capsPerEpoch) {
        long[] base = new long[strata.size()];
        long[] caps = new long[strata.size()];
        long epoch = -1;
        List<Segment> segments = new ArrayList<>();
        for (Piece piece : pieces) {
            PlanRequestRules.checkLength(piece, request.lanes());
            if (capsPerEpoch != null && piece.epoch() != epoch) {
                caps = capsPerEpoch.clone();
                epoch = piece.epoch();
            } else if (capsPerEpoch == null) {
                Arrays.fill(caps, Long.MAX_VALUE);
            }
            long[] quotas = stageQuotas.of(piece, piece.units(request.lanes()), caps);
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
                piece.stage() < 0 ? piece.number() : piece.stage(),
                piece.batch() == run.batch() ? OptionalInt.empty() : OptionalInt.of(piece.batch()));
    }

    private Demand demand(List<Segment> segments) {
        return new Demand(segments, rowsAvailable(), request.lanes(), run);
    }

    private long[] rowsAvailable() {
        return strata.stream().mapToLong(PlanRequest.Available::rows).toArray();
    }

    private long poolOfEpochs() {
        if (request.mode() == EpochMode.PADDED) {
            return request.rowsPerEpoch();
        }
        return request.pool() == PoolSpan.ALL ? strata.get(0).rows() : (long) run.stepsPerEpoch() * run.batch();
    }

    private long[] pools(Demand demand) {
        if (request.pool() == PoolSpan.ALL) {
            return rowsAvailable();
        }
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
            PlanRequest.Available of = strata.get(s);
            planned.add(new Stratum(of.stratum(), of.rows(), stored == null ? pools[s] : of.rows()));
        }
        return new TrainFeed(
                request.feed(),
                request.seed(),
                request.lanes(),
                run.batch(),
                run.epochs(),
                run.stepsPerEpoch(),
                run.epochStarts(),
                request.mode(),
                request.order(),
                request.balanceWithin() == BalanceWithin.EPOCH ? run.stepsPerEpoch() : 1,
                List.of(stored == null ? ofTable(planned) : stored.member(request.feed(), request.order(), planned)),
                segments);
    }

    private Member ofTable(List<Stratum> pools) {
        RowCycles cycles = request.order() == RowOrder.PLANNED ? RowCycles.LIST : RowCycles.LIST_FIRST;
        return new Member(request.feed(), Optional.empty(), request.lanes(), cycles, pools);
    }
}
