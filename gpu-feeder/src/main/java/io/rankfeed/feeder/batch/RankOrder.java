package io.rankfeed.feeder.batch;

import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.sampling.order.EpochOrder;
import io.rankfeed.sampling.order.SequentialOrder;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;

/** The rows of one rank's batches, of a training feed or of a sequential feed. Confined to one thread. */
public interface RankOrder {
    /** The number of global steps; steps count from 0. */
    long steps();

    /** The number of rows of a full batch of this rank. */
    int rows();

    /** Fills the rank's batch of any global step; cheapest for the step after the last one. */
    void fill(long globalStep, BatchRows out);

    /** @throws io.rankfeed.schema.failure.ConfigException if the world does not divide the lanes */
    static RankOrder of(Feed feed, int rank, int world) {
        return switch (feed) {
            case TrainFeed train -> train(train, rank, world);
            case SequentialFeed list -> sequential(SequentialOrder.of(list), rank, world);
        };
    }

    /** @throws io.rankfeed.schema.failure.ConfigException if the world does not divide the lanes */
    static RankOrder train(TrainFeed order, int rank, int world) {
        EpochOrder epochs = new EpochOrder(order, rank, world);
        return new RankOrder() {
            @Override
            public long steps() {
                return order.steps();
            }

            @Override
            public int rows() {
                return epochs.rowsPerBatch();
            }

            @Override
            public void fill(long globalStep, BatchRows out) {
                epochs.fill(globalStep, out);
            }
        };
    }

    /**
     * Returns the batches of a sequential feed, in the order of its list; the last batch may be short or empty.
     *
     * @throws io.rankfeed.schema.failure.ConfigException if the world does not divide the lanes
     */
    static RankOrder sequential(SequentialOrder order, int rank, int world) {
        // A list of one batch asks what an empty list has no step to ask: may this rank of this world read the lanes?
        new SequentialOrder(order.lanes(), order.batch(), order.batch()).validRows(0, rank, world);
        return new RankOrder() {
            @Override
            public long steps() {
                return order.steps();
            }

            @Override
            public int rows() {
                return order.batch() / world;
            }

            @Override
            public void fill(long globalStep, BatchRows out) {
                order.fill(globalStep, rank, world, out);
            }
        };
    }
}
