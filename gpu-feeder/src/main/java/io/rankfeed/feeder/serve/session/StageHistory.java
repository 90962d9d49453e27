package io.rankfeed.feeder.serve.session;

import io.rankfeed.feeder.ring.RingLayout;
import io.rankfeed.feeder.ring.RingSegment;
import io.rankfeed.feeder.timing.StageTimes;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The ring of one rank's feed, and what its stages took over all of its connections. */
final class StageHistory {
    /** A client can write any name into its table, and another one in each connection. */
    static final int MAX_NAMES = 128;

    private StageTimes earlier = StageTimes.NONE;
    private @Nullable RingSegment current;
    private long sinceNanos;

    synchronized void attached(RingSegment segment) {
        current = segment;
        sinceNanos = System.nanoTime();
    }

    /** Keeps what the table of the connection has; the segment may be closed afterwards. */
    synchronized void detached() {
        earlier = limited(read());
        current = null;
    }

    /** Those of the names that were kept before, and more up to the limit. */
    private StageTimes limited(StageTimes all) {
        SortedMap<String, StageTimes.Sum> kept = new TreeMap<>(all.stages());
        kept.keySet().retainAll(earlier.stages().keySet());
        all.stages().forEach((name, sum) -> {
            if (kept.size() < MAX_NAMES) {
                kept.putIfAbsent(name, sum);
            }
        });
        return new StageTimes(all.attachedNanos(), kept);
    }

    /** The ring of the client that is attached. */
    synchronized Optional<RingLayout> ring() {
        return Optional.ofNullable(current).map(RingSegment::layout);
    }

    synchronized StageTimes read() {
        RingSegment segment = current;
        return segment == null
                ? earlier
                : earlier.plus(StageTimes.read(segment.readStageTable(), System.nanoTime() - sinceNanos));
    }
}
