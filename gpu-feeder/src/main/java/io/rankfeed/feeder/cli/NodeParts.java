package io.rankfeed.feeder.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.plan.NamedOrder;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.serve.admission.World;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.transform.Rejections;
import io.rankfeed.look.SimulateCommand;
import io.rankfeed.report.Report;
import io.rankfeed.report.ReportOutput;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Order;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import picocli.CommandLine.Model.CommandSpec;

/** What the feeder adds to the commands that it shares with the jobs: batches of a version whose lanes are on this node. */
public final class NodeParts implements SimulateCommand.Parts {
    @Override
    public Order ofJob(String file, List<String> assignments) {
        throw new ConfigException(
                file + ": the Spark part simulates job files, because it counts their strata: pip install"
                        + " 'rankfeed[spark]'; or give the folder of a plan or a version");
    }

    @Override
    public String moreMemory() {
        return "RANKFEED_JAVA_OPTS=-Xmx16g";
    }

    @Override
    public void measure(SimulateCommand.Measured batches, ReportOutput output, CommandSpec spec) {
        OpenOrder opened = NamedOrder.local(batches.version(), batches.plan(), "simulate --lengths");
        FeedConfig settings = batches.config().map(FeedConfig::read).orElseGet(FeedConfig::defaults);
        List<String> names = opened.order().feeds().stream().map(Feed::name).toList();
        Optional<String> feed = batches.feed();
        if (feed.isPresent() && !names.contains(feed.get())) {
            throw new ConfigException("--feed " + feed.get() + ": " + opened.words() + " has no feed of that name"
                    + Suggestion.hint(feed.get(), names));
        }
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        Report text = new Report();
        try (GatherPool pool = new GatherPool(0)) {
            for (String name : feed.map(List::of).orElse(names)) {
                ColumnSelection columns = settings.columns().getOrDefault(name, ColumnSelection.all());
                try (LaneCache cache = opened.map(name, LaneSelection.all())) {
                    Rejections rejections = new Rejections(spec.commandLine().getErr()::println);
                    List<Integer> worlds = worlds(batches.world(), opened.feed(name));
                    LengthReport report = LengthReport.of(opened, name, columns, worlds, cache, pool, rejections);
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

    private static List<Integer> worlds(Optional<Integer> world, Feed measured) {
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
