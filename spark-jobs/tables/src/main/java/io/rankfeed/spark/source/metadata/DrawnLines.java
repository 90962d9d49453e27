package io.rankfeed.spark.source.metadata;

import io.rankfeed.job.DrawSection;
import io.rankfeed.sampling.compat.MetadataRows;
import io.rankfeed.sampling.compat.WeightedMtpV1;
import io.rankfeed.schema.failure.ConfigException;
import java.math.BigDecimal;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A list of lines as another project draws it. */
final class DrawnLines {
    private static final String IS_CORRECT = "is_correct";
    private static final String DIFFICULTY = "difficulty";

    private DrawnLines() {}

    /** @throws ConfigException if the metadata has nothing to draw from, or a difficulty is not a number */
    static int[] of(String where, DrawSection draw, MetadataTable metadata) {
        if (metadata.rows() == 0) {
            throw new ConfigException(where + ".draw: " + metadata.file() + " has no row");
        }
        BitSet correct = new BitSet(metadata.rows());
        double[] difficulty = new double[metadata.rows()];
        for (int row = 0; row < difficulty.length; row++) {
            correct.set(row, isTrue(metadata.value(IS_CORRECT, row)));
            Object value = metadata.value(DIFFICULTY, row);
            if (value != null && !(value instanceof Number)) {
                throw new ConfigException(where + ".draw: " + metadata.file() + ": the difficulty of row " + row
                        + " is " + value + ", no number");
            }
            difficulty[row] = value == null ? Double.NaN : ((Number) value).doubleValue();
        }
        Map<String, double[]> bins = new LinkedHashMap<>();
        draw.bins()
                .forEach((name, range) -> bins.put(
                        name,
                        range.stream().mapToDouble(BigDecimal::doubleValue).toArray()));
        Map<String, Double> weights = new LinkedHashMap<>();
        draw.weights().forEach((name, weight) -> weights.put(name, weight.doubleValue()));
        return new WeightedMtpV1(
                        draw.samples(),
                        draw.seed(),
                        draw.balanceCorrect(),
                        draw.correctRatio().doubleValue(),
                        bins,
                        weights)
                .indices(new MetadataRows(
                        metadata.firstKeys().contains(IS_CORRECT),
                        metadata.firstKeys().contains(DIFFICULTY),
                        correct,
                        difficulty));
    }

    /** Whether Python takes a value for true. */
    private static boolean isTrue(@Nullable Object value) {
        return value instanceof Boolean bool
                ? bool
                : value instanceof Number number ? number.doubleValue() != 0 : value != null && !value.equals("");
    }
}
