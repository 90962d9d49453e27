package io.rankfeed.feeder.serve.protocol;

/**
 * The time that a client may take for each step before its first batch (docs/format/ring.md, section 2); later there is no deadline.
 *
 * @param helloNanos from the connection to HELLO, which a client sends at once
 * @param attachedNanos from WELCOME to ATTACHED, which a client sends before it does anything slow, as pinning the segment
 */
public record Deadlines(long helloNanos, long attachedNanos) {
    public static final Deadlines OF_RING = new Deadlines(5_000_000_000L, 30_000_000_000L);

    public String missingHello() {
        return "no HELLO within " + helloNanos / 1e9 + " s of the connection";
    }

    public String missingAttached() {
        return "no ATTACHED within " + attachedNanos / 1e9 + " s of WELCOME";
    }
}
