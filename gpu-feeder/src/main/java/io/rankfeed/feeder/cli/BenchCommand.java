package io.rankfeed.feeder.cli;

import io.rankfeed.console.Console;
import io.rankfeed.console.LogLines;
import io.rankfeed.feeder.diagnose.FeedStretch;
import io.rankfeed.feeder.diagnose.Sweep;
import io.rankfeed.feeder.diagnose.Sweep.Run;
import io.rankfeed.report.Picture;
import io.rankfeed.report.Report;
import io.rankfeed.report.ReportOutput;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures a feed with several numbers of workers and slots. */
@Command(
        name = "bench",
        sortOptions = false,
        customSynopsis = "rankfeed bench [OPTIONS] VERSION-DIR",
        description =
                "Feed a version with 0, 1, 2, 4 and 8 workers and rings of depth 2, 3, 5 and 9, take batches as fast as they come,"
                        + " and print rows per second. Writes sweep.csv, heat-map.svg, curve.svg, and feed.yaml, the feed file with the"
                        + " best setting. --workers and --depth fix one of the two. Takes about three minutes.",
        exitCodeList = "0:measured",
        footer = "  rankfeed bench /data/out/products@latest --config conf/feeds/products.yaml --out sweep")
public final class BenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "The folder to write to; what is there with these names is replaced. Default: rankfeed-bench.")
    private Path out = Path.of("rankfeed-bench");

    @Option(
            names = "--batches",
            paramLabel = "N",
            description =
                    "Number of batches of each rank that are measured with each setting, for at least 4 s. Default: 200.")
    private long batches = 200;

    @Option(
            names = "--python",
            paramLabel = "PROGRAM",
            description = "The Python that takes batches. Default: the one that rankfeed is installed in.")
    private String python = "";

    @Option(names = "--json", description = "Print one JSON object instead of text. Default: off.")
    private boolean isJson;

    @Mixin
    private FeedFlags flags;

    @Parameters(
            index = "0",
            paramLabel = "VERSION-DIR",
            description = "A version, as for feed: a folder, an address in a remote store, or ROOT/DATASET@latest.")
    private String version;

    @Override
    public Integer call() throws InterruptedException {
        String given = flags.config == null ? "" : read(flags.config);
        FeedMeasurement measurement = new FeedMeasurement(flags, version, List.of(), python, batches);
        LogLines log = flags.logOption.startQuiet();
        List<Run> runs = new ArrayList<>();
        String feed = "";
        List<Integer> allWorkers = tried("--workers", flags.workers, Sweep.WORKERS);
        List<Integer> allDepths = tried("--depth", flags.depth, Sweep.DEPTHS);
        requireWritable();
        for (int workers : allWorkers) {
            for (int depth : allDepths) {
                flags.workers = Integer.toString(workers);
                flags.depth = Integer.toString(depth);
                FeedStretch stretch = measurement.run(log);
                feed = stretch.feed();
                runs.add(new Run(workers, depth, stretch.rows() / stretch.seconds()));
                Console.print(
                        spec.commandLine().getErr(),
                        String.format(
                                Locale.ROOT,
                                "bench: %d of %d: --workers %d --depth %d: %,.0f rows/s",
                                runs.size(),
                                allWorkers.size() * allDepths.size(),
                                workers,
                                depth,
                                runs.getLast().rowsPerSecond()));
            }
        }
        write(new Sweep(runs), feed, given);
        return 0;
    }

    private static List<Integer> tried(String flag, @Nullable String given, List<Integer> all) {
        OptionalInt number = given == null
                ? OptionalInt.empty()
                : FeedPlan.number(flag, given).number();
        return number.isEmpty() ? all : List.of(number.getAsInt());
    }

    private void write(Sweep sweep, String feed, String given) {
        Report report = sweep.report(feed);
        write("sweep.csv", sweep.csv());
        write("feed.yaml", sweep.feedFile(given));
        for (Map.Entry<String, Picture> picture : report.pictures().entrySet()) {
            write(picture.getKey() + ".svg", picture.getValue().svg());
        }
        report.answer("written: " + out.resolve("feed.yaml") + ", sweep.csv, heat-map.svg and curve.svg");
        ReportOutput.print(report, isJson, spec.commandLine());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("feed file " + file + " cannot be read", e), e);
        }
    }

    /** Before minutes of measuring; what is in the folder stays as it is. */
    private void requireWritable() {
        try {
            Files.createDirectories(out);
            Files.delete(Files.createTempFile(out, ".bench", ""));
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("folder " + out + " cannot be written to", out, e), e);
        }
    }

    private void write(String name, String text) {
        try {
            WholeFile.write(out.resolve(name), text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of(out.resolve(name) + " cannot be written", out, e), e);
        }
    }
}
