package io.rankfeed.feeder.remote;

import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.failure.MissingClient;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Waits for a store that answers slowly, and logs a line every {@link #LINE_EVERY}. Retries a failed operation until
 * {@link #DEADLINE} after its start. Several threads may use it.
 */
final class RetryPolicy {
    static final Duration LINE_EVERY = Duration.ofSeconds(10);
    static final Duration DEADLINE = Duration.ofMinutes(2);
    static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    static final Duration MAX_PAUSE = Duration.ofSeconds(16);

    /** The clock, which tests replace. */
    interface Time {
        Time SYSTEM = new Time() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public boolean isDone(FutureTask<?> answer, Duration within) throws InterruptedException {
                try {
                    answer.get(within.toNanos(), TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                    return false;
                } catch (ExecutionException e) {
                    // The caller gets the failure from the answer.
                }
                return true;
            }

            @Override
            public void pause(Duration duration) throws InterruptedException {
                Thread.sleep(duration);
            }
        };

        /** A monotonic clock. */
        long nanos();

        /** Whether an answer, good or bad, comes within a time. */
        boolean isDone(FutureTask<?> answer, Duration within) throws InterruptedException;

        void pause(Duration duration) throws InterruptedException;
    }

    private final Time time;
    private final Consumer<String> log;

    RetryPolicy(Time time, Consumer<String> log) {
        this.time = time;
        this.log = log;
    }

    /**
     * Runs an operation on its own thread and returns the answer. Abandons the thread if there is no answer in time.
     *
     * @param address file or folder
     * @param what verb and object, for lines
     * @throws IOException of the last attempt, or if there is no answer at the deadline
     */
    <T> T answer(String address, String what, Callable<T> operation) throws IOException {
        long start = time.nanos();
        Duration pause = FIRST_PAUSE;
        try {
            for (int attempt = 1; ; attempt++) {
                try {
                    return once(address, what, operation, start);
                } catch (IOException e) {
                    if (isPermanent(address, e) || elapsed(start).plus(pause).compareTo(DEADLINE) >= 0) {
                        throw e;
                    }
                    log.accept(String.format(
                            Locale.ROOT,
                            "%s; attempt %d follows in %d s, the last one within %d s",
                            IoReason.of("cannot " + what + " " + address, e),
                            attempt + 1,
                            pause.toSeconds(),
                            DEADLINE.toSeconds()));
                    time.pause(pause);
                    pause = pause.multipliedBy(2).compareTo(MAX_PAUSE) < 0 ? pause.multipliedBy(2) : MAX_PAUSE;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + address, e);
        }
    }

    private <T> T once(String address, String what, Callable<T> operation, long start)
            throws IOException, InterruptedException {
        FutureTask<T> answer = new FutureTask<>(operation);
        Thread.ofVirtual().name("rankfeed-store").start(answer);
        while (!time.isDone(answer, LINE_EVERY)) {
            if (elapsed(start).compareTo(DEADLINE) >= 0) {
                answer.cancel(true);
                throw new IOException("no answer within " + DEADLINE.toSeconds() + " s");
            }
            log.accept("waiting for " + address + ": " + what + ", "
                    + elapsed(start).toSeconds() + " s");
        }
        try {
            return answer.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof IOException failure) {
                throw failure;
            } else if (cause instanceof RuntimeException failure) {
                throw failure;
            } else if (cause instanceof Error failure) {
                throw failure;
            }
            throw new IOException(cause);
        }
    }

    private Duration elapsed(long start) {
        return Duration.ofNanos(time.nanos() - start);
    }

    /** Whether a retry cannot help: a file, a permission or a class is missing. */
    private static boolean isPermanent(String address, IOException e) {
        return e instanceof NoSuchFileException
                || e instanceof FileNotFoundException
                || e instanceof AccessDeniedException
                || e.getClass().getSimpleName().equals("AccessControlException")
                || MissingClient.of(address, e, "").isPresent();
    }
}
