package io.rankfeed.spark.job;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.Range;
import io.rankfeed.schema.order.Feed;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One feed of the plan. What only a train feed may say is at its default in a sequential one.
 *
 * @param where a Spark SQL condition over the prepared columns
 * @param batch rows of a global batch, a multiple of {@code lanes}
 * @param lanes virtual ranks
 * @param rows per epoch; without it all that the condition leaves
 * @param mode without it {@link #epochMode} decides
 * @param orderBy an integer column that gives the order of the list; without it the table's own
 * @param strata columns that make strata, in the order of the names' parts
 * @param balance strata columns whose values get equal shares
 * @param weights of a strata column's values or bins, or of whole strata, for the whole run; or
 * @param margins shares of the values of strata columns, by column, which hold exactly
 * @param floors the least that strata give of each stage's rows, as fractions
 * @param caps the most
 * @param stages the same, stretch by stretch
 */
public record FeedSection(
        @Default("train") Kind kind,
        Optional<String> where,
        @Range(min = 1, max = 1 << 24) int batch,
        @Range(min = 1, max = Feed.MAX_LANES) int lanes,
        Optional<Long> rows,
        @Default("1") @Range(min = 1, max = 1 << 20) int epochs,
        @Default("0") @Range(min = 0) long seed,
        Optional<Mode> mode,
        @Default("global") Order order,
        Optional<String> orderBy,
        @Default("batch") BalanceWithin balanceWithin,
        @Default("run") Pool pool,
        @Default("error") OnShortage onShortage,
        @Default("[]") List<StrataColumn> strata,
        @Default("[]") List<String> balance,
        @Default("{}") Map<String, BigDecimal> weights,
        Optional<Map<String, Map<String, BigDecimal>>> margins,
        Optional<Map<String, BigDecimal>> floors,
        Optional<Map<String, BigDecimal>> caps,
        @Default("[]") List<Stage> stages) {

    /** A train feed is drawn and shuffled, a sequential one is every row once in the table's order. */
    public enum Kind {
        TRAIN,
        SEQUENTIAL
    }

    /** How epochs are cut (docs/format/plan.md). */
    public enum Mode {
        PASS,
        STREAM,
        PADDED
    }

    /** Any row next, or the list's own order. */
    public enum Order {
        GLOBAL,
        PLANNED
    }

    /** Within what the strata keep their shares. */
    public enum BalanceWithin {
        BATCH,
        EPOCH
    }

    /** For how long the pool of rows must suffice. */
    public enum Pool {
        RUN,
        EPOCH
    }

    /** What to do where an epoch wants more rows of a stratum than there are. */
    public enum OnShortage {
        ERROR,
        REPEAT,
        REDISTRIBUTE
    }

    public FeedSection {
        if (batch % lanes != 0) {
            throw new BadValue(
                    "batch",
                    batch + " is no multiple of the " + lanes + " lanes; take " + ((long) batch / lanes + 1) * lanes
                            + ", or other lanes");
        }
        if (rows.isPresent() && rows.get() < batch) {
            throw new BadValue(
                    "rows",
                    rows.get() + " rows per epoch do not fill one batch of " + batch
                            + "; lower the batch or ask for more rows");
        }
        Mixture mixture = new Mixture(strata, balance, weights, margins, floors, caps, stages);
        mixture.check();
        boolean weighed = !strata.isEmpty();
        if (weighed && mode.isPresent() && mode.get() != Mode.STREAM) {
            throw new BadValue("mode", "must be stream where strata are weighed");
        }
        if (order == Order.PLANNED && balanceWithin == BalanceWithin.EPOCH) {
            throw new BadValue(
                    "balance-within",
                    "epoch shuffles within the epoch, and order: planned keeps the list's order; write"
                            + " balance-within: batch or order: global");
        }
        if (orderBy.isPresent() && order != Order.PLANNED && kind == Kind.TRAIN) {
            throw new BadValue("order-by", "is only for order: planned; write that, or leave it out");
        }
        if (kind == Kind.SEQUENTIAL) {
            refuseInSequential(weighed, "strata");
            refuseInSequential(rows.isPresent(), "rows");
            refuseInSequential(mode.isPresent(), "mode");
            refuseInSequential(epochs != 1, "epochs");
            refuseInSequential(seed != 0, "seed");
            refuseInSequential(order != Order.GLOBAL, "order");
            refuseInSequential(balanceWithin != BalanceWithin.BATCH, "balance-within");
            refuseInSequential(pool != Pool.RUN, "pool");
            refuseInSequential(onShortage != OnShortage.ERROR, "on-shortage");
        } else if (mode.orElse(weighed ? Mode.STREAM : Mode.PASS) != Mode.STREAM) {
            refuseOutsideStream(pool != Pool.RUN, "pool");
            refuseOutsideStream(onShortage != OnShortage.ERROR, "on-shortage");
        }
    }

    /** How epochs are cut: as written, else {@code stream} where strata are weighed and {@code pass} elsewhere. */
    public Mode epochMode() {
        return mode.orElse(strata.isEmpty() ? Mode.PASS : Mode.STREAM);
    }

    /** The stages; a mixture without stages is one stage over the whole run, nothing weighed is none. */
    public List<Stage> allStages() {
        return new Mixture(strata, balance, weights, margins, floors, caps, stages).asStages();
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
