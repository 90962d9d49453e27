package io.rankfeed.feeder.transform;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import java.util.List;
import java.util.Optional;

/**
 * The normalization that the trainer's client applies on its device: (pixel / 255 − mean) / std, by channel. The feeder sends bytes.
 *
 * @param from source of the values: the statistics that the job measured for the source column (prepare.statistics), one mean and
 *     one standard deviation for all channels; excludes {@code mean} and {@code std}
 * @param mean means of red, green and blue, for pixels from 0 to 1
 * @param std standard deviations of red, green and blue, for pixels from 0 to 1
 * @param channelsLast torch's memory format of the result, whose shape is [rows, 3, height, width] in either case
 */
public record Normalization(
        Optional<From> from,
        Optional<List<Double>> mean,
        Optional<List<Double>> std,
        @Default("float32") Type dtype,
        @Default("true") boolean channelsLast) {
    private static final int CHANNELS = 3;

    /** The source of mean and standard deviation. */
    public enum From {
        VERSION
    }

    /** The element type of the result. */
    public enum Type {
        FLOAT32,
        BFLOAT16,
        FLOAT16
    }

    public Normalization {
        if (from.isPresent() == mean.isPresent() || from.isPresent() == std.isPresent()) {
            throw new BadValue("", "write mean and std, or from: version");
        }
        mean.ifPresent(values -> requireChannels("mean", values));
        std.ifPresent(values -> {
            requireChannels("std", values);
            if (values.stream().anyMatch(value -> value <= 0)) {
                throw new BadValue("std", values + " must be above 0");
            }
        });
    }

    private static void requireChannels(String key, List<Double> values) {
        if (values.size() != CHANNELS) {
            throw new BadValue(key, values + " must have three numbers, for red, green and blue in pixels of 0 to 1");
        }
    }

    /** Returns this normalization with the statistics of the version. */
    Normalization measured(double meanOfBytes, double stdOfBytes) {
        double scaled = meanOfBytes / 255;
        double deviation = stdOfBytes == 0 ? 1 : stdOfBytes / 255;
        return new Normalization(
                Optional.empty(),
                Optional.of(List.of(scaled, scaled, scaled)),
                Optional.of(List.of(deviation, deviation, deviation)),
                dtype,
                channelsLast);
    }
}
