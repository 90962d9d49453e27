package io.rankfeed.export.commit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * Threads that wait for the disk on behalf of tasks. There are hardly more of them than tasks, and none keeps a JVM
 * alive.
 */
final class DiskThreads {
    private static final Executor THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "rankfeed-disk");
        thread.setDaemon(true);
        return thread;
    });

    /** A request to the disk. */
    interface Request {
        void run() throws IOException;
    }

    private DiskThreads() {}

    static CompletableFuture<Void> ask(Request request) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        request.run();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                THREADS);
    }

    /** Waits for a request's end and throws what it threw. */
    static void await(CompletableFuture<Void> asked) throws IOException {
        try {
            asked.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof UncheckedIOException reported ? reported.getCause() : new IOException(e);
        }
    }

    /** Waits for a request's end, however it ends. */
    static void settle(CompletableFuture<Void> asked) {
        asked.handle((done, failure) -> null).join();
    }
}
