package io.rankfeed.feeder.serve.protocol;

import io.rankfeed.feeder.ring.MemoryBudget;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/**
 * Buffers outside the heap for the connections of a feeder. Later connections reuse them, so the memory depends on the
 * number of open connections.
 */
public final class WireBuffers {
    private static final int INBOX_BYTES = 1 << 14;

    /** Has room for the longest burst: READY of every slot, a WELCOME and an ERROR. */
    private static final int OUTBOX_BYTES = 1 << 17;

    /** The buffers of one connection, in bytes. */
    public static final long PAIR_BYTES = INBOX_BYTES + OUTBOX_BYTES;

    /** The two buffers of a connection, which are empty when taken. */
    public record Pair(ByteBuffer inbox, ByteBuffer outbox) {}

    private final ArrayDeque<Pair> free = new ArrayDeque<>();
    private final MemoryBudget budget;

    public WireBuffers(MemoryBudget budget) {
        this.budget = budget;
    }

    /** @throws io.rankfeed.schema.failure.EnvironmentException if {@code --memory} has no room for another pair */
    public synchronized Pair take() {
        Pair pair = free.poll();
        if (pair == null) {
            budget.take(PAIR_BYTES, "the buffers of a connection need");
            pair = new Pair(allocated(INBOX_BYTES), allocated(OUTBOX_BYTES));
        }
        pair.inbox().clear();
        pair.outbox().clear();
        return pair;
    }

    public synchronized void giveBack(Pair pair) {
        free.push(pair);
    }

    private static ByteBuffer allocated(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
