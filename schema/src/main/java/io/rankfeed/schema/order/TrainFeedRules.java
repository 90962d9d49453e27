package io.rankfeed.schema.order;

import static io.rankfeed.schema.order.Rules.require;

import java.util.List;

/** Checks the numbers of a {@link TrainFeed} (docs/format/plan.md, sections 1 and 3). */
final class TrainFeedRules {
    private final TrainFeed feed;
    private final String where;

    private TrainFeedRules(TrainFeed feed) {
        this.feed = feed;
        this.where = "feed '" + feed.name() + "': ";
    }

    static void check(TrainFeed feed) {
        Rules.requireFeed(feed.name(), feed.lanes(), feed.batch());
        TrainFeedRules rules = new TrainFeedRules(feed);
        rules.checkNumbers();
        rules.checkSegments();
        rules.checkPools();
        if (feed.mode() != EpochMode.STREAM) {
            rules.checkEpochs();
        }
    }

    private void checkNumbers() {
        int window = feed.window();
        int strata = feed.strata().size();
        require(
                feed.epochs() >= 1 && feed.stepsPerEpoch() >= 1,
                where + "epochs " + feed.epochs() + " and steps per epoch " + feed.stepsPerEpoch()
                        + " must be positive");
        require(
                OrderLimits.fits(feed.steps(), feed.batch()),
                where + feed.steps() + " steps times batch " + feed.batch() + " must be less than 2^63");
        require(
                window == 1 || window == feed.stepsPerEpoch(),
                where + "window " + window + " must be 1 or the steps per epoch");
        require(
                window == 1 || feed.order() == RowOrder.GLOBAL,
                where + "order planned requires window 1, not " + window);
        require(strata > 0, where + "has no stratum");
        require(
                (long) feed.lanes() * strata <= OrderLimits.MAX_COUNTERS,
                where + feed.lanes() + " lanes times " + strata + " strata exceed " + OrderLimits.MAX_COUNTERS);
        Rules.requireSorted(feed.strata().stream().map(Stratum::name).toList(), where + "strata");
    }

    private void checkSegments() {
        long steps = feed.steps();
        long[] base = new long[feed.strata().size()];
        long end = 0;
        for (Segment segment : feed.segments()) {
            String at = where + "segment at step " + segment.step() + ": ";
            require(segment.step() == end, at + "must begin at step " + end);
            require(segment.steps() <= steps - end, at + "ends after the run of " + steps + " steps");
            end = segment.end();
            checkLength(segment.steps(), at);
            require(feed.order() == RowOrder.GLOBAL || segment.c() == 0, at + "order planned requires c 0");
            checkQuotas(segment, base, at);
        }
        require(end == steps, where + "segments end at step " + end + ", but the run has " + steps);
    }

    private void checkLength(long steps, String at) {
        require(
                OrderLimits.fitsComb(steps, feed.rowsPerLane()) && OrderLimits.fits(feed.lanes(), steps),
                at + steps + " steps are too many for 64-bit arithmetic");
    }

    /** Adds the quotas to {@code base}. */
    private void checkQuotas(Segment segment, long[] base, String at) {
        List<Long> quotas = segment.quotas();
        require(quotas.size() == base.length, at + quotas.size() + " quotas for " + base.length + " strata");
        long rows = segment.steps() * feed.rowsPerLane();
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

    private void checkPools() {
        for (int s = 0; s < feed.strata().size(); s++) {
            Stratum stratum = feed.strata().get(s);
            long drawn = 0;
            for (Segment segment : feed.segments()) {
                long quota = segment.quotas().get(s);
                drawn = feed.mode() == EpochMode.PADDED ? quota : drawn + quota;
            }
            require(
                    stratum.rows() <= feed.lanes() * drawn && (drawn == 0 || stratum.rows() > 0),
                    where + "stratum '" + stratum.name() + "': pool of " + stratum.rows() + " rows for "
                            + feed.lanes() * drawn + " draws");
        }
    }

    /** The modes whose epochs are skips one stratum. */
    private void checkEpochs() {
        String mode = where + "mode " + feed.mode().word() + ": ";
        require(
                feed.strata().size() == 1,
                mode + "takes one stratum, not " + feed.strata().size());
        require(feed.segments().size() == feed.epochs(), mode + "requires one segment per epoch");
        for (int epoch = 0; epoch < feed.epochs(); epoch++) {
            Segment segment = feed.segments().get(epoch);
            require(
                    segment.steps() == feed.stepsPerEpoch() && segment.number() == epoch,
                    mode + "segment " + epoch + " must be epoch " + epoch);
        }
        long full = (long) feed.stepsPerEpoch() * feed.batch();
        long rows = feed.strata().get(0).rows();
        require(
                feed.mode() == EpochMode.PASS
                        ? rows == full
                        : rows > full - feed.batch() && rows <= full && rows >= feed.batch(),
                mode + "pool of " + rows + " rows does not fit " + feed.stepsPerEpoch() + " batches of "
                        + feed.batch());
    }
}
