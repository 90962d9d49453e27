package io.rankfeed.schema.order;

import static io.rankfeed.schema.order.Rules.require;

import java.util.List;

/** Checks the pools of a {@link TrainFeed} whose segments are valid (docs/format/plan.md, section 3.4; order-2.md, section 2). */
final class PoolRules {
    private PoolRules() {}

    static void check(TrainFeed feed) {
        String where = "feed '" + feed.name() + "': ";
        List<Stratum> strata = feed.strata();
        if (feed.mode() != EpochMode.STREAM) {
            checkEpochs(feed, where + "mode " + feed.mode().word() + ": ");
        }
        long[] drawn = new long[strata.size()];
        for (Segment segment : feed.segments()) {
            for (int s = 0; s < drawn.length; s++) {
                long quota = segment.quotas().get(s);
                drawn[s] = feed.mode() == EpochMode.PADDED ? quota : drawn[s] + quota;
            }
        }
        for (int s = 0; s < drawn.length; s++) {
            Stratum stratum = strata.get(s);
            long draws = feed.lanes() * drawn[s];
            require(
                    (feed.isStored() || stratum.rows() <= draws) && (draws == 0 || stratum.rows() > 0),
                    where + "stratum '" + stratum.name() + "': pool of " + stratum.rows() + " rows for " + draws
                            + " draws");
            require(
                    !feed.isStored() || stratum.rows() <= OrderLimits.MAX_POOL - feed.steps() * feed.batch(),
                    where + "stratum '" + stratum.name() + "': pool of " + stratum.rows()
                            + " rows is too large for 64-bit arithmetic");
        }
    }

    private static void checkEpochs(TrainFeed feed, String mode) {
        long full = (long) feed.stepsPerEpoch() * feed.batch();
        long rows = feed.strata().get(0).rows();
        int stored = feed.members().get(0).lanes();
        boolean fits =
                switch (feed.mode()) {
                    case PASS -> feed.isStored() ? full <= rows - rows % stored : rows == full;
                    default -> rows > full - feed.batch() && rows <= full && rows >= feed.batch();
                };
        require(
                fits,
                mode + "pool of " + rows + " rows does not fit " + feed.stepsPerEpoch() + " batches of "
                        + feed.batch());
    }
}
