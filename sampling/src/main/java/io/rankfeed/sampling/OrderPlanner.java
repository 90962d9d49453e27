package io.rankfeed.sampling;

import io.rankfeed.schema.failure.ConfigException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Turns wishes into the numbers of an order (docs/format/plan.md, sections 3 and 4.1), or says why that cannot be. */
public final class OrderPlanner {
    private static final int SHOWN = 8;

    private final OrderWishes wishes;
    private final List<OrderWishes.Available> strata;
    private final StageQuotas stageQuotas;
    private final int stepsPerEpoch;

    private OrderPlanner(OrderWishes wishes) {
        WishRules.check(wishes);
        this.wishes = wishes;
        this.strata = wishes.strata().stream()
                .sorted((a, b) -> OrderRules.compareNames(a.stratum(), b.stratum()))
                .toList();
        this.stageQuotas = new StageQuotas(wishes, strata);
        this.stepsPerEpoch = WishRules.stepsPerEpoch(wishes);
    }

    /**
     * Plans an order.
     *
     * @throws ConfigException where the wishes contradict each other or the table; the message names the stratum or number and
     *     what to do
     */
    public static Order plan(OrderWishes wishes) {
        return planned(wishes).order();
    }

    /** The same with what was done where rows are too few. */
    public static PlannedOrder planned(OrderWishes wishes) {
        return new OrderPlanner(wishes).planned();
    }

    private PlannedOrder planned() {
        if (wishes.mode() != EpochMode.STREAM) {
            Order order = planSingle();
            return new PlannedOrder(order, Collections.nCopies(order.segments().size(), -1), List.of());
        }
        long[] ends = stageEnds();
        List<Piece> stages = Piece.ofStages(ends, stepsPerEpoch);
        List<Segment> segments = segments(stages, null);
        Demand demand = demand(segments);
        Shortages shortages = new Shortages(wishes, strata);
        List<PlannedOrder.Shortage> told = List.of();
        if (wishes.onShortage() == OnShortage.REDISTRIBUTE && demand.firstShortage() != null) {
            long[] caps = Arrays.stream(rowsAvailable())
                    .map(rows -> rows / wishes.lanes())
                    .toArray();
            List<Piece> pieces = Piece.ofStagesAndEpochs(ends, wishes.epochs(), stepsPerEpoch);
            List<Segment> redistributed = segments(pieces, caps);
            told = shortages.moved(stages, segments, pieces, redistributed);
            stages = pieces;
            segments = redistributed;
            demand = demand(segments);
        }
        refuseShortage(demand);
        if (wishes.onShortage() == OnShortage.REPEAT) {
            told = shortages.repeated(stages, segments, demand);
        }
        return new PlannedOrder(
                order(segments, pools(demand)),
                stages.stream().map(Piece::stage).toList(),
                told);
    }

    private long[] stageEnds() {
        List<StageEnd> ends = wishes.stages().isEmpty()
                ? List.of(new StageEnd.Run())
                : wishes.stages().stream().map(OrderWishes.Stage::until).toList();
        long[] steps = StageEnd.steps(ends, wishes.epochs(), stepsPerEpoch, wishes.batch());
        return wishes.shares() == Shares.GROWING ? GrowingStages.steps(ends, steps, wishes.epochs()) : steps;
    }

    private Order planSingle() {
        long rows = wishes.rowsPerEpoch();
        OrderWishes.Available only = strata.get(0);
        if (rows > only.rows()) {
            throw new ConfigException("mode " + wishes.mode().word() + ": each epoch wants " + rows
                    + " rows, the table has " + only.rows() + "; ask for at most that many");
        }
        List<Segment> segments = segments(Piece.ofEpochs(wishes.epochs(), stepsPerEpoch), null);
        long pool = wishes.mode() == EpochMode.PASS ? (long) stepsPerEpoch * wishes.batch() : rows;
        return order(segments, new long[] {pool});
    }

    private List<Segment> segments(List<Piece> pieces, long @Nullable [] capsPerEpoch) {
        int rowsPerLane = wishes.batch() / wishes.lanes();
        long[] base = new long[strata.size()];
        long[] caps = new long[strata.size()];
        long epoch = -1;
        List<Segment> segments = new ArrayList<>();
        for (Piece piece : pieces) {
            WishRules.checkLength(piece.steps(), rowsPerLane, wishes.lanes());
            if (capsPerEpoch != null && piece.epoch() != epoch) {
                caps = capsPerEpoch.clone();
                epoch = piece.epoch();
            } else if (capsPerEpoch == null) {
                Arrays.fill(caps, Long.MAX_VALUE);
            }
            long[] quotas = stageQuotas.of(piece, piece.steps() * rowsPerLane, caps);
            segments.add(segment(piece, quotas, base));
            for (int s = 0; s < quotas.length; s++) {
                base[s] += wishes.mode() == EpochMode.PADDED ? 0 : quotas[s];
                caps[s] -= quotas[s];
            }
        }
        return segments;
    }

    private Segment segment(Piece piece, long[] quotas, long[] base) {
        long c = wishes.order() == RowOrder.PLANNED
                ? 0
                : Long.remainderUnsigned(Mix.key(wishes.seed(), 3, piece.number()), piece.steps());
        return new Segment(
                piece.step(),
                piece.steps(),
                piece.number(),
                Arrays.stream(quotas).boxed().toList(),
                Arrays.stream(base).boxed().toList(),
                Multiplier.choose(piece.steps(), wishes.lanes()),
                c);
    }

    private Demand demand(List<Segment> segments) {
        return new Demand(segments, rowsAvailable(), wishes.lanes(), wishes.epochs(), stepsPerEpoch);
    }

    private long[] rowsAvailable() {
        return strata.stream().mapToLong(OrderWishes.Available::rows).toArray();
    }

    private void refuseShortage(Demand demand) {
        for (int s = 0; s < strata.size(); s++) {
            if (demand.rows(s) > 0 && strata.get(s).rows() == 0) {
                throw new ConfigException("stratum '" + strata.get(s).stratum() + "': " + demand.rows(s)
                        + " rows wanted, the table has none; give it weight 0 or add rows");
            }
        }
        Demand.Shortage shortage = demand.firstShortage();
        if (shortage != null && wishes.onShortage() != OnShortage.REPEAT) {
            OrderWishes.Available stratum = strata.get(shortage.stratum());
            throw new ConfigException("stratum '" + stratum.stratum() + "': epoch " + shortage.epoch() + " wants "
                    + shortage.wanted() + " rows, the table has " + stratum.rows()
                    + othersShort(demand, shortage.stratum())
                    + "; ask for fewer rows or a smaller weight, or choose on-shortage: repeat or redistribute");
        }
    }

    private String othersShort(Demand demand, int told) {
        List<String> others = IntStream.range(0, strata.size())
                .filter(s -> s != told && demand.largestEpoch(s) > strata.get(s).rows())
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
            if (wishes.pool() == PoolSpan.EPOCH) {
                long units = (demand.largestEpoch(s) + wishes.lanes() - 1) / wishes.lanes();
                wanted = units * wishes.lanes();
            }
            pools[s] = Math.min(strata.get(s).rows(), wanted);
        }
        return pools;
    }

    private Order order(List<Segment> segments, long[] pools) {
        List<Stratum> planned = new ArrayList<>();
        for (int s = 0; s < pools.length; s++) {
            planned.add(new Stratum(strata.get(s).stratum(), strata.get(s).rows(), pools[s]));
        }
        return new Order(
                wishes.seed(),
                wishes.lanes(),
                wishes.batch(),
                wishes.epochs(),
                stepsPerEpoch,
                wishes.mode(),
                wishes.order(),
                wishes.balanceWithin() == BalanceWithin.EPOCH ? stepsPerEpoch : 1,
                planned,
                segments);
    }
}
