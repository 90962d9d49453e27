package io.rankfeed.schema.order;

import static io.rankfeed.schema.order.Rules.require;

import java.util.List;

/** Checks the pools of a {@link TrainFeed} whose segments are valid (docs/format/plan.md, sections 3.4 and 3.7). */
final class PoolRules {
    private PoolRules() {}

    static void check(TrainFeed feed) {
        String where = "feed '" + feed.name() + "': ";
        List<Stratum> strata = feed.strata();
        if (feed.mode() != EpochMode.STREAM) {
            checkEpochs(feed, where + "mode " + feed.mode().word() + ": ");
        }
        long[] drawn = drawn(feed);
        for (int s = 0; s < drawn.length; s++) {
            Stratum stratum = strata.get(s);
            long draws = feed.lanes() * drawn[s];
            require(
                    draws == 0 || stratum.rows() > 0,
                    where + "stratum '" + stratum.name() + "': pool of " + stratum.rows() + " rows for " + draws
                            + " draws");
            require(
                    stratum.rows() <= OrderLimits.MAX_POOL - feed.steps() * feed.batch(),
                    where + "stratum '" + stratum.name() + "': pool of " + stratum.rows()
                            + " rows is too large for 64-bit arithmetic");
        }
    }

    /** Units of each stratum in the run; in an epoch of a padded feed. */
    static long[] drawn(TrainFeed feed) {
        long[] drawn = new long[feed.strata().size()];
        for (Segment segment : feed.segments()) {
            for (int s = 0; s < drawn.length; s++) {
                long quota = segment.quotas().get(s);
                drawn[s] = feed.mode() == EpochMode.PADDED ? quota : drawn[s] + quota;
            }
        }
        return drawn;
    }

    /** Whether a run draws its pools to their end, and an epoch of a pass all rows: format 1 has no other pools. */
    static boolean areDrawn(TrainFeed feed) {
        long[] drawn = drawn(feed);
        for (int s = 0; s < drawn.length; s++) {
            if (feed.strata().get(s).rows() > feed.lanes() * drawn[s]) {
                return false;
            }
        }
        return feed.mode() != EpochMode.PASS
                || feed.strata().get(0).rows() == (long) feed.stepsPerEpoch() * feed.batch();
    }

    private static void checkEpochs(TrainFeed feed, String mode) {
        long full = (long) feed.stepsPerEpoch() * feed.batch();
        long rows = feed.strata().get(0).rows();
        int stored = feed.members().get(0).lanes();
        boolean fits =
                switch (feed.mode()) {
                    case PASS -> full <= rows - rows % stored;
                    default -> rows > full - feed.batch() && rows <= full && rows >= feed.batch();
                };
        require(
                fits,
                mode + "pool of " + rows + " rows does not fit " + feed.stepsPerEpoch() + " batches of "
                        + feed.batch());
    }
}
