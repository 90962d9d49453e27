package io.rankfeed.spark.engine.parquet;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection$;
import org.apache.spark.sql.types.StructType;

/** A row group that is read without row ranges, to compare rows with. */
final class WholeGroup {
    private final GroupRows rows;
    private final UnsafeProjection expected;
    private final UnsafeProjection actual;

    WholeGroup(GroupRows rows, StructType columns) {
        this.rows = rows;
        this.expected = UnsafeProjection$.MODULE$.create(columns);
        this.actual = UnsafeProjection$.MODULE$.create(columns);
    }

    /** Whether a row has the values of this place, which is behind the place before. */
    boolean hasAt(long place, InternalRow row) {
        return expected.apply(rows.at(place)).equals(actual.apply(row));
    }
}
