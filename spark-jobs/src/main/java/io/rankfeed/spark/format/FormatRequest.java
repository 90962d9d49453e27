package io.rankfeed.spark.format;

import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatOptions;
import io.rankfeed.export.format.known.Formats;
import io.rankfeed.job.FormatSection;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.failure.ConfigException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * An entry of {@code export.formats}, resolved.
 *
 * @param schema the columns that are written
 */
record FormatRequest(FormatSection section, Format format, SampleSchema schema) {
    /**
     * @param exported columns of the lanes
     * @throws ConfigException if a column is unknown
     */
    static FormatRequest of(FormatSection section, SampleSchema exported) {
        Format format = Formats.named(section.format().word());
        try {
            SampleSchema schema = section.columns().isEmpty()
                    ? exported
                    : new SampleSchema(
                            section.columns().stream().map(exported::field).toList());
            return new FormatRequest(section, format, schema);
        } catch (ConfigException e) {
            throw new ConfigException("export.formats: " + section.format().word() + ": columns: " + e.getMessage(), e);
        }
    }

    /**
     * Checks what can be refused without a row.
     *
     * @throws ConfigException if the format cannot store a column, or does not have an option
     */
    void check(Collection<String> feeds) {
        try {
            feeds.forEach(feed -> format.check(set(feed, 1, 1)));
        } catch (ConfigException e) {
            String message = String.valueOf(e.getMessage());
            String named = "format " + format.name();
            throw message.startsWith(named) ? e : new ConfigException(named + ": " + message, e);
        }
    }

    FormatOptions options() {
        return new FormatOptions(
                section.shardRows().orElse(0),
                section.shardBytes().map(ByteSize::bytes).orElse(0L),
                section.options());
    }

    /** The number of ranks that have a set each. */
    int ranks() {
        return section.ranks().orElse(1);
    }

    /** The folder of each rank; an empty one without ranks. */
    List<String> roots() {
        return section.ranks().isEmpty()
                ? List.of("")
                : IntStream.range(0, ranks())
                        .mapToObj(rank -> String.format(Locale.ROOT, "rank-%05d/", rank))
                        .toList();
    }

    /**
     * The set of a feed, of all its rows or those of a rank.
     *
     * @throws ConfigException if the format does not have an option
     */
    FileSet set(String feed, long rows, long lengthBytes) {
        return FileSet.of(format, feed, schema, rows, lengthBytes, options());
    }
}
