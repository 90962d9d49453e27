package io.rankfeed.feeder.pool;

import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Threads that help with large batches, shared by every rank and feed of a node. Whoever has work calls on helpers and
 * works too, so a busy pool slows a batch down but never stops it. No allocation per batch.
 */
public final class GatherPool implements AutoCloseable {
    /** The maximum number of calls that wait for a helper; further calls are dropped, and their owners do the work. */
    private static final int WAITING_CALLS = 1024;

    /** Ends the helper that takes it. */
    private static final ShardedWork END = new ShardedWork() {
        @Override
        protected void shard(int shard) {}
    };

    private final ArrayBlockingQueue<ShardedWork> calls = new ArrayBlockingQueue<>(WAITING_CALLS);
    private final Thread.Builder builder = Thread.ofPlatform().daemon().name("gather-", 0);
    private final Set<Thread> helpers = ConcurrentHashMap.newKeySet();
    private volatile int threads;

    /** @param threads helpers in addition to the callers; 0: every batch is assembled by its own thread */
    public GatherPool(int threads) {
        start(threads);
        this.threads = threads;
    }

    /** The number of helper threads of this pool. */
    public int threads() {
        return threads;
    }

    /** The number of helper threads that have not ended; a moment after {@link #resize} it is that of {@link #threads}. */
    public int running() {
        return helpers.size();
    }

    /**
     * Changes the number of helper threads, also while batches are assembled: a helper ends after the shard that it works on. The
     * bytes of a batch do not depend on it.
     */
    public synchronized void resize(int wanted) throws InterruptedException {
        start(wanted - threads);
        for (int i = threads - wanted; i > 0; i--) {
            calls.put(END);
        }
        threads = wanted;
    }

    private void start(int count) {
        for (int i = 0; i < count; i++) {
            helpers.add(builder.start(this::help));
        }
    }

    /** Runs every shard of the work, with helpers where they are free; returns when all are done. */
    public void run(ShardedWork work, int shards) {
        work.begin(shards);
        for (int i = Math.min(shards - 1, threads); i > 0; i--) {
            calls.offer(work);
        }
        work.takePart();
        work.awaitAll();
    }

    @Override
    public void close() {
        helpers.forEach(Thread::interrupt);
    }

    private void help() {
        while (true) {
            try {
                ShardedWork work = calls.take();
                if (work.equals(END)) {
                    helpers.remove(Thread.currentThread());
                    return;
                }
                work.takePart();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (InternalError e) {
                // The JVM reports a lost page of a shard late, so perhaps here. Other ranks need this thread.
            }
        }
    }
}
