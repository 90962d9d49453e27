package io.rankfeed.feeder.explain;

import io.rankfeed.feeder.batch.RankOrder;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.plan.LocalOrder;
import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.TrainFeed;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the rows of one batch and where each came from. */
@Command(
        name = "explain",
        sortOptions = false,
        customSynopsis = {
            "rankfeed explain [OPTIONS] --step=N VERSION-DIR",
            "rankfeed explain [OPTIONS] --row=KEY VERSION-DIR"
        },
        description = "List the rows that one rank gets in one step, in their order in the batch: identity, stratum and"
                + " index in its list, the lane and file that holds the row, and the source file and row that it"
                + " came from. Or, with --row, every step of the run at which a row is seen, and where in it."
                + " Epochs, steps, stages, segments (stretches of steps with one set of quotas: a stage, or its"
                + " part of an epoch) and ranks count from 0.",
        exitCodeList = {"0:listed"},
        footerHeading =
                "%nExample: what did rank 2 of 4 train on in step 17 of the second epoch? When was a row seen?%n",
        footer = {
            "  rankfeed explain VERSION-DIR --feed train --epoch 1 --step 17 --rank 2 --world 4",
            "  rankfeed explain VERSION-DIR --row 1575_A_correct_3 --world 4 --columns difficulty"
        })
public final class ExplainCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private LocalOrder version = new LocalOrder();

    @Option(names = "--feed", paramLabel = "NAME", description = "The feed. Default: ${DEFAULT-VALUE}.")
    private String feedName = "train";

    @Mixin
    private StepOption step = new StepOption();

    @Option(
            names = "--row",
            paramLabel = "KEY",
            description =
                    "A row: its key, its row id, the key of a row that was packed into it, or its source and row in it, as in solutions/part-0.parquet:17. Of a"
                            + " key of several columns one --row each, in the order of the job's key. A space after"
                            + " the colon is allowed.")
    private List<String> row = new ArrayList<>();

    @Option(
            names = "--columns",
            paramLabel = "NAMES",
            split = ",",
            description = "Also show the values of these columns, after those of the key. Default: none.")
    private List<String> columns = new ArrayList<>();

    @Option(names = "--rank", paramLabel = "N", description = "The global rank. Default: ${DEFAULT-VALUE}.")
    private int rank;

    @Option(names = "--world", paramLabel = "N", description = "Number of ranks. Default: ${DEFAULT-VALUE}.")
    private int world = 1;

    @Override
    public Integer call() {
        if (step.isGiven() != row.isEmpty()) {
            throw new ConfigException("give either --step, for the rows of a batch, or --row, for the steps of a row");
        }
        OpenOrder opened = version.open("explain");
        Feed feed = opened.feed(feedName);
        List<String> shown = shown(opened, feed);
        PrintWriter out = spec.commandLine().getOut();
        if (step.isGiven()) {
            batch(opened, feed, shown, out);
        } else {
            steps(opened, feed, shown, out);
        }
        out.flush();
        return 0;
    }

    private void batch(OpenOrder opened, Feed feed, List<String> shown, PrintWriter out) {
        RankOrder order = RankOrder.of(feed, rank, world);
        long globalStep = step.ofRun(feed);
        int epoch = feed.epochAt(globalStep);
        BatchRows rows = new BatchRows(order.rows());
        order.fill(globalStep, rows);
        try (LaneCache cache = opened.map(feedName, new LaneSelection(List.of(rank), world))) {
            LocatedRows located = new LocatedRows(opened, feed, cache, shown);
            List<String> lines = IntStream.range(0, rows.size())
                    .mapToObj(position -> position + "\t" + located.line(rows, position))
                    .toList();
            out.printf(
                    Locale.ROOT,
                    "# feed %s, epoch %d, step %d (global step %d of %d, stage %s, segment %s), rank %d of %d: %s; %s%n",
                    feedName,
                    epoch,
                    globalStep - feed.epochStart(epoch),
                    globalStep,
                    order.steps(),
                    Segments.stageAt(feed, globalStep),
                    Segments.numberAt(feed, globalStep),
                    rank,
                    world,
                    Plural.counted(rows.size(), "row"),
                    origin(opened, feed));
            out.println("place\t" + located.heads());
            lines.forEach(out::println);
        }
    }

    private void steps(OpenOrder opened, Feed feed, List<String> shown, PrintWriter out) {
        RankOrder.of(feed, rank, world);
        try (LaneCache cache = opened.map(feedName, LaneSelection.all())) {
            RowVisits visits = new RowVisits(feed, cache, world);
            List<RowVisits.Found> found = visits.find(opened.versions(feed), row);
            if (found.isEmpty()) {
                throw new ConfigException("--row " + String.join(" ", row) + ": feed '" + feedName + "' of "
                        + opened.words() + " has no such row; " + why(opened.versions(feed)));
            }
            LocatedRows located = new LocatedRows(opened, feed, cache, shown);
            List<String> lines = found.stream()
                    .flatMap(one -> visits.lines(one, located).stream())
                    .toList();
            out.printf(
                    Locale.ROOT,
                    "# feed %s, row %s, seen %s in the run, world %d; %s%n",
                    feedName,
                    String.join(" ", row),
                    Plural.counted(lines.size(), "time"),
                    world,
                    origin(opened, feed));
            out.println("epoch\tstep\tglobal_step\tstage\tsegment\trank\tplace\t" + located.heads());
            lines.forEach(out::println);
        }
    }

    /** Why no row has the key: a version has it only if it cannot be a key there. */
    private String why(List<OpenVersion> versions) {
        List<String> misfits = versions.stream()
                .flatMap(version -> RowKey.misfit(row, version.manifest().origin(), version.schema()).stream())
                .toList();
        return misfits.size() == versions.size() ? misfits.getFirst() : "a version holds only what its plan chose";
    }

    /** Returns the exported columns of the keys, and the columns that the user asked for. */
    private List<String> shown(OpenOrder opened, Feed feed) {
        Stream<String> keys =
                opened.versions(feed).stream().flatMap(version -> version.manifest().origin().key().stream());
        return Stream.concat(
                        keys.filter(
                                column -> opened.columns().schema().find(column).isPresent()),
                        columns.stream())
                .distinct()
                .toList();
    }

    /** Describes the version; of a mixture, that of each member. */
    private static String origin(OpenOrder opened, Feed feed) {
        List<OpenVersion> versions = opened.versions(feed);
        if (!(opened.isMixture() && feed instanceof TrainFeed train)) {
            return origin(versions.getFirst());
        }
        return opened.words()
                + IntStream.range(0, versions.size())
                        .mapToObj(m -> "; member " + train.members().get(m).name() + ", " + origin(versions.get(m)))
                        .collect(Collectors.joining());
    }

    /** Describes the version, the plan and the prepared table that it was made from, and the versions of their source tables. */
    private static String origin(OpenVersion version) {
        String tables = version.manifest().origin().tables().entrySet().stream()
                .map(table -> ", table " + table.getKey() + " at version " + table.getValue())
                .collect(Collectors.joining());
        return artifacts(version) + tables;
    }

    private static String artifacts(OpenVersion version) {
        String inputs = version.manifest().inputs().stream()
                .map(input -> input instanceof Input.ArtifactInput made ? ", " + made.kind() + " " + made.id() : "")
                .collect(Collectors.joining());
        return "version " + version.manifest().id() + " of dataset "
                + version.manifest().dataset() + inputs
                + (version.hasOrder() && !inputs.contains(version.order().plan())
                        ? ", by plan " + version.order().plan() + " over it"
                        : "");
    }
}
