package io.rankfeed.export.format;

import io.rankfeed.schema.failure.ConfigException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The settings of a format.
 *
 * @param shardRows maximum rows of a file, or 0
 * @param shardBytes maximum bytes of a file that has more than one row, or 0
 * @param others options of the format by name
 */
public record FormatOptions(long shardRows, long shardBytes, Map<String, String> others) {
    public FormatOptions {
        others = Map.copyOf(others);
        if (shardRows < 0 || shardBytes < 0) {
            throw new ConfigException("shard-rows and shard-bytes must be at least 1");
        }
    }

    /** No limits and no options. */
    public static FormatOptions none() {
        return new FormatOptions(0, 0, Map.of());
    }

    public FormatOptions with(String name, String value) {
        Map<String, String> more = new TreeMap<>(others);
        more.put(name, value);
        return new FormatOptions(shardRows, shardBytes, more);
    }

    public String text(String name, String otherwise) {
        return others.getOrDefault(name, otherwise);
    }

    /**
     * The value of an option of a format.
     *
     * @param values that it can have; the first is the default
     * @throws ConfigException if it is another one
     */
    public String oneOf(String format, String name, String... values) {
        String value = text(name, values[0]);
        if (!List.of(values).contains(value)) {
            throw new ConfigException(
                    "format " + format + ": " + name + ": '" + value + "' must be one of " + String.join(", ", values));
        }
        return value;
    }
}
