package io.rankfeed.feeder.cache;

import io.rankfeed.schema.cache.CacheBatch;
import io.rankfeed.schema.failure.CorruptDataException;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.zip.CRC32C;

/**
 * Which blocks of a {@link LaneCache} match their CRC32C. A block is checked by whoever needs it first; two threads that
 * need it at once both check it and find the same. Once every block is sound, {@link #areDone} answers by one read.
 */
final class BlockChecks {
    private static final int UNCHECKED = 0;
    private static final int SOUND = 1;
    private static final int CORRUPT = 2;

    /** A byte buffer over a segment holds at most 2 GiB. */
    private static final long CHUNK_BYTES = 64L << 20;

    private final MappedFile[] fileOfBlock;
    private final long[] offset;
    private final long[] end;
    private final int[] crc32c;
    private final AtomicIntegerArray states;
    private final AtomicInteger unsound;
    private int ahead;
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

    /** Whether every block was found sound. */
    boolean areDone() {
        return unsound.get() == 0;
    }

    /** @throws CorruptDataException with the file, the record batch and its first byte if the block is corrupted */
    void require(int block) {
        if (states.get(block) != SOUND && !isSound(block)) {
            throw corrupted(block);
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
                isSound(block);
                return true;
            }
        }
        return false;
    }

    /** Waits for the check that is in progress; none begins after it. */
    synchronized void close() {
        closed = true;
    }

    private boolean isSound(int block) {
        boolean sound = crc32cNow(block) == crc32c[block];
        if (states.compareAndSet(block, UNCHECKED, sound ? SOUND : CORRUPT) && sound) {
            unsound.decrementAndGet();
        }
        return sound;
    }

    private int crc32cNow(int block) {
        MemorySegment file = fileOfBlock[block].bytes();
        CRC32C crc = new CRC32C();
        for (long at = offset[block]; at < end[block]; at += CHUNK_BYTES) {
            crc.update(file.asSlice(at, Math.min(CHUNK_BYTES, end[block] - at)).asByteBuffer());
        }
        return (int) crc.getValue();
    }

    private CorruptDataException corrupted(int block) {
        int first = block;
        while (first > 0 && fileOfBlock[first - 1].equals(fileOfBlock[block])) {
            first--;
        }
        return new CorruptDataException(
                fileOfBlock[block].path().toString(),
                offset[block],
                String.format(
                        Locale.ROOT,
                        "record batch %d (to byte %d) does not match its CRC32C %08x; run 'rankfeed verify' and delete the"
                                + " corrupted copy, or export the version again",
                        block - first,
                        end[block],
                        crc32c[block]));
    }
}
