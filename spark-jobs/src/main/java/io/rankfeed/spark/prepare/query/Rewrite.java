package io.rankfeed.spark.prepare.query;

import io.rankfeed.spark.prepare.pack.GuardedPacker.Duplicates;
import io.rankfeed.spark.prepare.pack.Units;
import io.rankfeed.spark.prepare.write.KeyCheck;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;

/** Rows are written to new files, a unit of work at a time. */
public sealed interface Rewrite extends Arrangement permits InOrder, ByRange, ByHash {
    /** A function of the inputs and the job. */
    Units units();

    /** When duplicate keys are searched for. {@link #units} is called first. */
    KeyCheck keyCheck();

    /** Whether rows of equal keys are in one unit, one after the other: the task that writes them finds duplicates. */
    boolean keysMeet();

    /**
     * The packed rows, those of a unit in one partition and in their total order.
     *
     * @param duplicates from {@link #duplicates}
     */
    JavaRDD<InternalRow> byUnit(Units units, Duplicates duplicates);

    /** Whether every row of the source's files is written: {@link #refuseOtherCount} then compares with their footers. */
    default boolean isWhole() {
        return false;
    }

    /** @throws io.rankfeed.schema.failure.RankfeedException if another number of rows was written than had been counted */
    default void refuseOtherCount(long written) {}
}
