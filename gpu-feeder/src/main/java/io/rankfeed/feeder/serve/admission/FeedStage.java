package io.rankfeed.feeder.serve.admission;

import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Steps of one stage of the job, and of one batch size.
 *
 * @param step the first one
 * @param stage of the job, from 0; 0 in a feed without stages
 * @param batch rows of a global batch
 * @param rows of each stratum in all of these steps, over all ranks; empty in a sequential feed
 */
public record FeedStage(long step, long stage, int batch, List<Long> rows) {
    public FeedStage {
        rows = List.copyOf(rows);
    }

    /** Returns the stages of a feed in the order of their steps. */
    static List<FeedStage> of(TrainFeed feed) {
        List<FeedStage> stages = new ArrayList<>();
        for (Segment segment : feed.segments()) {
            FeedStage next = of(feed, segment);
            int last = stages.size() - 1;
            if (last >= 0
                    && stages.get(last).stage() == next.stage()
                    && stages.get(last).batch() == next.batch()) {
                stages.set(last, stages.get(last).plus(next));
            } else {
                stages.add(next);
            }
        }
        return stages;
    }

    private static FeedStage of(TrainFeed feed, Segment segment) {
        // The segments of the other modes are epochs.
        long stage = feed.mode() == EpochMode.STREAM ? segment.stage() : 0;
        List<Long> rows =
                segment.quotas().stream().map(units -> units * feed.lanes()).toList();
        return new FeedStage(segment.step(), stage, feed.batch(segment), rows);
    }

    private FeedStage plus(FeedStage next) {
        List<Long> sums = IntStream.range(0, rows.size())
                .mapToObj(s -> rows.get(s) + next.rows.get(s))
                .toList();
        return new FeedStage(step, stage, batch, sums);
    }
}
