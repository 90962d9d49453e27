package io.rankfeed.feeder.serve;

import io.rankfeed.sampling.order.FloorSum;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.TrainFeed;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts by arithmetic, not by looking: how many rows of each stratum a rank's lanes draw in a stretch of steps. */
final class StrataTally {
    private final TrainFeed order;
    private final int rank;
    private final int world;

    StrataTally(TrainFeed order, int rank, int world) {
        this.order = order;
        this.rank = rank;
        this.world = world;
    }

    /** Counts rows by the number of the segment and the name of the stratum; strata without rows are left out. */
    SortedMap<Integer, SortedMap<String, Long>> between(long fromStep, long toStep) {
        SortedMap<Integer, SortedMap<String, Long>> stages = new TreeMap<>();
        for (Segment segment : order.segments()) {
            long from = Math.max(fromStep, segment.step());
            long to = Math.min(toStep, segment.end());
            if (from < to) {
                add(segment, from - segment.step(), to - segment.step(), stages);
            }
        }
        return stages;
    }

    /** Adds up counts by the job's stage: a stage that is divided at epoch ends has several segments. */
    static SortedMap<Integer, SortedMap<String, Long>> byStage(
            TrainFeed feed, SortedMap<Integer, SortedMap<String, Long>> bySegment) {
        SortedMap<Integer, SortedMap<String, Long>> stages = new TreeMap<>();
        for (Segment segment : feed.segments()) {
            SortedMap<String, Long> rows = bySegment.getOrDefault((int) segment.number(), new TreeMap<>());
            rows.forEach((stratum, count) -> stages.computeIfAbsent((int) segment.stage(), key -> new TreeMap<>())
                    .merge(stratum, count, Long::sum));
        }
        return stages;
    }

    private void add(Segment segment, long from, long to, SortedMap<Integer, SortedMap<String, Long>> stages) {
        SortedMap<String, Long> rows = stages.computeIfAbsent((int) segment.number(), key -> new TreeMap<>());
        long edge = 0;
        for (int s = 0; s < order.strata().size(); s++) {
            long next = edge + segment.quotas().get(s);
            long drawn = 0;
            for (int lane = rank; lane < order.lanes(); lane += world) {
                drawn += drawn(segment, lane, edge, next, to) - drawn(segment, lane, edge, next, from);
            }
            if (drawn > 0) {
                rows.merge(order.strata().get(s).name(), drawn, Long::sum);
            }
            edge = next;
        }
    }

    /** Draws before a step of the segment (docs/format/plan.md, section 4.2), less the constant base. */
    private long drawn(Segment segment, int lane, long edge, long next, long tau) {
        long length = segment.steps();
        long lead = segment.c() + lane * length / order.lanes();
        return FloorSum.sum(tau, length, segment.m(), next + lead)
                - FloorSum.sum(tau, length, segment.m(), edge + lead);
    }
}
