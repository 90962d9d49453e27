package io.rankfeed.feeder.cli;

import io.rankfeed.feeder.batch.RankOrder;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.sampling.BatchRows;
import io.rankfeed.sampling.FeedOrders;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the rows of one batch and where each came from. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        customSynopsis = "rankfeed explain [OPTIONS] --step=N VERSION-DIR",
        description =
                "Lists the rows that one rank gets in one step, in their order in the batch: identity, stratum and place"
                        + " in its list, the lane and file that holds the row, and the source file and row that it came"
                        + " from. Epochs, steps and ranks count from 0.",
        parameterListHeading = HelpLayout.PARAMETERS,
        optionListHeading = HelpLayout.OPTIONS,
        exitCodeListHeading = HelpLayout.EXIT_CODES,
        exitCodeList = {
            "0:listed",
            HelpLayout.BUG,
            HelpLayout.CONFIG,
            HelpLayout.CORRUPT,
            HelpLayout.ENVIRONMENT,
            HelpLayout.SIGNAL
        },
        footerHeading = "%nExample: what did rank 2 of 4 train on in step 17 of the second epoch?%n",
        footer = "  rankfeed explain VERSION-DIR --feed train --epoch 1 --step 17 --rank 2 --world 4")
public final class ExplainCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "VERSION-DIR", description = "The folder of a version, with manifest.json.")
    private Path path;

    @Option(names = "--feed", paramLabel = "NAME", description = "The feed. Default: ${DEFAULT-VALUE}.")
    private String feedName = "train";

    @Option(names = "--epoch", paramLabel = "N", description = "The epoch. Default: ${DEFAULT-VALUE}.")
    private long epoch;

    @Option(names = "--step", paramLabel = "N", required = true, description = "The step in the epoch; required.")
    private long step;

    @Option(names = "--rank", paramLabel = "N", description = "The global rank. Default: ${DEFAULT-VALUE}.")
    private int rank;

    @Option(names = "--world", paramLabel = "N", description = "How many ranks there are. Default: ${DEFAULT-VALUE}.")
    private int world = 1;

    @Override
    public Integer call() {
        OpenVersion version = OpenVersion.open(path);
        Feed feed = version.feed(feedName);
        RankOrder order = order(feed);
        requireBetween("--epoch", epoch, feed instanceof TrainFeed train ? train.epochs() : 1);
        requireBetween("--step", step, feed.stepsPerEpoch());
        long globalStep = epoch * feed.stepsPerEpoch() + step;
        BatchRows rows = new BatchRows(order.rows());
        order.fill(globalStep, rows);
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                Locale.ROOT,
                "# feed %s, epoch %d, step %d (global step %d of %d), rank %d of %d: %d rows%n",
                feedName,
                epoch,
                step,
                globalStep,
                order.steps(),
                rank,
                world,
                rows.size());
        out.println("place\trow_id\tstratum\tindex\tlane\tordinal\tfile\tsource\tsource_row");
        try (LaneCache cache = version.map(feedName, new LaneSelection(List.of(rank), world))) {
            LocatedRows located = new LocatedRows(version, feed, cache);
            for (int place = 0; place < rows.size(); place++) {
                out.println(place + "\t" + located.line(rows, place));
            }
        }
        out.flush();
        return 0;
    }

    private RankOrder order(Feed feed) {
        return switch (feed) {
            case TrainFeed train -> RankOrder.train(FeedOrders.of(train), rank, world);
            case SequentialFeed list -> RankOrder.sequential(FeedOrders.of(list), rank, world);
        };
    }

    private static void requireBetween(String flag, long value, long count) {
        if (value < 0 || value >= count) {
            throw new ConfigException(flag + " " + value + " does not exist; the feed has " + count
                    + (count == 0 ? "" : ", 0 to " + (count - 1)));
        }
    }
}
