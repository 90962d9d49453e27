package io.rankfeed.feeder.ring;

import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.schema.failure.ConfigException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes header and tensor table into a segment of zeros. The byte map is in {@link RingBytes}. */
final class RingHeader {
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final int VERSION = 1;
    static final int NAME_BYTES = ColumnPlan.MAX_NAME_BYTES;
    private static final byte[] MAGIC = {0x52, 0x46, 0x52, 0x49, 0x4e, 0x47, 0x00, 0x01};
    private static final int MAX_INNER_DIMS = 8;

    private RingHeader() {}

    static void write(MemorySegment segment, RingLayout layout, RingIdentity identity, List<TensorSpec> tensors) {
        MemorySegment.copy(MAGIC, 0, segment, ValueLayout.JAVA_BYTE, RingBytes.MAGIC, MAGIC.length);
        segment.set(INT, RingBytes.VERSION, VERSION);
        segment.set(INT, RingBytes.SLOTS, layout.slots());
        segment.set(INT, RingBytes.COLUMNS, layout.columns());
        segment.set(INT, RingBytes.DESCRIPTOR_BYTES, layout.slotDescriptorBytes());
        segment.set(LONG, RingBytes.TENSOR_TABLE, RingLayout.TENSOR_TABLE_OFFSET);
        segment.set(LONG, RingBytes.SLOT_TABLE, layout.slotTableOffset());
        segment.set(LONG, RingBytes.DATA, layout.dataOffset());
        segment.set(LONG, RingBytes.STAGE_TABLE, layout.stageTableOffset());
        segment.set(LONG, RingBytes.SLOT_STRIDE, layout.slotStrideBytes());
        segment.set(LONG, RingBytes.LENGTH, layout.lengthBytes());
        segment.set(LONG, RingBytes.GENERATION, identity.generation());
        segment.set(INT, RingBytes.RANK, identity.rank());
        segment.set(INT, RingBytes.WORLD, identity.world());
        segment.set(INT, RingBytes.MAX_ROWS, identity.maxRows());
        text(segment, RingBytes.PLAN, RingBytes.ID_BYTES, identity.plan());
        text(segment, RingBytes.VERSION_ID, RingBytes.ID_BYTES, identity.version());
        text(segment, RingBytes.FEED, RingBytes.FEED_BYTES, identity.feed());
        for (int c = 0; c < tensors.size(); c++) {
            long at = RingLayout.TENSOR_TABLE_OFFSET + (long) c * RingBytes.TENSOR_ENTRY_BYTES;
            tensor(segment.asSlice(at, RingBytes.TENSOR_ENTRY_BYTES), tensors.get(c));
        }
    }

    private static void tensor(MemorySegment entry, TensorSpec tensor) {
        List<Integer> inner = tensor.innerDims();
        if (inner.size() > MAX_INNER_DIMS) {
            throw new ConfigException("column '" + tensor.name() + "' has " + inner.size()
                    + " inner dimensions; at most " + MAX_INNER_DIMS);
        }
        text(entry, RingBytes.TENSOR_NAME, NAME_BYTES, tensor.name());
        entry.set(ValueLayout.JAVA_BYTE, RingBytes.TENSOR_DTYPE, (byte)
                tensor.dtype().wireCode());
        entry.set(ValueLayout.JAVA_BYTE, RingBytes.TENSOR_LAYOUT, (byte)
                tensor.layout().code());
        entry.set(ValueLayout.JAVA_BYTE, RingBytes.TENSOR_INNER_RANK, (byte) inner.size());
        for (int d = 0; d < inner.size(); d++) {
            entry.set(INT, RingBytes.TENSOR_INNER_DIMS + 4L * d, inner.get(d));
        }
        entry.set(INT, RingBytes.TENSOR_MAX_LENGTH, tensor.maxLength());
        entry.set(LONG, RingBytes.TENSOR_VALUES_AT, tensor.valuesOffset());
        entry.set(LONG, RingBytes.TENSOR_VALUES_BYTES, tensor.valuesCapacityBytes());
        entry.set(LONG, RingBytes.TENSOR_SIDE_AT, tensor.sideOffset());
        entry.set(LONG, RingBytes.TENSOR_SIDE_BYTES, tensor.sideCapacityBytes());
        entry.set(LONG, RingBytes.TENSOR_ITEMS_AT, tensor.itemsOffset());
        entry.set(LONG, RingBytes.TENSOR_ITEMS_BYTES, tensor.itemsCapacityBytes());
    }

    private static void text(MemorySegment at, long offset, int roomBytes, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > roomBytes) {
            throw new ConfigException(
                    "'" + text + "' has " + utf8.length + " bytes; the ring has room for " + roomBytes + "; rename it");
        }
        MemorySegment.copy(utf8, 0, at, ValueLayout.JAVA_BYTE, offset, utf8.length);
    }
}
