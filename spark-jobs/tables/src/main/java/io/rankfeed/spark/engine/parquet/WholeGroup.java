package io.rankfeed.spark.engine.parquet;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection$;
import org.apache.spark.sql.types.StructType;

/** A row group that is read whole, without row ranges, for comparison. */
final class WholeGroup {
    private final GroupRows rows;
    private final UnsafeProjection expected;
    private final UnsafeProjection actual;

    WholeGroup(GroupRows rows, StructType columns) {
        this.rows = rows;
        this.expected = UnsafeProjection$.MODULE$.create(columns);
        this.actual = UnsafeProjection$.MODULE$.create(columns);
    }

    /** Whether a row has the values at this index of the row group, which must be after the previous index. */
    boolean hasAt(long rowIndex, InternalRow row) {
        return expected.apply(rows.at(rowIndex)).equals(actual.apply(row));
    }
}
