package io.rankfeed.schema.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.json.JsonObject;
import java.util.OptionalDouble;

/**
 * The statistics of a column's numbers, in which every element of a tensor counts as a number; the means are over
 * finite numbers.
 *
 * @param count how many are finite
 * @param nonFinite how many are not
 * @param min absent, as the next three are, where count is 0
 * @param std over all of them, not an estimate from a sample
 * @param minPositive the minimum absolute value above 0; absent if there is none
 * @param integral whether all finite ones are whole numbers
 */
public record ColumnStatistics(
        long count,
        long nonFinite,
        OptionalDouble min,
        OptionalDouble max,
        OptionalDouble mean,
        OptionalDouble std,
        OptionalDouble minPositive,
        boolean integral) {
    public ColumnStatistics {
        if (count < 0 || nonFinite < 0) {
            throw new IllegalArgumentException("statistics of " + count + " and " + nonFinite + " numbers");
        }
    }

    void write(ObjectNode object) {
        object.put("count", count).put("nonFinite", nonFinite).put("integral", integral);
        put(object, "min", min);
        put(object, "max", max);
        put(object, "mean", mean);
        put(object, "std", std);
        put(object, "minPositive", minPositive);
    }

    static ColumnStatistics read(JsonObject object) {
        object.only("count", "nonFinite", "min", "max", "mean", "std", "minPositive", "integral");
        return new ColumnStatistics(
                object.integer("count", 0, Long.MAX_VALUE),
                object.integer("nonFinite", 0, Long.MAX_VALUE),
                number(object, "min"),
                number(object, "max"),
                number(object, "mean"),
                number(object, "std"),
                number(object, "minPositive"),
                object.node("integral").asBoolean());
    }

    private static void put(ObjectNode object, String name, OptionalDouble value) {
        value.ifPresent(number -> object.put(name, Double.toString(number)));
    }

    private static OptionalDouble number(JsonObject object, String name) {
        return object.optionalText(name).map(ColumnStatistics::parsed).orElse(OptionalDouble.empty());
    }

    /** @throws IllegalArgumentException if it is not a finite number */
    private static OptionalDouble parsed(String text) {
        double value = Double.parseDouble(text);
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("statistics: " + text + " is not a finite number");
        }
        return OptionalDouble.of(value);
    }
}
