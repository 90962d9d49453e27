package io.rankfeed.feeder.sync;

import io.rankfeed.schema.failure.EnvironmentException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Processes many files with a few threads; the first failure ends the work. */
public final class ParallelFiles {
    private ParallelFiles() {}

    /**
     * @param worker creates the consumer of one thread; each thread has its own
     * @throws RuntimeException the first failure; what other threads had begun is interrupted
     */
    public static <T> void forEach(List<T> files, int threads, Supplier<Consumer<T>> worker) {
        ThreadLocal<Consumer<T>> own = ThreadLocal.withInitial(worker);
        ExecutorService pool = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("files-", 0).factory());
        try (pool) {
            ExecutorCompletionService<Boolean> done = new ExecutorCompletionService<>(pool);
            for (T file : files) {
                done.submit(() -> own.get().accept(file), true);
            }
            await(done, files.size(), pool);
        }
    }

    private static void await(ExecutorCompletionService<Boolean> done, int tasks, ExecutorService pool) {
        try {
            for (int i = 0; i < tasks; i++) {
                done.take().get();
            }
        } catch (ExecutionException e) {
            pool.shutdownNow();
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            } else if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            pool.shutdownNow();
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted", e);
        }
    }
}
