package io.rankfeed.spark.prepare.write;

import io.rankfeed.schema.manifest.ColumnStatistics;
import java.io.Serializable;
import java.util.OptionalDouble;

/**
 * What some numbers have in common, to be put together with those of others, in a fixed order: means of floats depend on it.
 * A mean is two numbers, of which the second is what the first has no bits for: where the mean is large and the numbers
 * are close to it, a mean of one number would soon stop changing in addition to the true one. So one pass is as exact as two.
 *
 * @param count how many are finite
 * @param nonFinite how many are not
 * @param min of the finite ones, infinity if there are none
 * @param meanRest what is to be added to {@code mean}, less than its last bit
 * @param squares sum of the squared distances from the mean
 * @param squaresRest what is to be added to {@code squares}
 * @param minPositive the least absolute value above 0, infinity if there is none
 * @param integral whether all finite ones are whole numbers
 */
record NumberSums(
        long count,
        long nonFinite,
        double min,
        double max,
        double mean,
        double meanRest,
        double squares,
        double squaresRest,
        double minPositive,
        boolean integral)
        implements Serializable {
    static final NumberSums NONE = new NumberSums(
            0, 0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0, 0, 0, 0, Double.POSITIVE_INFINITY, true);

    NumberSums and(NumberSums other) {
        if (count == 0 || other.count == 0) {
            NumberSums some = count == 0 ? other : this;
            return new NumberSums(
                    some.count,
                    nonFinite + other.nonFinite,
                    some.min,
                    some.max,
                    some.mean,
                    some.meanRest,
                    some.squares,
                    some.squaresRest,
                    some.minPositive,
                    some.integral);
        }
        long all = count + other.count;
        double whole = other.mean - mean;
        double apart = whole + (rest(other.mean, -mean, whole) + (other.meanRest - meanRest));
        double step = apart * ((double) other.count / all);
        double middle = mean + step;
        double middleRest = rest(mean, step, middle) + meanRest;
        double between = apart * apart * ((double) count / all * other.count);
        double some = squares + other.squares;
        double sum = some + between;
        return new NumberSums(
                all,
                nonFinite + other.nonFinite,
                Math.min(min, other.min),
                Math.max(max, other.max),
                middle + middleRest,
                rest(middle, middleRest, middle + middleRest),
                sum,
                squaresRest + other.squaresRest + rest(squares, other.squares, some) + rest(some, between, sum),
                Math.min(minPositive, other.minPositive),
                integral && other.integral);
    }

    /** The sum of squared distances from the mean; a remainder that is not finite is ignored. */
    private double spread() {
        return Double.isFinite(squaresRest) ? squares + squaresRest : squares;
    }

    /** What a sum lacks, exactly (Knuth's TwoSum). */
    private static double rest(double a, double b, double sum) {
        double part = sum - a;
        return (a - (sum - part)) + (b - part);
    }

    ColumnStatistics statistics() {
        boolean some = count > 0;
        return new ColumnStatistics(
                count,
                nonFinite,
                some ? OptionalDouble.of(min) : OptionalDouble.empty(),
                some ? OptionalDouble.of(max) : OptionalDouble.empty(),
                some ? OptionalDouble.of(mean) : OptionalDouble.empty(),
                some ? OptionalDouble.of(Math.sqrt(spread() / count)) : OptionalDouble.empty(),
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
        private double meanRest;
        private double squares;
        private double squaresRest;
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
            double before = distance(value);
            double step = before / count;
            double middle = mean + step;
            double middleRest = rest(mean, step, middle) + meanRest;
            mean = middle + middleRest;
            meanRest = rest(middle, middleRest, mean);
            double square = before * distance(value);
            double sum = squares + square;
            squaresRest += rest(squares, square, sum);
            squares = sum;
            double size = Math.abs(value);
            if (size > 0 && size < minPositive) {
                minPositive = size;
            }
            integral &= value == Math.rint(value);
        }

        /** The distance from the mean so far. */
        private double distance(double value) {
            double apart = value - mean;
            return apart + (rest(value, -mean, apart) - meanRest);
        }

        NumberSums sums() {
            return new NumberSums(
                    count, nonFinite, min, max, mean, meanRest, squares, squaresRest, minPositive, integral);
        }
    }
}
