package io.rankfeed.report;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.io.PrintWriter;
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
        print(report, json, line);
    }

    /** Prints a report as one JSON object or as text. */
    public static void print(Report report, boolean isJson, CommandLine line) {
        PrintWriter out = line.getOut();
        if (isJson) {
            out.println(json(report));
        } else {
            boolean isVerbose = line.getParseResult().hasMatchedOption("--verbose");
            ReportText.lines(report, isVerbose).forEach(out::println);
        }
        out.flush();
    }

    /** The report as one JSON object. */
    public static String json(Report report) {
        return ReportJson.text(report);
    }

    /**
     * Makes the folder of the pictures, if any are asked for, before work that takes long.
     *
     * @throws EnvironmentException if it cannot be made
     */
    public void makeFolder() {
        if (pictures != null) {
            make(pictures);
        }
    }

    private static void make(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("no picture can be written into " + folder, folder, e), e);
        }
    }

    private static void draw(Report report, Path folder) {
        if (report.pictures().isEmpty()) {
            throw new ConfigException("--pictures: nothing to draw for this path; omit --pictures");
        }
        make(folder);
        report.pictures().forEach((name, picture) -> {
            try {
                Files.writeString(folder.resolve(name + ".svg"), picture.svg(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new EnvironmentException(IoReason.of("no picture can be written into " + folder, folder, e), e);
            }
        });
    }
}
