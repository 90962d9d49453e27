package io.rankfeed.feeder.serve.admission;

import io.rankfeed.feeder.ring.RingLayout;
import io.rankfeed.feeder.timing.StageTimes;
import java.util.Optional;

/**
 * What one rank took of one feed so far, over all its connections, and its ring.
 *
 * @param batches that the trainer released
 * @param ring of the client that is attached; empty without one
 * @param filledSlots slots of the ring that the client has, or that are ready for it
 * @param times of the stages
 */
public record RankState(
        RankFeed key,
        long rows,
        long batches,
        long connections,
        Optional<RingLayout> ring,
        int filledSlots,
        StageTimes times) {
    public static RankState of(RankFeed key, Meter meter, Optional<RingLayout> ring, StageTimes times) {
        Meter.Reading reading = meter.read();
        return new RankState(
                key, reading.rows(), reading.steps(), reading.connections(), ring, reading.lentSlots(), times);
    }
}
