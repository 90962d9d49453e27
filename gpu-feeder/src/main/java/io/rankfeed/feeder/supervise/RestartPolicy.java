package io.rankfeed.feeder.supervise;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides whether a feeder that ended is started again, and when. One that was killed while it served (by the system
 * for lack of memory, or by hand) is started again at once, but not more often than {@link #MAX_KILLS} times within
 * {@link #KILLS_WITHIN_MILLIS}; failures of its own are counted until one serves long enough. Where none has served
 * yet, one that ends by itself has reported why: the next would report it again.
 */
final class RestartPolicy {
    static final int MAX_FAILURES = 5;
    static final long FIRST_PAUSE_MILLIS = 200;
    static final long LONGEST_PAUSE_MILLIS = 5_000;
    static final long PROVEN_MILLIS = 10_000;

    /** The maximum number of restarts after kills. A feeder that repeatedly runs out of memory reaches it. */
    static final int MAX_KILLS = 30;

    static final long KILLS_WITHIN_MILLIS = 600_000;
    private static final int EXIT_CONFIG = 2;
    private static final int EXIT_CORRUPT = 3;
    private static final int SIGNAL_BASE = 128;

    private int failures;
    private boolean hasServed;
    private long uptimeMillis;
    private final ArrayDeque<Long> kills = new ArrayDeque<>();

    /** The last state that a feeder reached before it ended. */
    enum Reached {
        STARTING,
        SERVING
    }

    /** @return milliseconds to wait before the next start; empty: give up */
    OptionalLong pauseMillis(int exitCode, Reached reached, long livedMillis) {
        hasServed |= reached == Reached.SERVING;
        if (exitCode == EXIT_CONFIG || exitCode == EXIT_CORRUPT || isHopelessStart(exitCode)) {
            return OptionalLong.empty();
        }
        uptimeMillis += livedMillis;
        if (reached == Reached.SERVING && isKilled(exitCode) && !hasBudget()) {
            return OptionalLong.empty();
        }
        boolean isProven = reached == Reached.SERVING && (livedMillis >= PROVEN_MILLIS || isKilled(exitCode));
        failures = isProven ? 0 : failures + 1;
        if (failures >= MAX_FAILURES) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << failures));
    }

    /** Returns why a killed feeder is not started again; empty if the number of kills is not the reason. */
    Optional<String> exhausted(int exitCode) {
        return kills.size() > MAX_KILLS && isKilled(exitCode)
                ? Optional.of("it was killed " + kills.size() + " times within " + KILLS_WITHIN_MILLIS / 60_000
                        + " minutes; if the system lacks memory (dmesg names the killed process), lower --depth, --workers or"
                        + " --memory")
                : Optional.empty();
    }

    private boolean hasBudget() {
        kills.add(uptimeMillis);
        while (kills.peekFirst() != null && uptimeMillis - kills.peekFirst() > KILLS_WITHIN_MILLIS) {
            kills.removeFirst();
        }
        return kills.size() <= MAX_KILLS;
    }

    /** Whether the feeder ended by itself before any feeder served: it has printed the reason. */
    boolean isHopelessStart(int exitCode) {
        return !hasServed && exitCode < SIGNAL_BASE;
    }

    /** Whether SIGKILL, SIGTERM, SIGINT or SIGHUP ended it; SIGSEGV and SIGABRT are failures of the process itself. */
    private static boolean isKilled(int exitCode) {
        return switch (exitCode - SIGNAL_BASE) {
            case 1, 2, 9, 15 -> true;
            default -> false;
        };
    }
}
