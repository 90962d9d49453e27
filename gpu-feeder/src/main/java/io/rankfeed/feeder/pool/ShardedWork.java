package io.rankfeed.feeder.pool;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Work cut into numbered shards that several threads may take, made once and begun again for every batch. The claim
 * word holds the number of shards (high half) and the next one to take (low half) in one atomic value, so that a
 * helper that comes late claims a shard of the current round or nothing.
 */
public abstract class ShardedWork {
    private static final int SPINS = 2_000;

    private final AtomicLong claim = new AtomicLong();
    private final AtomicInteger unfinished = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile @Nullable Thread waiter;

    /** Does one shard; called by any thread, each shard once. */
    protected abstract void shard(int shard);

    /**
     * Begins a round of shards. Only the owner may call it, when no shard of the last round is running; every shard
     * sees the writes before the call.
     */
    final void begin(int shards) {
        failure.set(null);
        unfinished.set(shards);
        claim.set((long) shards << Integer.SIZE);
    }

    /** Takes shards until none is left. */
    final void takePart() {
        for (long seen = claim.get(); (int) seen < (int) (seen >>> Integer.SIZE); seen = claim.get()) {
            if (claim.compareAndSet(seen, seen + 1)) {
                runOne((int) seen);
            }
        }
    }

    /** Waits for the shards that helpers still work on, and throws what any of them threw. */
    final void awaitAll() {
        for (int i = 0; i < SPINS && unfinished.get() > 0; i++) {
            Thread.onSpinWait();
        }
        if (unfinished.get() > 0) {
            park();
        }
        Throwable thrown = failure.get();
        if (thrown instanceof RuntimeException e) {
            throw e;
        } else if (thrown instanceof Error e) {
            throw e;
        }
    }

    private void park() {
        boolean interrupted = false;
        waiter = Thread.currentThread();
        // Pairs with runOne: the count is lowered before the waiter is read, the waiter written before the count is
        // read.
        while (unfinished.get() > 0) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        waiter = null;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void runOne(int shard) {
        try {
            shard(shard);
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        } finally {
            if (unfinished.decrementAndGet() == 0) {
                Thread waiting = waiter;
                if (waiting != null) {
                    LockSupport.unpark(waiting);
                }
            }
        }
    }
}
