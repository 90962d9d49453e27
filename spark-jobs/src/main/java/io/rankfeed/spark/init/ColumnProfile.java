package io.rankfeed.spark.init;

import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * The statistics of a column.
 *
 * @param nulls rows without a value
 * @param nullElements rows whose list has an element without a value
 * @param distinct about how many different values; 0 where they cannot be compared
 * @param meanLength of a text in characters, of a list in elements, of binary in bytes; else 0
 * @param maxLength the length of the longest value, in the same unit
 * @param samples values of the first rows
 */
record ColumnProfile(
        String name,
        DataType type,
        long nulls,
        long nullElements,
        long distinct,
        double meanLength,
        long maxLength,
        List<Object> samples) {
    ColumnProfile {
        samples = List.copyOf(samples);
    }
}
