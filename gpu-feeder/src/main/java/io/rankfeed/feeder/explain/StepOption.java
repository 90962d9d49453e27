package io.rankfeed.feeder.explain;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.TrainFeed;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a step of the run. */
public final class StepOption {
    @Option(
            names = "--epoch",
            paramLabel = "N",
            description = "The epoch in which --step counts. Default: --step counts over all epochs.")
    private @Nullable Long epoch;

    @Option(names = "--step", paramLabel = "N", description = "The step of the epoch in --epoch, or of the run.")
    private @Nullable Long step;

    boolean isGiven() {
        return step != null;
    }

    /**
     * Returns the step of the run; the first of the run or the epoch without {@code --step}.
     *
     * @throws ConfigException if the feed has no such epoch or step
     */
    public long ofRun(Feed feed) {
        long epochs = feed instanceof TrainFeed train ? train.epochs() : 1;
        long start = 0;
        long end = feed.epochStart((int) epochs);
        if (epoch != null) {
            require("--epoch", epoch, epochs, "epochs of the run");
            start = feed.epochStart(epoch.intValue());
            end = feed.epochStart(epoch.intValue() + 1);
        }
        long wanted = step == null ? 0 : step;
        require("--step", wanted, end - start, "steps of " + (epoch == null ? "the run" : "epoch " + epoch));
        return start + wanted;
    }

    private static void require(String flag, long value, long count, String what) {
        if (value < 0 || value >= count) {
            throw new ConfigException(flag + " " + value + " does not exist; "
                    + (count == 0 ? "the feed has none" : what + " are 0 to " + (count - 1)));
        }
    }
}
