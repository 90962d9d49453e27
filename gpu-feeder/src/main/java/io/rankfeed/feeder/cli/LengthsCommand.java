package io.rankfeed.feeder.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.remote.RemoteFolder;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.transform.Rejections;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures the batches of a version: tokens and padding. */
@Command(
        name = "simulate",
        sortOptions = false,
        customSynopsis = "rankfeed simulate --lengths [OPTIONS] VERSION-DIR",
        description = {
            "Measure every batch of a feed: how many tokens it has and how much padding, for each world size. Reads the"
                    + " lengths of the rows, not their values.",
            "",
            "Columns:",
            "  tokens            elements of padded columns and of texts in a step, over all ranks: mean and most",
            "  padding           share of padding in the tensors of the run; worst: in the step that has most",
            "  imbalance         tokens of the rank that has most in a step, by the mean of its ranks; mean over the steps"
        },
        exitCodeList = {"0:measured"},
        footer = {
            "  rankfeed simulate --lengths VERSION-DIR --feed train",
            "  rankfeed simulate --lengths VERSION-DIR --config feed.yaml --world 8 --json"
        })
public final class LengthsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    // Tells the command from the one that simulates plans, which the launcher starts without this option.
    @SuppressWarnings("UnusedVariable")
    @Option(names = "--lengths", required = true, description = "Measure batches.")
    private boolean lengths;

    @Parameters(index = "0", paramLabel = "VERSION-DIR", description = "The folder of a version, with manifest.json.")
    private String words = "";

    @Option(names = "--feed", paramLabel = "NAME", description = "Only this feed. Default: every feed.")
    private Optional<String> feed = Optional.empty();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "A feed file, whose columns and text rules are applied. Default: every column of the version.")
    private Optional<Path> config = Optional.empty();

    @Option(
            names = "--world",
            paramLabel = "N",
            description = "Only this number of ranks. Default: each that divides the lanes.")
    private Optional<Integer> world = Optional.empty();

    @Option(names = "--json", description = "Print JSON instead of a table. Default: no.")
    private boolean json;

    @Override
    public Integer call() {
        OpenVersion version = OpenVersion.open(RemoteFolder.local(words, "simulate --lengths"));
        FeedConfig settings = config.map(FeedConfig::read).orElseGet(FeedConfig::defaults);
        List<String> names = version.order().feeds().stream().map(Feed::name).toList();
        if (feed.isPresent() && !names.contains(feed.get())) {
            throw new ConfigException("--feed " + feed.get() + ": the version has no feed of that name"
                    + Suggestion.hint(feed.get(), names));
        }
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        PrintWriter out = spec.commandLine().getOut();
        try (GatherPool pool = new GatherPool(0)) {
            for (String name : feed.map(List::of).orElse(names)) {
                ColumnSelection columns = settings.columns().getOrDefault(name, ColumnSelection.all());
                try (LaneCache cache = version.map(name, LaneSelection.all())) {
                    Rejections rejections = new Rejections(spec.commandLine().getErr()::println);
                    List<Integer> worlds = worlds(version.feed(name));
                    LengthReport report = LengthReport.of(version, name, columns, worlds, cache, pool, rejections);
                    all.set(name, report.toJson());
                    if (!json) {
                        report.print(out);
                    }
                }
            }
        }
        if (json) {
            out.println(new String(CanonicalJson.indented(all), StandardCharsets.UTF_8).strip());
        }
        out.flush();
        return 0;
    }

    private List<Integer> worlds(Feed measured) {
        if (world.isPresent()) {
            if (world.get() < 1 || measured.lanes() % world.get() != 0) {
                throw new ConfigException(String.format(
                        Locale.ROOT,
                        "--world %d does not divide the %d lanes of feed '%s'",
                        world.get(),
                        measured.lanes(),
                        measured.name()));
            }
            return List.of(world.get());
        }
        return IntStream.rangeClosed(1, measured.lanes())
                .filter(ranks -> measured.lanes() % ranks == 0)
                .boxed()
                .toList();
    }
}
