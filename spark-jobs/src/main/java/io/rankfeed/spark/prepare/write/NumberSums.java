package io.rankfeed.spark.prepare.write;

import io.rankfeed.schema.manifest.ColumnStatistics;
import java.io.Serializable;
import java.util.OptionalDouble;

/**
 * What some numbers have in common, to be put together with those of others, in a fixed order: means of floats depend on it.
 * A mean is two numbers, of which the second is what the first has no bits for: where the mean is large and the numbers
 * are close to it, a mean of one number would soon stop changing in addition to the true one. So one pass is as exact as two.
 */
final class NumberSums implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The number of finite ones. */
    private long count;

    private long nonFinite;
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;
    private double mean;
    /** What is to be added to the mean, less than its last bit. */
    private double meanRest;
    /** The sum of the squared distances from the mean. */
    private double squares;
    /** What is to be added to the squares. */
    private double squaresRest;
    /** The minimum absolute value above 0, infinity if there is none. */
    private double minPositive = Double.POSITIVE_INFINITY;
    /** Whether all finite ones are whole numbers. */
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
        moveMean(before / count);
        addSquares(before * distance(value));
        double size = Math.abs(value);
        if (size > 0 && size < minPositive) {
            minPositive = size;
        }
        integral &= value == Math.rint(value);
    }

    /** Adds the numbers that others were computed from. */
    void add(NumberSums other) {
        nonFinite += other.nonFinite;
        min = Math.min(min, other.min);
        max = Math.max(max, other.max);
        minPositive = Math.min(minPositive, other.minPositive);
        integral &= other.integral;
        if (count == 0) {
            mean = other.mean;
            meanRest = other.meanRest;
            squares = other.squares;
            squaresRest = other.squaresRest;
        } else if (other.count > 0) {
            long all = count + other.count;
            double whole = other.mean - mean;
            double apart = whole + (rest(other.mean, -mean, whole) + (other.meanRest - meanRest));
            moveMean(apart * ((double) other.count / all));
            squaresRest += other.squaresRest;
            addSquares(other.squares);
            addSquares(apart * apart * ((double) count / all * other.count));
        }
        count += other.count;
    }

    /** The distance from the mean so far. */
    private double distance(double value) {
        double apart = value - mean;
        return apart + (rest(value, -mean, apart) - meanRest);
    }

    private void moveMean(double step) {
        double middle = mean + step;
        double middleRest = rest(mean, step, middle) + meanRest;
        mean = middle + middleRest;
        meanRest = rest(middle, middleRest, mean);
    }

    private void addSquares(double square) {
        double sum = squares + square;
        squaresRest += rest(squares, square, sum);
        squares = sum;
    }

    /** What a sum lacks, exactly (Knuth's TwoSum). */
    private static double rest(double a, double b, double sum) {
        double part = sum - a;
        return (a - (sum - part)) + (b - part);
    }

    ColumnStatistics statistics() {
        // A remainder that is not finite is ignored.
        double spread = Double.isFinite(squaresRest) ? squares + squaresRest : squares;
        return new ColumnStatistics(
                count,
                nonFinite,
                some(min),
                some(max),
                some(mean),
                some(Math.sqrt(spread / count)),
                Double.isFinite(minPositive) ? OptionalDouble.of(minPositive) : OptionalDouble.empty(),
                integral);
    }

    private OptionalDouble some(double value) {
        return count > 0 ? OptionalDouble.of(value) : OptionalDouble.empty();
    }
}
