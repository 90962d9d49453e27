package io.rankfeed.feeder.batch;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Fills bytes with one element, by copying from a run of it made once. */
final class Padding {
    private static final int MAX_RUN_BYTES = 64 << 10;

    private final MemorySegment run;

    /** @param maxBytes the longest fill that will be asked for; longer ones are made of several copies */
    Padding(int elementBytes, long bits, long maxBytes) {
        // Both bounds are multiples of every element size, so pieces of a fill join without a seam.
        int runBytes = (int) Math.min(maxBytes, MAX_RUN_BYTES);
        run = MemorySegment.ofArray(new byte[runBytes]);
        for (int i = 0; i < runBytes; i++) {
            run.set(ValueLayout.JAVA_BYTE, i, (byte) (bits >>> (i % elementBytes * Byte.SIZE)));
        }
    }

    void fill(MemorySegment target, long offset, long bytes) {
        long at = offset;
        long end = offset + bytes;
        while (at < end) {
            long piece = Math.min(end - at, run.byteSize());
            MemorySegment.copy(run, 0, target, at, piece);
            at += piece;
        }
    }
}
