package io.rankfeed.job;

import io.rankfeed.sampling.plan.BalanceWithin;
import io.rankfeed.sampling.plan.OnShortage;
import io.rankfeed.sampling.plan.PoolSpan;
import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.config.Range;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.OrderLimits;
import io.rankfeed.schema.order.RowOrder;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A feed of the plan. In a sequential feed, the keys that only a train feed may have are at their defaults.
 *
 * @param where a Spark SQL condition over the prepared columns
 * @param batch rows of a global batch, a multiple of {@code lanes}
 * @param lanes virtual ranks
 * @param rows per epoch; without it all that the condition leaves
 * @param rowsOf how many these are by those of another feed; none in a job that is read, where it has become a number
 * @param mode without it {@link #epochMode} decides
 * @param orderBy an integer column that gives the order of the list; without it the table's own
 * @param nested whether the choice must be one that only grows with {@code rows}; needs a key
 * @param strata columns that make strata, in the order of the names' parts
 * @param balance strata columns whose values get equal shares
 * @param proportional strata columns whose values get the shares that they have of the table
 * @param onRare what to do with strata whose share of a stage is too small for a unit
 * @param list which rows there are, and their order
 * @param weights of a strata column's values or bins, or of whole strata, for the whole run; or
 * @param margins shares of the values of strata columns, by column, which hold exactly
 * @param floors the minimum share of each stage's rows that strata give, as fractions
 * @param caps the maximum share, as fractions
 * @param stages shares, margins, floors and caps of each stretch of steps
 */
public record FeedSection(
        @Default("train") Kind kind,
        Optional<String> where,
        @Range(min = 1, max = 1 << 24) int batch,
        @Range(min = 1, max = OrderLimits.MAX_LANES) int lanes,
        @Range(min = 1) Optional<Long> rows,
        Optional<RowsOf> rowsOf,
        @Default("1") @Range(min = 1, max = 1 << 20) int epochs,
        @Default("0") @Range(min = 0) long seed,
        Optional<EpochMode> mode,
        @Default("global") RowOrder order,
        Optional<String> orderBy,
        @Default("batch") BalanceWithin balanceWithin,
        @Default("run") PoolSpan pool,
        @Default("error") OnShortage onShortage,
        @Default("false") boolean nested,
        @Default("[]") List<StrataColumn> strata,
        @Default("[]") List<String> balance,
        Optional<List<String>> proportional,
        Optional<OnRare> onRare,
        Optional<PlannedList> list,
        @Default("{}") Map<String, BigDecimal> weights,
        Optional<Map<String, Map<String, BigDecimal>>> margins,
        Optional<Map<String, BigDecimal>> floors,
        Optional<Map<String, BigDecimal>> caps,
        @Default("[]") List<Stage> stages) {

    private static final int MAX_ORDERED_STAGES = 1024;

    /** A train feed is drawn and shuffled, a sequential one is every row once in the table's order. */
    public enum Kind {
        TRAIN,
        SEQUENTIAL
    }

    /**
     * The choice for a stratum that has a weight in a stage, but whose share is less than half a unit or gets no unit.
     */
    public enum OnRare {
        ERROR,
        REST,
        LEAVE_OUT
    }

    public FeedSection {
        if (batch % lanes != 0) {
            throw new BadValue(
                    "batch",
                    batch + " is not a multiple of the " + lanes + " lanes; take " + ((long) batch / lanes + 1) * lanes
                            + ", or other lanes");
        }
        if (rows.isPresent() && rows.get() < batch) {
            throw new BadValue(
                    "rows",
                    "an epoch of " + Plural.counted(rows.get(), "row") + " does not fill one batch of " + batch
                            + "; lower the batch or request more rows");
        }
        if (rows.isPresent() && rowsOf.isPresent()) {
            throw new BadValue("rows-of", "excludes rows; write one of them");
        }
        new Mixture(strata, balance, proportional, weights, margins, floors, caps, stages).check();
        boolean weighed = !strata.isEmpty() || !stages.isEmpty();
        boolean hasMargins = margins.isPresent()
                || stages.stream().anyMatch(stage -> stage.margins().isPresent());
        if (onRare.isPresent() && !weighed) {
            throw new BadValue("on-rare", "has no effect, because the feed defines no strata; remove it");
        }
        if (onRare.filter(OnRare.REST::equals).isPresent() && hasMargins) {
            throw new BadValue(
                    "on-rare",
                    "rest mixes values that margins distinguish; weigh whole strata or one column, or merge rare"
                            + " values by the job's SQL");
        }
        boolean lengths = !stages.isEmpty()
                && stages.stream().allMatch(stage -> stage.rows().isPresent());
        if (lengths && rows.isEmpty() && epochs > 1) {
            throw new BadValue(
                    "stages",
                    "say their rows, which are one epoch; where there are several, write how many rows an epoch has, and"
                            + " leave out the end of the last stage");
        }
        if (weighed && mode.isPresent() && mode.get() != EpochMode.STREAM) {
            throw new BadValue("mode", "must be stream where strata are weighed");
        }
        if (order == RowOrder.PLANNED && balanceWithin == BalanceWithin.EPOCH) {
            throw new BadValue(
                    "balance-within",
                    "epoch shuffles within the epoch, and order: planned keeps the list's order; write"
                            + " balance-within: batch or order: global");
        }
        if (orderBy.isPresent() && order != RowOrder.PLANNED && kind == Kind.TRAIN) {
            throw new BadValue("order-by", "is only for order: planned; write that, or leave it out");
        }
        boolean ordered = stages.stream().anyMatch(stage -> stage.orderBy().isPresent());
        if (ordered && (order == RowOrder.PLANNED || balanceWithin == BalanceWithin.EPOCH)) {
            throw new BadValue(
                    order == RowOrder.PLANNED ? "order" : "balance-within",
                    "has an order of its own, and a stage an order-by; leave one of them out");
        }
        if (ordered && stages.size() > MAX_ORDERED_STAGES) {
            throw new BadValue("stages", "are more than " + MAX_ORDERED_STAGES + ", with an order-by among them");
        }
        if (list.isPresent() && orderBy.isPresent()) {
            throw new BadValue("list", "has an order, and order-by another; leave one of them out");
        }
        if (list.isPresent() && kind == Kind.TRAIN && order != RowOrder.PLANNED) {
            throw new BadValue("list", "gives the order of its rows; write order: planned");
        }
        if (kind == Kind.SEQUENTIAL) {
            refuseInSequential(weighed, "strata");
            refuseInSequential(rows.isPresent(), "rows");
            refuseInSequential(rowsOf.isPresent(), "rows-of");
            refuseInSequential(mode.isPresent(), "mode");
            refuseInSequential(nested, "nested");
            refuseInSequential(epochs != 1, "epochs");
            refuseInSequential(seed != 0, "seed");
            refuseInSequential(order != RowOrder.GLOBAL, "order");
            refuseInSequential(balanceWithin != BalanceWithin.BATCH, "balance-within");
            refuseInSequential(pool != PoolSpan.RUN, "pool");
            refuseInSequential(onShortage != OnShortage.ERROR, "on-shortage");
        } else if (mode.orElse(weighed ? EpochMode.STREAM : EpochMode.PASS) != EpochMode.STREAM) {
            boolean all = pool == PoolSpan.ALL && mode.orElse(EpochMode.PASS) == EpochMode.PASS;
            refuseOutsideStream(pool != PoolSpan.RUN && !all, "pool");
            refuseOutsideStream(onShortage != OnShortage.ERROR, "on-shortage");
        }
    }

    /** Returns this feed with this number of rows per epoch. */
    public FeedSection withRows(long asked) {
        return with(Optional.of(asked), strata, proportional);
    }

    /** Returns this feed with other strata columns. */
    public FeedSection withStrata(List<StrataColumn> columns, List<String> shareByRows) {
        return with(rows, columns, shareByRows.isEmpty() ? Optional.empty() : Optional.of(shareByRows));
    }

    private FeedSection with(Optional<Long> asked, List<StrataColumn> columns, Optional<List<String>> shareByRows) {
        return new FeedSection(
                kind,
                where,
                batch,
                lanes,
                asked,
                Optional.empty(),
                epochs,
                seed,
                mode,
                order,
                orderBy,
                balanceWithin,
                pool,
                onShortage,
                nested,
                columns,
                balance,
                shareByRows,
                onRare,
                list,
                weights,
                margins,
                floors,
                caps,
                stages);
    }

    /** The way in which a run is divided into epochs: as written, else {@code stream} if there are strata or stages, else {@code pass}. */
    public EpochMode epochMode() {
        return mode.orElse(strata.isEmpty() && stages.isEmpty() ? EpochMode.PASS : EpochMode.STREAM);
    }

    /** Whether all rows of the table are one stratum, of which there are as many as the table has. */
    public boolean isOfWholeTable() {
        return where.isEmpty()
                && list.isEmpty()
                && strata.isEmpty()
                && stages.stream().allMatch(stage -> stage.where().isEmpty());
    }

    /** Whether what it draws depends on rows that it does not draw: shares by the table's rows, quantiles. */
    public boolean countsTheTable() {
        return strata.stream().anyMatch(StrataColumn::hasQuantiles)
                || proportional.isPresent()
                || onRare.filter(OnRare.REST::equals).isPresent()
                || stages.stream()
                        .anyMatch(stage ->
                                stage.where().isPresent() || stage.orderBy().isPresent());
    }

    /** The pool as written. A pass over all rows has all of them, so that the rows that fill no batch differ from epoch to epoch. */
    public PoolSpan poolOfRun() {
        boolean passes = kind == Kind.TRAIN && epochMode() == EpochMode.PASS && order == RowOrder.GLOBAL;
        return passes && rows.isEmpty() && rowsOf.isEmpty() ? PoolSpan.ALL : pool;
    }

    /** Whether its lists are the same for every seed: they have all rows, in the order of a hash and of nothing else. */
    public boolean isSeedless() {
        return kind == Kind.TRAIN
                && pool == PoolSpan.ALL
                && order == RowOrder.GLOBAL
                && orderBy.isEmpty()
                && stages.stream().allMatch(stage -> stage.orderBy().isEmpty());
    }

    /** The seed of the hash that orders its lists. */
    public long seedOfLists() {
        return isSeedless() ? 0 : seed;
    }

    /** Rows asked for in each epoch: as written, else those of the stages if each says how many it has. */
    public Optional<Long> rowsAsked() {
        boolean byStages = !stages.isEmpty()
                && stages.stream().allMatch(stage -> stage.rows().isPresent());
        return rows.isPresent() || !byStages
                ? rows
                : Optional.of(stages.stream()
                        .mapToLong(stage -> {
                            int ofStage = stage.batch().orElse(batch);
                            return stage.rows().orElseThrow() / ofStage * ofStage;
                        })
                        .sum());
    }

    /** The stages; a mixture without stages is one stage over the whole run, nothing weighed is none. */
    public List<Stage> allStages() {
        return new Mixture(strata, balance, proportional, weights, margins, floors, caps, stages).asStages();
    }

    private static void refuseInSequential(boolean written, String key) {
        if (written) {
            throw new BadValue(key, "is not for a sequential feed, which is every row once in order; leave it out");
        }
    }

    private static void refuseOutsideStream(boolean written, String key) {
        if (written) {
            throw new BadValue(key, "is only for mode: stream; write that, or leave it out");
        }
    }
}
