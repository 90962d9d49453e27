package io.rankfeed.feeder.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.remote.VersionLocation;
import io.rankfeed.feeder.serve.admission.World;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.transform.Rejections;
import io.rankfeed.report.PlannedRun;
import io.rankfeed.report.Report;
import io.rankfeed.report.ReportOutput;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.order.Feed;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Simulates the planned run of a version, or measures its batches. */
@Command(
        name = "simulate",
        sortOptions = false,
        customSynopsis = "rankfeed simulate [OPTIONS] VERSION-DIR",
        description = {
            "Simulate the planned run of a version without its rows: strata as they are drawn, how often"
                    + " rows come, how much of the pools each epoch has seen, different rows in a batch, steps and"
                    + " rows per rank for every world size. Prints the answer in at most ten lines; --verbose prints"
                    + " tables and explains their columns.",
            "",
            "With --lengths, measure every batch instead: how many tokens it has and how much padding, for"
                    + " each world size. Reads the lengths of the rows, not their values. Columns:",
            "  tokens            elements of padded columns and of texts in a step, over all ranks: mean and most",
            "  padding           share of padding in the tensors of the run; worst: in the step that has most",
            "  imbalance         most tokens of a rank in a step by the mean of its ranks; mean over the steps",
            "",
            "Job files and plans are simulated by the Spark part: pip install 'rankfeed[spark]'."
        },
        exitCodeList = {"0:simulated"},
        footer = {
            "  rankfeed simulate VERSION-DIR --feed train --pictures pictures",
            "  rankfeed simulate --lengths VERSION-DIR --config feed.yaml --world 8 --json"
        })
public final class SimulateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "VERSION-DIR", description = FeedFlags.VERSION)
    private String words = "";

    @Option(
            names = "--feed",
            paramLabel = "NAME",
            description = "Only this feed. Default: every feed that trains; with --lengths every feed.")
    private Optional<String> feed = Optional.empty();

    @Option(names = "--lengths", description = "Measure batches. Default: simulate the plan.")
    private boolean lengths;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "With --lengths: a feed file, whose columns and text rules are applied. Default: every column"
                    + " of the version.")
    private Optional<Path> config = Optional.empty();

    @Option(
            names = "--world",
            paramLabel = "N",
            description = "With --lengths: only this number of ranks. Default: each that divides the lanes.")
    private Optional<Integer> world = Optional.empty();

    @Mixin
    private final ReportOutput output = new ReportOutput();

    @Override
    public Integer call() {
        OpenVersion version = OpenVersion.open(VersionLocation.local(words, "simulate"));
        if (lengths) {
            output.requireNoPictures("--lengths");
            measure(version);
            return 0;
        } else if (config.isPresent() || world.isPresent()) {
            throw new ConfigException((config.isPresent() ? "--config" : "--world") + " requires --lengths");
        }
        Report report = new Report();
        new PlannedRun(version.order(), feed, words, "RANKFEED_JAVA_OPTS=-Xmx16g")
                .describe(report, spec.commandLine().getErr());
        output.print(report, spec.commandLine());
        return 0;
    }

    private void measure(OpenVersion version) {
        FeedConfig settings = config.map(FeedConfig::read).orElseGet(FeedConfig::defaults);
        List<String> names = version.order().feeds().stream().map(Feed::name).toList();
        if (feed.isPresent() && !names.contains(feed.get())) {
            throw new ConfigException("--feed " + feed.get() + ": the version has no feed of that name"
                    + Suggestion.hint(feed.get(), names));
        }
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        Report text = new Report();
        try (GatherPool pool = new GatherPool(0)) {
            for (String name : feed.map(List::of).orElse(names)) {
                ColumnSelection columns = settings.columns().getOrDefault(name, ColumnSelection.all());
                try (LaneCache cache = version.map(name, LaneSelection.all())) {
                    Rejections rejections = new Rejections(spec.commandLine().getErr()::println);
                    List<Integer> worlds = worlds(version.feed(name));
                    LengthReport report = LengthReport.of(version, name, columns, worlds, cache, pool, rejections);
                    all.set(name, report.toJson());
                    report.describe(text);
                }
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        if (output.isJson()) {
            out.println(new String(CanonicalJson.indented(all), StandardCharsets.UTF_8).strip());
            out.flush();
        } else {
            output.print(text, spec.commandLine());
        }
    }

    private List<Integer> worlds(Feed measured) {
        if (world.isPresent()) {
            if (world.get() < 1 || measured.lanes() % world.get() != 0) {
                throw new ConfigException(String.format(
                        Locale.ROOT,
                        "--world %d does not divide the %d lanes of feed '%s'; choose one of %s",
                        world.get(),
                        measured.lanes(),
                        measured.name(),
                        World.divisors(measured.lanes())));
            }
            return List.of(world.get());
        }
        return IntStream.rangeClosed(1, measured.lanes())
                .filter(ranks -> measured.lanes() % ranks == 0)
                .boxed()
                .toList();
    }
}
