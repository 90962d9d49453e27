package io.rankfeed.spark.job;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.Range;
import io.rankfeed.schema.failure.Suggestion;
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
 * @param strata columns that make strata, in the order of the names' parts
 * @param balance strata columns whose values get equal shares
 * @param weights of a strata column's values or bins, or of whole strata, for the whole run; or
 * @param stages the same, stretch by stretch
 */
public record FeedSection(
        @Default("train") Kind kind,
        Optional<String> where,
        @Range(min = 1, max = 1 << 24) int batch,
        @Range(min = 1, max = 1 << 16) int lanes,
        Optional<Long> rows,
        @Default("1") @Range(min = 1, max = 1 << 20) int epochs,
        @Default("0") @Range(min = 0) long seed,
        Optional<Mode> mode,
        @Default("global") Order order,
        @Default("batch") BalanceWithin balanceWithin,
        @Default("run") Pool pool,
        @Default("error") OnShortage onShortage,
        @Default("[]") List<StrataColumn> strata,
        @Default("[]") List<String> balance,
        @Default("{}") Map<String, BigDecimal> weights,
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

    /** Any row next, or the table's own order. */
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
            throw new BadValue("batch", batch + " is no multiple of the " + lanes + " lanes");
        }
        if (rows.isPresent() && rows.get() < 1) {
            throw new BadValue("rows", "must be at least 1");
        }
        boolean weighed = !weights.isEmpty() || !stages.isEmpty() || !balance.isEmpty();
        if (!weights.isEmpty() && !stages.isEmpty()) {
            throw new BadValue("weights", "stand beside 'stages', which have weights of their own; write one of them");
        }
        if (weighed && strata.isEmpty()) {
            throw new BadValue("strata", "must name the columns that weights, stages or balance speak of");
        }
        if (!weighed && !strata.isEmpty()) {
            throw new BadValue("strata", "have nothing to weigh them; add weights, stages or balance, or drop strata");
        }
        if (weighed && mode.isPresent() && mode.get() != Mode.STREAM) {
            throw new BadValue("mode", "must be stream where strata are weighed");
        }
        List<String> columns = strata.stream().map(StrataColumn::column).toList();
        for (String column : balance) {
            if (!columns.contains(column)) {
                throw new BadValue(
                        "balance", "'" + column + "' is no strata column" + Suggestion.hint(column, columns));
            }
        }
        checkStages(stages);
        weights.forEach((name, weight) -> checkWeight("weights", name, weight));
        if (kind == Kind.SEQUENTIAL) {
            refuseInSequential(weighed, "strata");
            refuseInSequential(rows.isPresent(), "rows");
            refuseInSequential(mode.isPresent(), "mode");
            refuseInSequential(epochs != 1, "epochs");
        }
    }

    /** How epochs are cut: as written, else {@code stream} where strata are weighed and {@code pass} elsewhere. */
    public Mode epochMode() {
        return mode.orElse(strata.isEmpty() ? Mode.PASS : Mode.STREAM);
    }

    /** The stages; weights or balance without stages are one stage over the whole run, nothing weighed is none. */
    public List<Stage> allStages() {
        return strata.isEmpty() || !stages.isEmpty() ? stages : List.of(new Stage(BigDecimal.ONE, weights));
    }

    private static void checkStages(List<Stage> stages) {
        BigDecimal before = BigDecimal.ZERO;
        for (Stage stage : stages) {
            if (stage.until().compareTo(before) <= 0) {
                throw new BadValue("stages", "until: " + stage.until() + " does not follow " + before);
            }
            before = stage.until();
            stage.weights().forEach((name, weight) -> checkWeight("stages", name, weight));
        }
        if (!stages.isEmpty() && before.compareTo(BigDecimal.ONE) != 0) {
            throw new BadValue("stages", "the last one ends at " + before + "; it must end at until: 1.0");
        }
    }

    private static void checkWeight(String key, String name, BigDecimal weight) {
        if (weight.signum() < 0) {
            throw new BadValue(key, "the weight of '" + name + "' is negative");
        }
    }

    private static void refuseInSequential(boolean written, String key) {
        if (written) {
            throw new BadValue(key, "is not for a sequential feed, which is every row once");
        }
    }
}
