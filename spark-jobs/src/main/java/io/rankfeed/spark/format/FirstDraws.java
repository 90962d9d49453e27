package io.rankfeed.spark.format;

import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.sampling.order.EpochOrder;
import io.rankfeed.sampling.order.LaneAssignment;
import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.sampling.order.SequentialOrder;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.List;

/**
 * The order of the stored rows of a feed: that in which the ranks of a world first draw them in the first epoch, each row once. The rows
 * that the first epoch does not draw come last, by stratum and list index. A row of a lane belongs to the rank that reads the lane, a
 * shared one to the rank that draws it first; without a draw, to the rank of its ordinal modulo the world.
 */
final class FirstDraws {
    /** A rank's batch of a step. */
    private interface Batches {
        void fill(long step, BatchRows out);
    }

    /** Gets the rows in order. */
    interface Visitor {
        /**
         * @param number of the stored row: rows are numbered lane by lane, the shared ones last
         * @param position in the rows of the rank, from 0
         */
        void row(long number, int rank, long position);
    }

    private final Feed feed;
    private final int ranks;
    private final LaneAssignment assignment;
    /** The number of the first row of each lane, then of the shared rows, then of all rows. */
    private final long[] first;

    /** @param ranks the world, which divides the lanes */
    FirstDraws(Feed feed, int ranks) {
        this.feed = feed;
        this.ranks = ranks;
        this.assignment = LaneAssignment.of(feed);
        this.first = new long[feed.lanes() + 2];
        for (int lane = 0; lane < feed.lanes(); lane++) {
            first[lane + 1] = first[lane] + assignment.laneRows(lane);
        }
        first[feed.lanes() + 1] = first[feed.lanes()] + assignment.laneRows(LaneLayout.SHARED);
    }

    /** The number of stored rows. */
    long rows() {
        return first[first.length - 1];
    }

    /** @param lane or {@link LaneLayout#SHARED} */
    long number(int lane, long ordinal) {
        return first[lane == LaneLayout.SHARED ? first.length - 2 : lane] + ordinal;
    }

    /** Gives every stored row once, those of each rank in order. @return the rows of each rank */
    long[] visit(Visitor visitor) {
        long[] counts = new long[ranks];
        long[] seen = new long[Math.toIntExact((rows() + Long.SIZE - 1) / Long.SIZE)];
        List<Batches> batches = batches();
        BatchRows batch = new BatchRows(feed.batch() / ranks);
        long steps = feed.epochStart(1);
        for (long step = 0; step < steps; step++) {
            for (int rank = 0; rank < ranks; rank++) {
                batches.get(rank).fill(step, batch);
                for (int i = 0; i < batch.size(); i++) {
                    long number = number(batch.lane(i), batch.ordinal(i));
                    if (mark(seen, number)) {
                        visitor.row(number, rank, counts[rank]++);
                    }
                }
            }
        }
        if (feed instanceof TrainFeed train) {
            others(train, seen, counts, visitor);
        }
        return counts;
    }

    private void others(TrainFeed train, long[] seen, long[] counts, Visitor visitor) {
        List<Stratum> strata = train.strata();
        for (int stratum = 0; stratum < strata.size(); stratum++) {
            for (long index = 0; index < strata.get(stratum).rows(); index++) {
                int lane = assignment.lane(stratum, index);
                long ordinal = assignment.ordinal(stratum, index);
                long number = number(lane, ordinal);
                if (mark(seen, number)) {
                    int rank = (int) ((lane == LaneLayout.SHARED ? ordinal : lane) % ranks);
                    visitor.row(number, rank, counts[rank]++);
                }
            }
        }
    }

    /** Marks a row. @return whether it was not marked before */
    private static boolean mark(long[] seen, long number) {
        int word = (int) (number / Long.SIZE);
        long bit = 1L << number;
        boolean isNew = (seen[word] & bit) == 0;
        seen[word] |= bit;
        return isNew;
    }

    private List<Batches> batches() {
        List<Batches> all = new ArrayList<>();
        for (int r = 0; r < ranks; r++) {
            int rank = r;
            if (feed instanceof TrainFeed train) {
                all.add(new EpochOrder(train, rank, ranks)::fill);
            } else {
                SequentialOrder list = SequentialOrder.of((SequentialFeed) feed);
                all.add((step, out) -> list.fill(step, rank, ranks, out));
            }
        }
        return all;
    }
}
