package io.rankfeed.feeder.serve.admission;

import io.rankfeed.feeder.ring.RingSegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Segments whose session is over. Each has lost its name; it stays mapped, and its bytes as they are, until no live
 * process holds the client's lock.
 */
public final class SegmentQuarantine {
    private final List<RingSegment> held = new ArrayList<>();

    /** Takes a segment over. */
    public synchronized void add(RingSegment segment) {
        segment.unlink();
        if (segment.isClientLocked()) {
            held.add(segment);
        } else {
            segment.close();
        }
    }

    /** Lets go of those that nobody looks at any more. */
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
