package io.rankfeed.schema.order;

import static io.rankfeed.schema.order.Rules.require;

import java.util.List;

/** Checks the numbers of a {@link TrainFeed} (docs/format/plan.md, sections 1, 3 and 10.1). */
final class TrainFeedRules {
    private final TrainFeed feed;
    private final String where;
    private final List<Stratum> strata;

    private TrainFeedRules(TrainFeed feed) {
        this.feed = feed;
        this.where = "feed '" + feed.name() + "': ";
        this.strata = feed.strata();
    }

    static void check(TrainFeed feed) {
        Rules.requireFeed(feed.name(), feed.lanes(), feed.batch());
        MemberRules.check(feed);
        TrainFeedRules rules = new TrainFeedRules(feed);
        rules.checkNumbers();
        rules.checkSegments();
        rules.checkEpochStarts();
        if (feed.mode() != EpochMode.STREAM) {
            rules.checkEpochs();
        }
        PoolRules.check(feed);
    }

    private void checkNumbers() {
        int window = feed.window();
        require(
                feed.epochs() >= 1 && feed.stepsPerEpoch() >= 1,
                where + "epochs " + feed.epochs() + " and steps per epoch " + feed.stepsPerEpoch()
                        + " must be positive");
        require(!feed.segments().isEmpty(), where + "has no segment");
        require(
                window == 1 || window == feed.stepsPerEpoch(),
                where + "window " + window + " must be 1 or the steps per epoch");
        require(
                window == 1 || feed.order() == RowOrder.GLOBAL,
                where + "order planned requires window 1, not " + window);
    }

    private void checkSegments() {
        long steps = (long) feed.epochs() * feed.stepsPerEpoch();
        long[] base = new long[strata.size()];
        long end = 0;
        boolean full = false;
        for (Segment segment : feed.segments()) {
            String at = where + "segment at step " + segment.step() + ": ";
            require(segment.step() == end, at + "must begin at step " + end);
            require(segment.steps() <= steps - end, at + "ends after the run of " + steps + " steps");
            end = segment.end();
            full |= checkBatch(segment, at);
            checkLength(segment, at);
            require(feed.order() == RowOrder.GLOBAL || segment.c() == 0, at + "order planned requires c 0");
            checkQuotas(segment, base, at);
        }
        boolean lastIsShorter = feed.isStored() && end > steps - feed.stepsPerEpoch();
        require(
                end == steps || lastIsShorter || !feed.epochStarts().isEmpty(),
                where + "segments end at step " + end + ", but the run has " + steps);
        require(
                OrderLimits.fits(end, feed.batch()),
                where + end + " steps times batch " + feed.batch() + " must be less than 2^63");
        require(full, where + "no segment has the largest batch " + feed.batch());
    }

    /** Returns whether the segment has the batch of the feed. */
    private boolean checkBatch(Segment segment, String at) {
        if (segment.batch().isEmpty()) {
            return true;
        }
        int batch = segment.batch().getAsInt();
        require(
                batch >= 1 && batch < feed.batch() && batch % feed.lanes() == 0,
                at + "batch " + batch + " must be a multiple of " + feed.lanes() + " lanes, less than " + feed.batch());
        require(!feed.epochStarts().isEmpty(), at + "a batch of its own requires epochStarts");
        return false;
    }

    private void checkLength(Segment segment, String at) {
        long steps = segment.steps();
        require(
                OrderLimits.fitsComb(steps, feed.rowsPerLane(segment)) && OrderLimits.fits(feed.lanes(), steps),
                at + steps + " steps are too many for 64-bit arithmetic");
    }

    /** Adds the quotas to {@code base}. */
    private void checkQuotas(Segment segment, long[] base, String at) {
        List<Long> quotas = segment.quotas();
        require(quotas.size() == base.length, at + quotas.size() + " quotas for " + base.length + " strata");
        long rows = segment.steps() * feed.rowsPerLane(segment);
        long left = rows;
        for (int s = 0; s < base.length; s++) {
            long quota = quotas.get(s);
            require(quota <= left, at + "quotas exceed the " + rows + " rows of a lane");
            left -= quota;
            require(
                    segment.base().get(s) == base[s],
                    at + "base " + segment.base().get(s) + " of stratum " + s + " must be " + base[s]);
            base[s] += feed.mode() == EpochMode.PADDED ? 0 : quota;
        }
        require(left == 0, at + "quotas must add up to the " + rows + " rows of a lane; " + left + " are missing");
    }

    private void checkEpochStarts() {
        List<Long> starts = feed.epochStarts();
        if (starts.isEmpty()) {
            return;
        }
        require(
                feed.mode() == EpochMode.STREAM && feed.window() == 1,
                where + "epochStarts require mode stream and window 1");
        require(
                starts.size() == feed.epochs() && starts.size() <= OrderLimits.MAX_EPOCH_STARTS,
                where + starts.size() + " epochStarts for " + feed.epochs()
                        + " epochs: there must be one for each, at most " + OrderLimits.MAX_EPOCH_STARTS);
        long longest = 0;
        for (int e = 0; e < starts.size(); e++) {
            long start = starts.get(e);
            require(
                    e == 0 ? start == 0 : start > starts.get(e - 1),
                    where + "epochStarts must begin with 0 and increase; epoch " + e + " starts at step " + start);
            require(
                    start < feed.steps(),
                    where + "epoch " + e + " starts at step " + start + ", but the run has " + feed.steps());
            longest = Math.max(longest, feed.epochStart(e + 1) - start);
        }
        require(
                longest == feed.stepsPerEpoch(),
                where + "steps per epoch " + feed.stepsPerEpoch() + " must be the " + longest
                        + " steps of the longest epoch");
    }

    /** The modes whose epochs are segments draw from one stratum. */
    private void checkEpochs() {
        String mode = where + "mode " + feed.mode().word() + ": ";
        require(strata.size() == 1, mode + "takes one stratum, not " + strata.size());
        require(feed.segments().size() == feed.epochs(), mode + "requires one segment per epoch");
        for (int epoch = 0; epoch < feed.epochs(); epoch++) {
            Segment segment = feed.segments().get(epoch);
            require(
                    segment.steps() == feed.stepsPerEpoch() && segment.number() == epoch,
                    mode + "segment " + epoch + " must be epoch " + epoch);
        }
    }
}
