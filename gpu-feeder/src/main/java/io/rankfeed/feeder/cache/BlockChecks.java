package io.rankfeed.feeder.cache;

import io.rankfeed.schema.cache.CacheBatch;
import io.rankfeed.schema.failure.CorruptDataException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.zip.CRC32C;

/**
 * Records which blocks of a {@link LaneCache} match their CRC32C. The first thread that needs a block checks it; two threads may check the
 * same block at once, with the same result. Once every block is valid, {@link #areDone} takes one read.
 */
final class BlockChecks {
    private static final int UNCHECKED = 0;
    private static final int SOUND = 1;

    /** A chunk fits into the cache of a core. Its checksum takes less than 0.1 ms. */
    private static final int CHUNK_BYTES = 256 << 10;

    private final MappedFile[] fileOfBlock;
    private final long[] offset;
    private final long[] end;
    private final int[] crc32c;
    /** Negative: −1 − the corrupted block that makes this one unusable. */
    private final AtomicIntegerArray states;

    private final AtomicInteger unsound;
    private int ahead;
    private int again;
    private boolean closed;

    BlockChecks(MappedFile[] fileOfBlock, CacheBatch[] batches) {
        this.fileOfBlock = fileOfBlock;
        this.offset = new long[batches.length];
        this.end = new long[batches.length];
        this.crc32c = new int[batches.length];
        for (int block = 0; block < batches.length; block++) {
            offset[block] = batches[block].offset();
            end[block] = batches[block].end();
            crc32c[block] = batches[block].crc32c();
        }
        this.states = new AtomicIntegerArray(batches.length);
        this.unsound = new AtomicInteger(batches.length);
    }

    /** Whether all blocks match their checksums. */
    boolean areDone() {
        return unsound.get() == 0;
    }

    /** @throws CorruptDataException with the file, the record batch and its first byte if the block is corrupted */
    void require(int block) {
        int state = states.get(block);
        if (state == UNCHECKED) {
            check(block);
            state = states.get(block);
        }
        if (state < 0) {
            throw corrupted(-1 - state);
        }
    }

    /**
     * Checks the next block in file order that nobody needed so far. Corruption is reported to the ranks that read the
     * block, not here.
     *
     * @return false if there is none, or the cache is closed
     */
    synchronized boolean checkNext() {
        while (!closed && ahead < states.length()) {
            int block = ahead++;
            if (states.get(block) == UNCHECKED) {
                check(block);
                return true;
            }
        }
        return false;
    }

    /**
     * Checks the next block again that was sound and is in memory. If it no longer matches, rows of it may have been
     * served. So every block of its file is then corrupted for the ranks that read it.
     *
     * @param pause runs after each chunk
     * @return false at the end of the pass, which the next call begins again, or if the cache is closed
     */
    boolean checkNextAgain(Runnable pause) {
        while (again < states.length()) {
            int block = again++;
            if (states.get(block) == SOUND && isInMemory(block)) {
                if (!matchesAgain(block, pause) && !isClosed()) {
                    condemnFile(block);
                }
                return true;
            }
        }
        again = 0;
        return false;
    }

    /** Waits for the check that is in progress; none begins after it. */
    synchronized void close() {
        closed = true;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private void check(int block) {
        Chunks chunks = new Chunks(block);
        while (chunks.next()) {}
        boolean isSound = chunks.match();
        if (states.compareAndSet(block, UNCHECKED, isSound ? SOUND : -1 - block) && isSound) {
            unsound.decrementAndGet();
        }
    }

    /**
     * Whether the pages of a block are in memory: a check of other pages would read from the disk, which batches may
     * need.
     */
    private synchronized boolean isInMemory(int block) {
        return !closed
                && fileOfBlock[block]
                        .bytes()
                        .asSlice(offset[block], end[block] - offset[block])
                        .isLoaded();
    }

    private boolean matchesAgain(int block, Runnable pause) {
        Chunks chunks = new Chunks(block);
        while (isMore(chunks)) {
            pause.run();
        }
        return chunks.match();
    }

    private synchronized boolean isMore(Chunks chunks) {
        return !closed && chunks.next();
    }

    private void condemnFile(int corrupted) {
        for (int block = firstOfFile(corrupted); block < states.length(); block++) {
            boolean isOfFile = fileOfBlock[block].equals(fileOfBlock[corrupted]);
            if (isOfFile && states.getAndSet(block, -1 - corrupted) == SOUND) {
                unsound.incrementAndGet();
            }
        }
    }

    private int firstOfFile(int block) {
        int first = block;
        while (first > 0 && fileOfBlock[first - 1].equals(fileOfBlock[block])) {
            first--;
        }
        return first;
    }

    /**
     * The checksum of the chunks of a block that were read so far. Java copies the bytes first: a lost page in native
     * code would end the process.
     */
    private final class Chunks {
        private final int block;
        private final byte[] copy;
        private final CRC32C crc = new CRC32C();
        private long at;

        Chunks(int block) {
            this.block = block;
            at = offset[block];
            copy = new byte[(int) Math.min(CHUNK_BYTES, end[block] - at)];
        }

        /** Adds a chunk; false if there is none left. */
        boolean next() {
            int bytes = (int) Math.min(copy.length, end[block] - at);
            MemorySegment.copy(fileOfBlock[block].bytes(), ValueLayout.JAVA_BYTE, at, copy, 0, bytes);
            crc.update(copy, 0, bytes);
            at += bytes;
            return at < end[block];
        }

        boolean match() {
            return (int) crc.getValue() == crc32c[block];
        }
    }

    private CorruptDataException corrupted(int block) {
        return new CorruptDataException(
                fileOfBlock[block].path().toString(),
                offset[block],
                String.format(
                        Locale.ROOT,
                        "record batch %d (to byte %d) does not match its CRC32C %08x; run 'rankfeed verify' and delete the"
                                + " corrupted copy, or export the version again",
                        block - firstOfFile(block),
                        end[block],
                        crc32c[block]));
    }
}
