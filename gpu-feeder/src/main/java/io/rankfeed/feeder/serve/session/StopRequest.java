package io.rankfeed.feeder.serve.session;

/** A request to stop a session, set by other threads; the session reads it between two batches. It only gets more urgent. */
public final class StopRequest {
    /** The ways in which a session stops. */
    public enum Mode {
        NONE,
        /** Report the client that no more batches follow. */
        DRAIN,
        /** Act as after a disconnect of the client. */
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
