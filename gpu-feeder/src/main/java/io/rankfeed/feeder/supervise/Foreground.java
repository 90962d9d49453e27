package io.rankfeed.feeder.supervise;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs one command to its end, with this process's input and output; a signal to this process ends it too. */
public final class Foreground {
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Thread hook = new Thread(this::endAll, "rankfeed-end");
    private boolean isEnding;

    private Foreground() {}

    /** @return the command's exit code */
    public static int run(List<String> command) throws InterruptedException {
        return new Foreground().toItsEnd(command);
    }

    private int toItsEnd(List<String> command) throws InterruptedException {
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            int exitCode = started(command).waitFor();
            Runtime.getRuntime().removeShutdownHook(hook);
            return exitCode;
        } catch (IllegalStateException e) {
            // The virtual machine is ending: it waits for the hook, and ends with the signal's code.
            Thread.sleep(TimeUnit.NANOSECONDS.toMillis(2 * GRACE_NANOS));
            return 1;
        } catch (IOException e) {
            Runtime.getRuntime().removeShutdownHook(hook);
            throw new EnvironmentException(IoReason.of(command.getFirst() + " cannot be started", e), e);
        }
    }

    private synchronized Process started(List<String> command) throws IOException {
        if (isEnding) {
            throw new IllegalStateException("ending");
        }
        return new ProcessBuilder(command).inheritIO().start();
    }

    private void endAll() {
        synchronized (this) {
            isEnding = true;
        }
        try {
            ProcessTree.end(0, GRACE_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
