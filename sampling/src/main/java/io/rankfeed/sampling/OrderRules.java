package io.rankfeed.sampling;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** What makes the numbers of an {@link Order} fit together (docs/format/plan.md, sections 1 and 3). */
final class OrderRules {
    private OrderRules() {}

    static void check(
            int lanes,
            int batch,
            int epochs,
            int stepsPerEpoch,
            EpochMode mode,
            RowOrder order,
            int window,
            List<Stratum> strata,
            List<Segment> segments) {
        require(
                lanes >= 1 && lanes <= Order.MAX_LANES,
                "lanes " + lanes + " must lie between 1 and " + Order.MAX_LANES);
        require(
                batch >= 1 && batch <= Order.MAX_BATCH && batch % lanes == 0,
                "batch " + batch + " must be a multiple of lanes " + lanes + ", at most " + Order.MAX_BATCH);
        require(
                epochs >= 1 && stepsPerEpoch >= 1,
                "epochs " + epochs + " and steps " + stepsPerEpoch + " must be positive");
        require(!strata.isEmpty(), "there must be a stratum");
        require(
                (long) lanes * strata.size() <= Order.MAX_COUNTERS,
                "lanes " + lanes + " times strata " + strata.size() + " must not exceed " + Order.MAX_COUNTERS);
        require(window == 1 || window == stepsPerEpoch, "window " + window + " must be 1 or the steps per epoch");
        require(window == 1 || order == RowOrder.GLOBAL, "planned order needs window 1, not " + window);
        checkNames(strata);
        long steps = (long) epochs * stepsPerEpoch;
        require(fits(steps, batch), "steps " + steps + " times batch " + batch + " must stay below 2^63");
        checkSegments(lanes, batch / lanes, steps, mode, order, strata.size(), segments);
        checkPools(lanes, mode, strata, segments);
        if (mode != EpochMode.STREAM) {
            checkSingle(batch, epochs, stepsPerEpoch, mode, strata, segments);
        }
    }

    private static void checkNames(List<Stratum> strata) {
        for (int s = 1; s < strata.size(); s++) {
            String before = strata.get(s - 1).name();
            String name = strata.get(s).name();
            require(compareNames(before, name) < 0, "strata must be ordered by name: '" + before + "', '" + name + "'");
        }
    }

    /** Names compare as their UTF-8 bytes do, not as Java's UTF-16 does. */
    static int compareNames(String a, String b) {
        return Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    private static void checkSegments(
            int lanes,
            int rowsPerLane,
            long steps,
            EpochMode mode,
            RowOrder order,
            int strata,
            List<Segment> segments) {
        long[] base = new long[strata];
        long end = 0;
        for (Segment segment : segments) {
            String where = "segment at step " + segment.step() + ": ";
            require(segment.step() == end, where + "must begin at step " + end);
            require(segment.steps() <= steps - end, where + "ends after the run's " + steps + " steps");
            end = segment.end();
            long length = segment.steps();
            require(fitsComb(length, rowsPerLane), where + length + " steps are too many for 64-bit arithmetic");
            require(fits(lanes, length), where + lanes + " lanes times " + length + " steps must stay below 2^63");
            require(order == RowOrder.GLOBAL || segment.c() == 0, where + "planned order needs c 0");
            require(
                    segment.quotas().size() == strata,
                    where + "has " + segment.quotas().size() + " quotas for " + strata + " strata");
            long room = length * rowsPerLane;
            for (int s = 0; s < strata; s++) {
                long quota = segment.quotas().get(s);
                require(quota <= room, where + "quotas exceed steps times rows per lane");
                room -= quota;
                require(
                        segment.base().get(s) == base[s],
                        where + "base " + segment.base().get(s) + " of stratum " + s + " must be " + base[s]);
                base[s] += mode == EpochMode.PADDED ? 0 : quota;
            }
            require(room == 0, where + "quotas must add up to steps times rows per lane, " + room + " are missing");
        }
        require(end == steps, "segments end at step " + end + " but the run has " + steps);
    }

    private static void checkPools(int lanes, EpochMode mode, List<Stratum> strata, List<Segment> segments) {
        for (int s = 0; s < strata.size(); s++) {
            Stratum stratum = strata.get(s);
            long drawn = 0;
            for (Segment segment : segments) {
                drawn = mode == EpochMode.PADDED
                        ? segment.quotas().get(s)
                        : drawn + segment.quotas().get(s);
            }
            require(
                    stratum.rows() <= lanes * drawn && (drawn == 0 || stratum.rows() > 0),
                    "stratum '" + stratum.name() + "': pool of " + stratum.rows() + " rows for " + lanes * drawn
                            + " draws");
        }
    }

    private static void checkSingle(
            int batch, int epochs, int stepsPerEpoch, EpochMode mode, List<Stratum> strata, List<Segment> segments) {
        require(strata.size() == 1, "mode " + mode.word() + " takes one stratum, not " + strata.size());
        require(segments.size() == epochs, "mode " + mode.word() + " needs one segment per epoch");
        for (int epoch = 0; epoch < epochs; epoch++) {
            Segment segment = segments.get(epoch);
            require(
                    segment.steps() == stepsPerEpoch && segment.number() == epoch,
                    "mode " + mode.word() + ": segment " + epoch + " must be epoch " + epoch);
        }
        long full = (long) stepsPerEpoch * batch;
        long rows = strata.get(0).rows();
        boolean fitting = mode == EpochMode.PASS ? rows == full : rows > full - batch && rows <= full && rows >= batch;
        require(
                fitting,
                "mode " + mode.word() + ": pool of " + rows + " rows does not fit " + stepsPerEpoch + " batches of "
                        + batch);
    }

    /** Whether a segment of so many steps keeps every sum of the comb below 2^63. */
    static boolean fitsComb(long steps, int rowsPerLane) {
        return steps < 1L << 32 && fits(steps, steps + rowsPerLane + 3);
    }

    static boolean fits(long a, long b) {
        return Math.multiplyHigh(a, b) == 0 && a * b >= 0;
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
