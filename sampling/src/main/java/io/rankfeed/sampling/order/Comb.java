package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.TrainFeed;
import java.util.List;

/**
 * The comb of a segment (docs/format/plan.md, section 4): the line of a lane's quotas end to end, and in each step b
 * teeth spaced L on it, whose shift takes each residue mod L once.
 */
public final class Comb {
    final long step;
    final long steps;
    final long end;
    final long number;

    /** Rows of a lane in each step. */
    final int rowsPerLane;

    private final int lanes;
    private final long m;
    private final long c;

    /** Stratum s is on [edges[s], edges[s + 1]). */
    private final long[] edges;

    private final long[] base;

    public Comb(Segment segment, int lanes) {
        this.step = segment.step();
        this.steps = segment.steps();
        this.end = segment.end();
        this.number = segment.number();
        this.lanes = lanes;
        this.m = segment.m();
        this.c = segment.c();
        int strata = segment.quotas().size();
        this.edges = new long[strata + 1];
        this.base = new long[strata];
        for (int s = 0; s < strata; s++) {
            edges[s + 1] = edges[s] + segment.quotas().get(s);
            base[s] = segment.base().get(s);
        }
        this.rowsPerLane = (int) (edges[strata] / steps);
    }

    static Comb[] of(TrainFeed order) {
        List<Segment> segments = order.segments();
        Comb[] combs = new Comb[segments.size()];
        for (int i = 0; i < combs.length; i++) {
            combs[i] = new Comb(segments.get(i), order.lanes());
        }
        return combs;
    }

    /** The distance of the lane's comb from the segment's comb; constant over the segment. */
    long lead(int lane) {
        return c + lane * steps / lanes;
    }

    /** The shift at a global step of this segment. */
    long shift(long globalStep, long lead) {
        return (m * (globalStep - step) + lead) % steps;
    }

    /** The position of a slot's tooth on the line. */
    long tooth(int slot, long shift) {
        return (slot + 1) * steps - 1 - shift;
    }

    /** A lookup of strata by position, which takes as many entries as there are strata and is made for the segment being read. */
    StrataIndex index() {
        return new StrataIndex(edges);
    }

    /** The stratum at a position of the line. */
    int stratumAt(long position) {
        return StrataIndex.between(edges, position, 0, edges.length - 2);
    }

    /** Draws of a stratum by a lane before a global step of this segment, or before its end. */
    long drawn(int stratum, int lane, long globalStep) {
        long lead = lead(lane);
        return base[stratum] + crossed(stratum + 1, lead, globalStep) - crossed(stratum, lead, globalStep);
    }

    /** {@link #drawn} of all strata at once, into {@code counts[from ...]}. */
    void drawnAll(int lane, long globalStep, long[] counts, int from) {
        long lead = lead(lane);
        long before = crossed(0, lead, globalStep);
        for (int s = 0; s < base.length; s++) {
            if (edges[s + 1] == edges[s]) {
                counts[from + s] = base[s];
                continue;
            }
            long after = crossed(s + 1, lead, globalStep);
            counts[from + s] = base[s] + after - before;
            before = after;
        }
    }

    /**
     * The rows of each stratum that all lanes have drawn before a global step of this segment, or before its end. The teeth of all lanes
     * on an interval add up to one floor (docs/format/plan.md, section 8), so there is one sum for each edge, not one for each lane.
     */
    public long[] drawnByAllLanes(long globalStep) {
        long[] rows = new long[base.length];
        long before = crossedByAllLanes(0, globalStep);
        for (int s = 0; s < rows.length; s++) {
            long quota = edges[s + 1] - edges[s];
            if (quota == 0 || globalStep == end) {
                rows[s] = (base[s] + quota) * lanes;
                continue;
            }
            long after = crossedByAllLanes(s + 1, globalStep);
            rows[s] = base[s] * lanes + after - before;
            before = after;
        }
        return rows;
    }

    /** Less the same number for every edge: multiples of the line's length in the slope. */
    private long crossedByAllLanes(int edge, long globalStep) {
        return FloorSum.sum(globalStep - step, steps, m * lanes % steps, (edges[edge] + c) * lanes);
    }

    /** The number of a draw in its lane: teeth of this step on the stratum before the slot's come on top of earlier steps. */
    long drawNumber(int stratum, int lane, long globalStep, int slot, long shift) {
        return drawn(stratum, lane, globalStep) + slot - (edges[stratum] + shift) / steps;
    }

    private long crossed(int edge, long lead, long globalStep) {
        return FloorSum.sum(globalStep - step, steps, m, edges[edge] + lead);
    }
}
