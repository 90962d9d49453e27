package io.rankfeed.sampling.plan;

import io.rankfeed.sampling.order.Comb;
import io.rankfeed.schema.order.Segment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The exact number of rows that a stream's epochs draw from each stratum; epochs may end inside a segment. */
final class Demand {
    /** The first epoch that needs more rows of a stratum than there are. */
    record Shortage(int stratum, int epoch, long wanted) {}

    private final long[] rows;
    private final long[] largestEpoch;

    /** The number of repeated rows within epochs, by segment and stratum. */
    private final long[][] repeated;

    private final @Nullable Shortage firstShortage;

    /** @param available rows of each stratum; what one epoch may draw where none is to come twice in it */
    Demand(List<Segment> segments, long[] available, int lanes, RunSteps run) {
        int strata = available.length;
        this.rows = new long[strata];
        this.largestEpoch = new long[strata];
        for (Segment segment : segments) {
            for (int s = 0; s < strata; s++) {
                rows[s] += segment.quotas().get(s) * lanes;
            }
        }
        this.repeated = new long[segments.size()][strata];
        Shortage shortage = null;
        long[] before = new long[strata];
        int at = 0;
        Comb comb = new Comb(segments.get(0), lanes);
        for (int epoch = 0; epoch < run.epochs(); epoch++) {
            long end = run.epochEnd(epoch);
            long[] wanted = new long[strata];
            while (true) {
                long[] until =
                        comb.drawnByAllLanes(Math.min(end, segments.get(at).end()));
                for (int s = 0; s < strata; s++) {
                    long more = until[s] - before[s];
                    repeated[at][s] += Math.max(0, Math.min(more, wanted[s] + more - available[s]));
                    wanted[s] += more;
                }
                before = until;
                if (segments.get(at).end() >= end) {
                    break;
                }
                at++;
                comb = new Comb(segments.get(at), lanes);
            }
            for (int s = 0; s < strata; s++) {
                largestEpoch[s] = Math.max(largestEpoch[s], wanted[s]);
                if (shortage == null && wanted[s] > available[s]) {
                    shortage = new Shortage(s, epoch, wanted[s]);
                }
            }
        }
        this.firstShortage = shortage;
    }

    /** Rows that the run draws of a stratum. */
    long rows(int stratum) {
        return rows[stratum];
    }

    /** Rows that the most demanding epoch draws of a stratum. */
    long largestEpoch(int stratum) {
        return largestEpoch[stratum];
    }

    /** Rows of a segment that its epochs have drawn before, in it or in a segment before. */
    long repeated(int segment, int stratum) {
        return repeated[segment][stratum];
    }

    @Nullable
    Shortage firstShortage() {
        return firstShortage;
    }
}
