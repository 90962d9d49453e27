package io.rankfeed.sampling;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How many rows of each stratum the epochs of a stream draw, exactly: epochs may end inside a segment. */
final class Demand {
    /** The first epoch that needs more rows of a stratum than there are. */
    record Shortage(int stratum, int epoch, long wanted) {}

    private final long[] rows;
    private final long[][] epochs;

    Demand(List<Segment> segments, int strata, int lanes, int epochCount, int stepsPerEpoch) {
        this.rows = new long[strata];
        for (Segment segment : segments) {
            for (int s = 0; s < strata; s++) {
                rows[s] += segment.quotas().get(s) * lanes;
            }
        }
        this.epochs = new long[epochCount][strata];
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
                epochs[epoch][s] = until[s] - before[s];
            }
            before = until;
        }
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
        long most = 0;
        for (long[] epoch : epochs) {
            most = Math.max(most, epoch[stratum]);
        }
        return most;
    }

    @Nullable
    Shortage firstShortage(long[] available) {
        for (int epoch = 0; epoch < epochs.length; epoch++) {
            for (int s = 0; s < available.length; s++) {
                if (epochs[epoch][s] > available[s]) {
                    return new Shortage(s, epoch, epochs[epoch][s]);
                }
            }
        }
        return null;
    }
}
