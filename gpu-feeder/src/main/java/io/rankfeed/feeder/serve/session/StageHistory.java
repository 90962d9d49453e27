package io.rankfeed.feeder.serve.session;

import io.rankfeed.feeder.ring.RingLayout;
import io.rankfeed.feeder.ring.RingSegment;
import io.rankfeed.feeder.timing.StageTimes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The ring of one rank's feed, and what its stages took over all of its connections. Time is monotonic nanoseconds. */
final class StageHistory {
    private StageTimes earlier = StageTimes.NONE;
    private @Nullable RingSegment current;
    private long sinceNanos;

    synchronized void attached(RingSegment segment, long nowNanos) {
        current = segment;
        sinceNanos = nowNanos;
    }

    /** Keeps what the table of the connection has; the segment may be closed afterwards. */
    synchronized void detached(long nowNanos) {
        earlier = read(nowNanos);
        current = null;
    }

    /** The ring of the client that is attached. */
    synchronized Optional<RingLayout> ring() {
        return Optional.ofNullable(current).map(RingSegment::layout);
    }

    synchronized StageTimes read(long nowNanos) {
        RingSegment segment = current;
        return segment == null
                ? earlier
                : earlier.plus(StageTimes.read(segment.readStageTable(), nowNanos - sinceNanos));
    }
}
