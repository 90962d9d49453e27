package io.rankfeed.feeder.supervise;

import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One command run to its end, with this process's input and output; a signal to this process ends it too. */
public final class Foreground {
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private Foreground() {}

    /** @return the command's exit code */
    public static int run(List<String> command) throws InterruptedException {
        Thread hook = new Thread(Foreground::endAll, "rankfeed-end");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            int exitCode = new ProcessBuilder(command).inheritIO().start().waitFor();
            Runtime.getRuntime().removeShutdownHook(hook);
            return exitCode;
        } catch (IllegalStateException e) {
            // The virtual machine is ending: it waits for the hook, and ends with the signal's code.
            Thread.sleep(TimeUnit.NANOSECONDS.toMillis(2 * GRACE_NANOS));
            return 1;
        } catch (IOException e) {
            throw new EnvironmentException(command.getFirst() + " cannot be started: " + e.getMessage(), e);
        }
    }

    private static void endAll() {
        try {
            ProcessTree.end(0, GRACE_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
