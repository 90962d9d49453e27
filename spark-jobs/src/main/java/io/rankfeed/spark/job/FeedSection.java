package io.rankfeed.spark.job;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One feed of the plan. What only a train feed may say is empty or at its default in a sequential one.
 *
 * @param where a Spark SQL condition over the prepared columns
 * @param batch rows of a global batch, a multiple of {@code lanes}
 * @param lanes virtual ranks
 * @param rows per epoch; without it all that the condition leaves
 * @param strata columns that make strata, in the order of the names' parts
 * @param balance strata columns whose values get equal shares
 * @param stages with {@code weights:} alone one stage until 1; empty where nothing is weighed
 */
public record FeedSection(
        Kind kind,
        Optional<String> where,
        int batch,
        int lanes,
        OptionalLong rows,
        int epochs,
        long seed,
        Mode mode,
        Order order,
        BalanceWithin balanceWithin,
        Pool pool,
        OnShortage onShortage,
        List<StrataColumn> strata,
        List<String> balance,
        List<Stage> stages) {

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

    /** What to do with a value that lies in no bin. */
    public enum OnUnbinned {
        ERROR,
        DROP
    }

    /**
     * A column that makes strata.
     *
     * @param bins inclusive ranges by name, in the file's order; empty where every value is a part of its own
     */
    public record StrataColumn(String column, Map<String, Bin> bins, OnUnbinned onUnbinned) {}

    /** Both ends belong to it. */
    public record Bin(double least, double most) {}

    /**
     * A stretch of the run.
     *
     * @param until fraction of the run at which it ends; ascending, the last is 1
     * @param weights by a strata column's value or bin, or by whole strata; empty where only {@code balance} weighs
     */
    public record Stage(double until, Map<String, Double> weights) {}
}
