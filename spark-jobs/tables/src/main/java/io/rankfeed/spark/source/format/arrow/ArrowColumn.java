package io.rankfeed.spark.source.format.arrow;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The values of a column of a record batch.
 *
 * @param validity a bit for each value, empty if there are no nulls
 */
record ArrowColumn(int length, @Nullable ByteBuffer validity, Values values) {
    /** The values that are not null. */
    interface Values {
        @Nullable
        Object at(int row);
    }

    @Nullable
    Object at(int row) {
        return validity != null && (validity.get(row >> 3) >> (row & 7) & 1) == 0 ? null : values.at(row);
    }
}
