package io.rankfeed.feeder.serve;

/** A request to stop a session, set by other threads; the session reads it between two batches. It only gets more urgent. */
final class StopRequest {
    /** How a session stops. */
    enum Mode {
        NONE,
        /** Tell the client that no more batches follow. */
        DRAIN,
        /** As after a disconnect of the client. */
        END
    }

    private volatile Mode mode = Mode.NONE;

    Mode mode() {
        return mode;
    }

    synchronized void raise(Mode requested) {
        if (requested.compareTo(mode) > 0) {
            mode = requested;
        }
    }
}
