package io.rankfeed.sampling.order;

import io.rankfeed.schema.failure.ConfigException;
import java.util.List;
import java.util.stream.IntStream;

/** Checks which world sizes can read a cache with a given number of lanes. */
final class Worlds {
    private Worlds() {}

    static List<Integer> of(int lanes) {
        return IntStream.rangeClosed(1, lanes)
                .filter(world -> lanes % world == 0)
                .boxed()
                .toList();
    }

    static void check(int lanes, int rank, int world) {
        if (world < 1 || lanes % world != 0) {
            throw new ConfigException("world size " + world + " does not divide the plan's " + lanes
                    + " lanes; start one of " + of(lanes) + " ranks, or plan again with lanes a multiple of " + world);
        }
        if (rank < 0 || rank >= world) {
            throw new ConfigException("rank " + rank + " is not one of the world's ranks 0 to " + (world - 1));
        }
    }
}
