package io.rankfeed.feeder.ring;

import io.rankfeed.feeder.batch.ColumnPlan;
import io.rankfeed.feeder.batch.TensorSpec;
import io.rankfeed.schema.failure.ConfigException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes header and tensor table into a segment of zeros; the byte map is docs/format/ring.md, section 4. */
final class RingHeader {
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final int VERSION = 1;
    static final int NAME_BYTES = ColumnPlan.MAX_NAME_BYTES;
    private static final byte[] MAGIC = {0x52, 0x46, 0x52, 0x49, 0x4e, 0x47, 0x00, 0x01};
    private static final int MAX_INNER_DIMS = 8;
    private static final int ID_BYTES = 16;
    private static final int FEED_BYTES = 32;

    private RingHeader() {}

    static void write(MemorySegment segment, RingLayout layout, RingIdentity identity, List<TensorSpec> tensors) {
        MemorySegment.copy(MAGIC, 0, segment, ValueLayout.JAVA_BYTE, 0, MAGIC.length);
        segment.set(INT, 8, VERSION);
        segment.set(INT, 12, layout.slots());
        segment.set(INT, 16, layout.columns());
        segment.set(INT, 20, layout.slotDescriptorBytes());
        segment.set(LONG, 24, RingLayout.TENSOR_TABLE_OFFSET);
        segment.set(LONG, 32, layout.slotTableOffset());
        segment.set(LONG, 40, layout.dataOffset());
        segment.set(LONG, 48, layout.slotStrideBytes());
        segment.set(LONG, 56, layout.lengthBytes());
        segment.set(LONG, 64, identity.generation());
        segment.set(INT, 72, identity.rank());
        segment.set(INT, 76, identity.world());
        segment.set(INT, 80, identity.maxRows());
        text(segment, 88, ID_BYTES, identity.plan());
        text(segment, 104, ID_BYTES, identity.version());
        text(segment, 120, FEED_BYTES, identity.feed());
        for (int c = 0; c < tensors.size(); c++) {
            long at = RingLayout.TENSOR_TABLE_OFFSET + (long) c * RingLayout.TENSOR_ENTRY_BYTES;
            tensor(segment.asSlice(at, RingLayout.TENSOR_ENTRY_BYTES), tensors.get(c));
        }
    }

    private static void tensor(MemorySegment entry, TensorSpec tensor) {
        List<Integer> inner = tensor.innerDims();
        if (inner.size() > MAX_INNER_DIMS) {
            throw new ConfigException("column '" + tensor.name() + "' has " + inner.size()
                    + " inner dimensions; at most " + MAX_INNER_DIMS);
        }
        text(entry, 0, NAME_BYTES, tensor.name());
        entry.set(ValueLayout.JAVA_BYTE, 64, (byte) tensor.dtype().wireCode());
        entry.set(ValueLayout.JAVA_BYTE, 65, (byte) tensor.layout().code());
        entry.set(ValueLayout.JAVA_BYTE, 66, (byte) inner.size());
        for (int d = 0; d < inner.size(); d++) {
            entry.set(INT, 68 + 4L * d, inner.get(d));
        }
        entry.set(INT, 100, tensor.maxLength());
        entry.set(LONG, 104, tensor.valuesOffset());
        entry.set(LONG, 112, tensor.valuesCapacityBytes());
        entry.set(LONG, 120, tensor.sideOffset());
        entry.set(LONG, 128, tensor.sideCapacityBytes());
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
