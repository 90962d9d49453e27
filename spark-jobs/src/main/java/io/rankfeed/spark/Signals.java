package io.rankfeed.spark;

import java.util.Map;
import org.apache.spark.util.SignalUtils;

/** Remembers which signal ends the JVM, for its shutdown hooks to report. */
final class Signals {
    private static final int TERM = 143;
    private static final Map<String, Integer> CODES = Map.of("HUP", 129, "INT", 130, "TERM", TERM);

    private static volatile int exitCode = TERM;

    private Signals() {}

    /** From now on. What a signal did before, it still does. */
    static void watch() {
        CODES.forEach((signal, code) -> SignalUtils.register(signal, () -> {
            exitCode = code;
            return false;
        }));
    }

    /**
     * 128 + the number of the signal that came. Without one that of TERM: who ends a JVM otherwise, an agent of a
     * cluster, means the same.
     */
    static int exitCode() {
        return exitCode;
    }
}
