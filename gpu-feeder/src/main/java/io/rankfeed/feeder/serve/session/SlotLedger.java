package io.rankfeed.feeder.serve.session;

import io.rankfeed.feeder.serve.protocol.ErrorCode;
import io.rankfeed.feeder.serve.protocol.Refusal;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Tracks which slots are free and which the client has. The slot that was released last is filled next, because it is
 * probably still in a CPU cache.
 */
final class SlotLedger {
    private final int[] free;
    private final long[] sequences;
    private final int[] streams;
    private final int[] rows;
    private final boolean[] lent;
    private int freeCount;

    SlotLedger(int slots) {
        free = new int[slots];
        sequences = new long[slots];
        streams = new int[slots];
        rows = new int[slots];
        lent = new boolean[slots];
        for (int slot = slots - 1; slot >= 0; slot--) {
            free[freeCount++] = slot;
        }
    }

    boolean hasFree() {
        return freeCount > 0;
    }

    /** The number of slots that the client has, or that were announced to it. */
    int lentCount() {
        return free.length - freeCount;
    }

    /** The slot to fill next; it stays free until {@link #lend}. */
    int next() {
        return free[freeCount - 1];
    }

    /** Lends the slot of {@link #next} to the client. */
    void lend(long sequence, int stream, int validRows) {
        int slot = free[--freeCount];
        sequences[slot] = sequence;
        streams[slot] = stream;
        rows[slot] = validRows;
        lent[slot] = true;
    }

    /**
     * Takes back a slot that the client released.
     *
     * @return the number of rows in it
     * @throws Refusal if the client does not have it, or not this fill of it
     */
    int release(int slot, int stream, long sequence) {
        if (slot >= lent.length || !lent[slot]) {
            throw new Refusal(ErrorCode.PROTOCOL, "RELEASE of slot " + slot + ", which is not the client's");
        }
        if (sequences[slot] != sequence || streams[slot] != stream) {
            throw new Refusal(
                    ErrorCode.PROTOCOL,
                    "RELEASE of slot " + slot + " with sequence " + sequence + " of stream " + stream + "; it holds "
                            + sequences[slot] + " of stream " + streams[slot]);
        }
        lent[slot] = false;
        free[freeCount++] = slot;
        return rows[slot];
    }

    /**
     * Counts the rows in the slots of a stream that were lent first and are not released, over at most {@code slots}
     * slots.
     */
    LentRows oldestLent(int stream, int slots) {
        int[] oldest = IntStream.range(0, lent.length)
                .filter(slot -> lent[slot] && streams[slot] == stream)
                .boxed()
                .sorted(Comparator.comparingLong(slot -> sequences[slot]))
                .limit(Integer.toUnsignedLong(slots))
                .mapToInt(Integer::intValue)
                .toArray();
        return new LentRows(
                oldest.length,
                IntStream.of(oldest).mapToLong(slot -> rows[slot]).sum());
    }

    record LentRows(int steps, long rows) {}
}
