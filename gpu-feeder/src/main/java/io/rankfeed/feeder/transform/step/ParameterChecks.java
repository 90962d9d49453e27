package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.config.BadValue;
import java.util.List;

/** Checks of probabilities and of the ranges that parameters are drawn from. */
final class ParameterChecks {
    private ParameterChecks() {}

    static void requireProbability(double p) {
        if (!(p >= 0 && p <= 1)) {
            throw new BadValue("p", p + " is no probability; must be 0 to 1");
        }
    }

    static void requireRange(String key, double value, double max) {
        if (!(value >= 0 && value <= max)) {
            throw new BadValue(key, value + " is out of range; must be 0 to " + max);
        }
    }

    /** Requires a range of positive numbers, the smaller first. */
    static void requireInterval(String key, List<Double> interval, double max) {
        if (interval.size() != 2
                || !(interval.get(0) > 0 && interval.get(0) <= interval.get(1) && interval.get(1) <= max)) {
            throw new BadValue(key, interval + " must be two numbers above 0, at most " + max + ", the smaller first");
        }
    }
}
