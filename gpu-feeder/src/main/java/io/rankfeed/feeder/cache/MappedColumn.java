package io.rankfeed.feeder.cache;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * One column of every mapped record batch, addressed by (block, row): block is the record batch's number in its
 * {@link LaneCache}. Says where bytes are; bounds of what an offsets buffer claims are the caller's to check.
 */
public final class MappedColumn {
    private static final ValueLayout.OfInt OFFSET = ValueLayout.JAVA_INT_UNALIGNED;

    private final MemorySegment[] files;
    private final long[] offsets;
    private final long[] itemOffsets;
    private final long[] itemCounts;
    private final long[] values;
    private final long[] valuesBytes;
    /** By block, null where it has values; empty where each has. */
    private final @Nullable ReferencedFiles[] referenced;

    MappedColumn(
            MemorySegment[] files,
            long[] offsets,
            long[] itemOffsets,
            long[] itemCounts,
            long[] values,
            long[] valuesBytes,
            @Nullable ReferencedFiles[] referenced) {
        this.files = files;
        this.offsets = offsets;
        this.itemOffsets = itemOffsets;
        this.itemCounts = itemCounts;
        this.values = values;
        this.valuesBytes = valuesBytes;
        this.referenced = referenced;
    }

    /** Whether any block has references in place of values; {@link References} resolves them. */
    boolean hasReferences() {
        return referenced.length > 0;
    }

    /** The files that a block's references are to; null if the block has values. */
    @Nullable
    ReferencedFiles referenced(int block) {
        return referenced[block];
    }

    /** The whole file that a block is in. */
    public MemorySegment file(int block) {
        return files[block];
    }

    /** The offset in the file at which the block's values begin, in bytes. */
    public long values(int block) {
        return values[block];
    }

    /** The size of the block's values buffer, in bytes. */
    public long valuesBytes(int block) {
        return valuesBytes[block];
    }

    /** The offset in the file at which the block's row offsets begin, in bytes (variable-length columns). */
    public long offsets(int block) {
        return offsets[block];
    }

    /** The number of items in the block's lists. */
    public long itemCount(int block) {
        return itemCounts[block];
    }

    /** The offset in the file at which the block's item offsets begin, in bytes (lists). */
    public long itemOffsets(int block) {
        return itemOffsets[block];
    }

    /**
     * The offset of an item's first byte, as the file states it and unchecked (lists); the offset of the next item is
     * its end.
     */
    public int itemOffset(int block, int item) {
        return files[block].get(OFFSET, itemOffsets[block] + 4L * item);
    }

    /**
     * The index of a row's first element, or item, as the file states it and unchecked (variable-length columns); the
     * index of the next row is its end.
     */
    public int offset(int block, int row) {
        return files[block].get(OFFSET, offsets[block] + 4L * row);
    }
}
