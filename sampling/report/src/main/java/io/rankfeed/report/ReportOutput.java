package io.rankfeed.report;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Options for the output of a report and its pictures. */
public final class ReportOutput {
    @Option(names = "--json", description = "Print one JSON object instead of text. Default: off.")
    private boolean json;

    @Option(
            names = "--pictures",
            paramLabel = "DIR",
            description = "Write pictures, as SVG, to this local folder. Default: no pictures.")
    private @Nullable Path pictures;

    public boolean isJson() {
        return json;
    }

    /** @throws ConfigException if pictures are asked for where {@code option} draws none */
    public void requireNoPictures(String option) {
        if (pictures != null) {
            throw new ConfigException("--pictures: " + option + " draws nothing; omit --pictures");
        }
    }

    public void print(Report report, CommandLine line) {
        if (pictures != null) {
            draw(report, pictures);
        }
        boolean isVerbose = line.getParseResult().hasMatchedOption("--verbose");
        line.getOut().println(json ? json(report) : String.join("\n", ReportText.lines(report, isVerbose)));
        line.getOut().flush();
    }

    /** The report as one JSON object. */
    public static String json(Report report) {
        return ReportJson.text(report);
    }

    private static void draw(Report report, Path folder) {
        if (report.pictures().isEmpty()) {
            throw new ConfigException("--pictures: nothing to draw for this path; omit --pictures");
        }
        report.pictures().forEach((name, picture) -> {
            try {
                Files.createDirectories(folder);
                Files.writeString(folder.resolve(name + ".svg"), picture.svg(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new EnvironmentException(IoReason.of("no picture can be written into " + folder, folder, e), e);
            }
        });
    }
}
