package io.rankfeed.feeder.serve.admission;

import io.rankfeed.feeder.ring.RingSegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the segments of ended sessions. A segment is unlinked, but it stays mapped and unchanged until no live process
 * holds the client's lock.
 */
public final class SegmentQuarantine {
    private final List<RingSegment> held = new ArrayList<>();

    /** Adds a segment, which then belongs to the quarantine. */
    public synchronized void add(RingSegment segment) {
        segment.unlink();
        if (segment.isClientLocked()) {
            held.add(segment);
        } else {
            segment.close();
        }
    }

    /** Closes the segments whose client's lock no live process holds. */
    public synchronized void sweep() {
        held.removeIf(segment -> {
            boolean isFree = !segment.isClientLocked();
            if (isFree) {
                segment.close();
            }
            return isFree;
        });
    }

    public synchronized int size() {
        return held.size();
    }

    /** Closes all segments; called at the end of the process. The mappings of live clients remain valid. */
    public synchronized void clear() {
        held.forEach(RingSegment::close);
        held.clear();
    }
}
