package io.rankfeed.importing.index;

import io.rankfeed.schema.failure.EnvironmentException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Makes a list with several threads. */
public final class Parallel {
    private Parallel() {}

    /** Makes an element by its index. */
    public interface Maker<T> {
        T make(int index) throws Exception;
    }

    /** Makes all elements; of several failures, that of the first element is thrown. */
    public static <T> List<T> map(int size, int threads, Maker<T> maker) {
        ExecutorService pool = Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task, "import");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                int index = i;
                Callable<T> task = () -> maker.make(index);
                futures.add(pool.submit(task));
            }
            List<T> made = new ArrayList<>();
            for (Future<T> future : futures) {
                made.add(result(future));
            }
            return made;
        } finally {
            pool.shutdownNow();
        }
    }

    private static <T> T result(Future<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("the import was interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            } else if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
