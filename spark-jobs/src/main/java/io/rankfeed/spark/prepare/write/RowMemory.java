package io.rankfeed.spark.prepare.write;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * Rows in memory, as {@link RowReader} reads them, in chunks: what grows to a block and shrinks again is neither copied
 * nor cleared again. No row is in two chunks.
 */
final class RowMemory {
    /** Large enough that G1 leaves a chunk where it is instead of copying it with the young objects. */
    private static final int CHUNK_BYTES = 4 << 20;

    /** Chunks for longer rows are multiples of this, so that one fits many of them. */
    private static final int LARGE_STEP_BYTES = 1 << 20;

    /** What an array has in addition to its elements; with it a chunk fills regions. */
    private static final int ARRAY_HEAD_BYTES = 16;

    /** Some rows, one after the other from the first byte on. */
    static final class Chunk {
        private final byte[] bytes;
        private int used;

        private Chunk(byte[] bytes) {
            this.bytes = bytes;
        }

        byte[] bytes() {
            return bytes;
        }

        int used() {
            return used;
        }
    }

    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
    private final ArrayDeque<byte[]> idle = new ArrayDeque<>();
    private long takenBytes;
    private long idleBytes;

    /** The chunks in the order of their rows. */
    Iterator<Chunk> chunks() {
        return chunks.iterator();
    }

    /**
     * Adds a row after the others.
     *
     * @param mostBytes that the chunks may take; one row there may be in any case
     * @return false if there is no room for it
     */
    boolean append(UnsafeRow row, long mostBytes) {
        int length = row.getSizeInBytes();
        int wanted = RowReader.HEAD_BYTES + length;
        Chunk chunk = chunks.peekLast();
        if (chunk == null || wanted > chunk.bytes.length - chunk.used) {
            int size = chunkBytes(wanted);
            if (chunk != null && takenBytes + size > mostBytes) {
                return false;
            }
            chunk = new Chunk(taken(size, mostBytes));
            chunks.addLast(chunk);
            takenBytes += chunk.bytes.length;
        }
        long at = (long) Platform.BYTE_ARRAY_OFFSET + chunk.used;
        Platform.putLong(chunk.bytes, at, length);
        Platform.copyMemory(row.getBaseObject(), row.getBaseOffset(), chunk.bytes, at + RowReader.HEAD_BYTES, length);
        chunk.used += wanted;
        return true;
    }

    private static int chunkBytes(int wanted) {
        if (wanted <= CHUNK_BYTES - ARRAY_HEAD_BYTES) {
            return CHUNK_BYTES - ARRAY_HEAD_BYTES;
        }
        long steps = (wanted + (long) ARRAY_HEAD_BYTES + LARGE_STEP_BYTES - 1) / LARGE_STEP_BYTES;
        return Math.toIntExact(Math.min(steps * LARGE_STEP_BYTES - ARRAY_HEAD_BYTES, Integer.MAX_VALUE - 8));
    }

    private byte[] taken(int size, long mostBytes) {
        for (Iterator<byte[]> each = idle.iterator(); each.hasNext(); ) {
            byte[] bytes = each.next();
            if (bytes.length == size) {
                each.remove();
                idleBytes -= size;
                return bytes;
            }
        }
        while (!idle.isEmpty() && takenBytes + idleBytes + size > mostBytes) {
            idleBytes -= idle.removeFirst().length;
        }
        return new byte[size];
    }

    /** Forgets the rows of a cut. */
    void drop(GroupRows cut) {
        Iterator<Integer> apart = cut.apart().iterator();
        int dropped = apart.hasNext() ? apart.next() : -1;
        int row = 0;
        for (Iterator<Chunk> each = chunks.iterator(); each.hasNext() && (row < cut.first() || dropped >= 0); ) {
            Chunk chunk = each.next();
            int kept = 0;
            int at = 0;
            while (at < chunk.used && (row < cut.first() || dropped >= 0)) {
                int length = RowReader.HEAD_BYTES
                        + (int) Platform.getLong(chunk.bytes, (long) Platform.BYTE_ARRAY_OFFSET + at);
                if (row == dropped) {
                    dropped = apart.hasNext() ? apart.next() : -1;
                } else if (row >= cut.first()) {
                    System.arraycopy(chunk.bytes, at, chunk.bytes, kept, length);
                    kept += length;
                }
                at += length;
                row++;
            }
            System.arraycopy(chunk.bytes, at, chunk.bytes, kept, chunk.used - at);
            chunk.used += kept - at;
            if (chunk.used == 0) {
                each.remove();
                release(chunk);
            }
        }
    }

    private void release(Chunk chunk) {
        takenBytes -= chunk.bytes.length;
        idleBytes += chunk.bytes.length;
        idle.addLast(chunk.bytes);
    }

    /**
     * Moves all rows to a stream.
     *
     * @param keptBytes that the chunks may take from now on, else they are given up
     */
    void flush(OutputStream target, long keptBytes) throws IOException {
        writeTo(target);
        chunks.forEach(this::release);
        chunks.clear();
        if (idleBytes > keptBytes) {
            idle.clear();
            idleBytes = 0;
        }
    }

    void writeTo(OutputStream target) throws IOException {
        for (Chunk chunk : chunks) {
            target.write(chunk.bytes, 0, chunk.used);
        }
    }
}
