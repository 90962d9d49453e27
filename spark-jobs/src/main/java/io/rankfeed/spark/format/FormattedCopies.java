package io.rankfeed.spark.format;

import io.rankfeed.export.format.FileSet;
import io.rankfeed.job.ExportSection;
import io.rankfeed.job.FormatSection;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.engine.ConfigErrors;
import io.rankfeed.spark.export.Version;
import io.rankfeed.spark.run.JobContext;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/** The formats of a job other than lanes. */
public final class FormattedCopies {
    private FormattedCopies() {}

    /**
     * Checks what can be refused without a row.
     *
     * @param exported columns of the lanes
     * @param feeds their names
     * @param errors gets one for each format that cannot be written
     */
    public static void check(SampleSchema exported, ExportSection section, Set<String> feeds, ConfigErrors errors) {
        for (FormatSection format : section.otherFormats()) {
            errors.check(() -> FormatRequest.of(format, exported).check(feeds));
        }
    }

    /** Writes each format after the version, or finds it written, and reports each when it is complete. */
    public static void run(JobContext context, Version version, Consumer<FormattedCopy> written) {
        List<FormatSection> formats = context.job().export().otherFormats();
        if (formats.isEmpty()) {
            return;
        }
        VersionLanes lanes = VersionLanes.of(context, version);
        formats.forEach(format -> written.accept(FormatExport.run(context, lanes, format)));
    }

    /**
     * Describes the files of a feed in each format, as a line for users.
     *
     * @param rows of the feed in the lanes
     * @param meanBytes of a row in the lanes
     * @throws ConfigException if the format cannot be written
     */
    public static void preview(
            SampleSchema exported,
            ExportSection section,
            String feed,
            long rows,
            double meanBytes,
            Consumer<String> out) {
        for (FormatSection format : section.otherFormats()) {
            FormatRequest request = FormatRequest.of(format, exported);
            long perRank = (rows + request.ranks() - 1) / request.ranks();
            FileSet set = request.set(feed, perRank, (long) (perRank * meanBytes));
            out.accept(String.format(
                    Locale.ROOT,
                    "%s: %s: %s, about %s in %s%s",
                    request.format().name(),
                    feed,
                    Plural.counted(rows, "row"),
                    ByteSize.rounded((long) (rows * meanBytes)),
                    Plural.counted((long) set.parts() * request.ranks(), "part"),
                    format.ranks().isPresent() ? " for " + Plural.counted(request.ranks(), "rank") : ""));
        }
    }
}
