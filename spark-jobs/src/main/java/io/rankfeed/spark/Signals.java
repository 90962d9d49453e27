package io.rankfeed.spark;

import io.rankfeed.console.PrintableStream;
import java.util.Map;
import org.apache.spark.util.SignalUtils;

/**
 * Reports the signal that ends the JVM, for the user in one line and for shutdown hooks. The hooks stop Spark under the
 * running threads, which then log and throw; nothing of that says more than the signal does.
 */
final class Signals {
    private static final int TERM = 143;
    private static final Map<String, Integer> CODES = Map.of("HUP", 129, "INT", 130, "TERM", TERM);

    private static volatile int exitCode = TERM;
    private static volatile String advice = "";

    private Signals() {}

    /** Starts to report signals; the earlier handler of each signal still runs. */
    static void watch() {
        CODES.forEach((signal, code) -> SignalUtils.register(signal, () -> {
            exitCode = code;
            PrintableStream.end("rankfeed: stopped by SIG" + signal + advice);
            return false;
        }));
    }

    /** Sets what the user can do after a signal; the text is added to the line that reports the signal. */
    static void advise(String remedy) {
        advice = "; " + remedy;
    }

    /**
     * 128 + the number of the signal that came. Without one that of TERM: who ends a JVM otherwise, an agent of a
     * cluster, means the same.
     */
    static int exitCode() {
        return exitCode;
    }
}
