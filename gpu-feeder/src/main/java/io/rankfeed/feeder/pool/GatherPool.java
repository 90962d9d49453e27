package io.rankfeed.feeder.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Threads that help with large batches, shared by every rank and feed of a node. Whoever has work calls on helpers and
 * works too, so a busy pool slows a batch down but never stops it. No allocation per batch.
 */
public final class GatherPool implements AutoCloseable {
    /** The maximum number of calls that wait for a helper; further calls are dropped, and their owners do the work. */
    private static final int WAITING_CALLS = 1024;

    private final ArrayBlockingQueue<ShardedWork> calls = new ArrayBlockingQueue<>(WAITING_CALLS);
    private final List<Thread> helpers = new ArrayList<>();

    /** @param threads helpers in addition to the callers; 0: every batch is assembled by its own thread */
    public GatherPool(int threads) {
        for (int i = 0; i < threads; i++) {
            helpers.add(Thread.ofPlatform().daemon().name("gather-" + i).start(this::help));
        }
    }

    /** The number of helper threads of this pool. */
    public int threads() {
        return helpers.size();
    }

    /** Runs every shard of the work, with helpers where they are free; returns when all are done. */
    public void run(ShardedWork work, int shards) {
        work.begin(shards);
        for (int i = Math.min(shards - 1, helpers.size()); i > 0; i--) {
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
                calls.take().takePart();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (InternalError e) {
                // The JVM reports a lost page of a shard late, so perhaps here. Other ranks need this thread.
            }
        }
    }
}
