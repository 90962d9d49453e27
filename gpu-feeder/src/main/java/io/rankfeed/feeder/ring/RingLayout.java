package io.rankfeed.feeder.ring;

import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.timing.StageTable;
import io.rankfeed.schema.failure.ConfigException;
import java.util.List;

/**
 * The offsets and sizes of the parts of a segment, in bytes (docs/format/ring.md, section 4).
 *
 * <pre>
 * 0          header            4096
 * 4096       tensor table      columns * 256, padded to 4096
 * slotTable  slot descriptors  slots * slotDescriptorBytes, padded to 4096
 * stageTable stage timers      64 * 448
 * data       slot data         slots * slotStride
 * </pre>
 *
 * @param slots 2 … 4096
 * @param columns 1 … 1024
 */
public record RingLayout(
        int slots,
        int columns,
        int slotDescriptorBytes,
        long slotTableOffset,
        long stageTableOffset,
        long dataOffset,
        long slotStrideBytes,
        long lengthBytes) {
    public static final int MIN_SLOTS = 2;
    public static final int MAX_SLOTS = 4096;
    public static final int MAX_COLUMNS = ColumnPlan.MAX_TENSORS;
    static final int PAGE_BYTES = 4096;
    static final int TENSOR_TABLE_OFFSET = PAGE_BYTES;
    private static final int DESCRIPTOR_ALIGNMENT = 64;

    /** @throws ConfigException if the counts are out of their ranges or the whole would pass 2^62 bytes */
    public static RingLayout of(int slots, List<TensorSpec> tensors, long slotBytes) {
        int columns = tensors.size();
        if (slots < MIN_SLOTS || slots > MAX_SLOTS) {
            throw new ConfigException(
                    "depth " + slots + ": a ring has " + MIN_SLOTS + " to " + MAX_SLOTS + " slots; change --depth");
        }
        if (columns < 1 || columns > MAX_COLUMNS) {
            throw new ConfigException("a ring carries 1 to " + MAX_COLUMNS + " columns, not " + columns);
        }
        int descriptorBytes = (int)
                padded(RingBytes.SLOT_FIXED_BYTES + (long) columns * RingBytes.SLOT_COLUMN_BYTES, DESCRIPTOR_ALIGNMENT);
        long slotTable = TENSOR_TABLE_OFFSET + padded((long) columns * RingBytes.TENSOR_ENTRY_BYTES, PAGE_BYTES);
        long stageTable = slotTable + padded((long) slots * descriptorBytes, PAGE_BYTES);
        long data = stageTable + StageTable.BYTES;
        try {
            long stride = padded(Math.max(1, slotBytes), PAGE_BYTES);
            long length = Math.addExact(data, Math.multiplyExact(stride, (long) slots));
            return new RingLayout(slots, columns, descriptorBytes, slotTable, stageTable, data, stride, length);
        } catch (ArithmeticException e) {
            throw new ConfigException("a slot of " + slotBytes + " bytes, " + slots + " times, is not a size", e);
        }
    }

    long descriptorOffset(int slot) {
        return slotTableOffset + (long) slot * slotDescriptorBytes;
    }

    long slotOffset(int slot) {
        return dataOffset + slot * slotStrideBytes;
    }

    private static long padded(long bytes, int alignment) {
        return Math.addExact(bytes, alignment - 1) & -alignment;
    }
}
