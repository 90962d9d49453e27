package io.rankfeed.sampling;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How many rows of each stratum the epochs of a stream draw, exactly: epochs may end inside a segment. */
final class Demand {
    /** The first epoch that needs more rows of a stratum than there are. */
    record Shortage(int stratum, int epoch, long wanted) {}

    private final long[] rows;
    private final long[] largestEpoch;
    private final @Nullable Shortage firstShortage;

    /** @param available rows of each stratum; what one epoch may draw where none is to come twice in it */
    Demand(List<Segment> segments, long[] available, int lanes, int epochCount, int stepsPerEpoch) {
        int strata = available.length;
        this.rows = new long[strata];
        this.largestEpoch = new long[strata];
        for (Segment segment : segments) {
            for (int s = 0; s < strata; s++) {
                rows[s] += segment.quotas().get(s) * lanes;
            }
        }
        Shortage shortage = null;
        long[] before = new long[strata];
        int at = 0;
        Comb comb = new Comb(segments.get(0), lanes);
        for (int epoch = 0; epoch < epochCount; epoch++) {
            long end = (epoch + 1L) * stepsPerEpoch;
            while (comb.end < end) {
                at++;
                comb = new Comb(segments.get(at), lanes);
            }
            long[] until = drawnByAllLanes(comb, segments.get(at), end, lanes);
            for (int s = 0; s < strata; s++) {
                long wanted = until[s] - before[s];
                largestEpoch[s] = Math.max(largestEpoch[s], wanted);
                if (shortage == null && wanted > available[s]) {
                    shortage = new Shortage(s, epoch, wanted);
                }
            }
            before = until;
        }
        this.firstShortage = shortage;
    }

    private static long[] drawnByAllLanes(Comb comb, Segment segment, long step, int lanes) {
        int strata = segment.quotas().size();
        long[] sum = new long[strata];
        if (step == comb.end) {
            for (int s = 0; s < strata; s++) {
                sum[s] = (segment.base().get(s) + segment.quotas().get(s)) * lanes;
            }
            return sum;
        }
        long[] drawn = new long[strata];
        for (int lane = 0; lane < lanes; lane++) {
            comb.drawnAll(lane, step, drawn, 0);
            for (int s = 0; s < strata; s++) {
                sum[s] += drawn[s];
            }
        }
        return sum;
    }

    /** Rows that the run draws of a stratum. */
    long rows(int stratum) {
        return rows[stratum];
    }

    /** Rows that the most demanding epoch draws of a stratum. */
    long largestEpoch(int stratum) {
        return largestEpoch[stratum];
    }

    @Nullable
    Shortage firstShortage() {
        return firstShortage;
    }
}
