package io.rankfeed.spark.prepare;

import io.rankfeed.schema.manifest.ColumnStatistics;
import java.io.Serializable;
import java.util.OptionalDouble;

/**
 * What some numbers have in common, to be put together with those of others, in a fixed order: means of floats hang on it.
 *
 * @param count how many are finite
 * @param nonFinite how many are not
 * @param min of the finite ones, infinity if there are none
 * @param squares sum of the squared distances from the mean
 * @param minPositive the least absolute value above 0, infinity if there is none
 * @param integral whether all finite ones are whole numbers
 */
record NumberSums(
        long count,
        long nonFinite,
        double min,
        double max,
        double mean,
        double squares,
        double minPositive,
        boolean integral)
        implements Serializable {
    static final NumberSums NONE = new NumberSums(
            0, 0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0, 0, Double.POSITIVE_INFINITY, true);

    NumberSums and(NumberSums other) {
        if (count == 0 || other.count == 0) {
            NumberSums some = count == 0 ? other : this;
            return new NumberSums(
                    some.count,
                    nonFinite + other.nonFinite,
                    some.min,
                    some.max,
                    some.mean,
                    some.squares,
                    some.minPositive,
                    some.integral);
        }
        long all = count + other.count;
        double apart = other.mean - mean;
        return new NumberSums(
                all,
                nonFinite + other.nonFinite,
                Math.min(min, other.min),
                Math.max(max, other.max),
                mean + apart * ((double) other.count / all),
                squares + other.squares + apart * apart * ((double) count / all * other.count),
                Math.min(minPositive, other.minPositive),
                integral && other.integral);
    }

    ColumnStatistics statistics() {
        boolean some = count > 0;
        return new ColumnStatistics(
                count,
                nonFinite,
                some ? OptionalDouble.of(min) : OptionalDouble.empty(),
                some ? OptionalDouble.of(max) : OptionalDouble.empty(),
                some ? OptionalDouble.of(mean) : OptionalDouble.empty(),
                some ? OptionalDouble.of(Math.sqrt(squares / count)) : OptionalDouble.empty(),
                Double.isFinite(minPositive) ? OptionalDouble.of(minPositive) : OptionalDouble.empty(),
                integral);
    }

    /** Takes numbers one by one. */
    static final class Running {
        private long count;
        private long nonFinite;
        private double min = NONE.min();
        private double max = NONE.max();
        private double mean;
        private double squares;
        private double minPositive = NONE.minPositive();
        private boolean integral = true;

        void add(double value) {
            if (!Double.isFinite(value)) {
                nonFinite++;
                return;
            }
            count++;
            min = Math.min(min, value);
            max = Math.max(max, value);
            double before = value - mean;
            mean += before / count;
            squares += before * (value - mean);
            double size = Math.abs(value);
            if (size > 0 && size < minPositive) {
                minPositive = size;
            }
            integral &= value == Math.rint(value);
        }

        NumberSums sums() {
            return new NumberSums(count, nonFinite, min, max, mean, squares, minPositive, integral);
        }
    }
}
