package io.rankfeed.feeder.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.fixture.TestRows;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.PlannedColumn;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.sampling.order.OrderLookup;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The expected bytes of a slot, computed row by row by the formulas of the values, without a file. */
record ExpectedBatch(ColumnPlan plan, TestRows values, String feed) {
    /** Returns the row at a position of the batch. */
    interface RowAt {
        OrderLookup.Row at(int position);
    }

    void check(MemorySegment slot, int valid, SlotSizes sizes, RowAt rowAt) {
        for (int t = 0; t < plan.columns().size(); t++) {
            List<byte[]> rows = new ArrayList<>();
            for (int position = 0; position < valid; position++) {
                rows.add(row(plan.columns().get(t).tensor().name(), rowAt.at(position)));
            }
            if (plan.columns().get(t) instanceof PlannedColumn.Listed listed) {
                assertThat(sizes.width(t)).isZero();
                checkLists(listed.tensor(), slot, sizes.usedBytes(t), rows);
                continue;
            }
            PlannedColumn.Copied column = (PlannedColumn.Copied) plan.columns().get(t);
            switch (column.tensor().layout()) {
                case FIXED -> checkFixed(column, slot, sizes.usedBytes(t), sizes.width(t), rows);
                case PADDED -> checkPadded(column, slot, sizes.usedBytes(t), sizes.width(t), rows);
                case RAGGED -> checkRagged(column, slot, sizes.usedBytes(t), sizes.width(t), rows);
                case LIST, STACKED, DENSE, FLAT, BOUNDS ->
                    throw new AssertionError("not the layout of a copied column");
            }
        }
    }

    private byte[] row(String name, OrderLookup.Row row) {
        if (name.equals(ColumnPlan.ROW_ID)) {
            return ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(values.rowId(feed, row.stratum(), row.index()))
                    .array();
        }
        boolean validity = name.endsWith(".valid");
        int field = values.schema().names().indexOf(validity ? name.substring(0, name.length() - 6) : name);
        TestRows.Value value = values.value(feed, row.stratum(), row.index(), field);
        return validity ? new byte[] {(byte) (value.present() ? 1 : 0)} : value.bytes();
    }

    private static void checkFixed(
            PlannedColumn.Copied column, MemorySegment slot, long used, long width, List<byte[]> rows) {
        byte[] all = joined(rows);
        assertThat(used).isEqualTo(all.length);
        assertThat(width).isZero();
        assertThat(valuesOf(column, slot, used)).isEqualTo(all);
    }

    private static void checkPadded(
            PlannedColumn.Copied column, MemorySegment slot, long used, long width, List<byte[]> rows) {
        TensorSpec tensor = column.tensor();
        int stride = tensor.strideBytes();
        int longest = 1;
        for (int i = 0; i < rows.size(); i++) {
            int length = rows.get(i).length / stride;
            longest = Math.max(longest, length);
            assertThat(slot.get(ValueLayout.JAVA_INT, tensor.sideOffset() + 4L * i))
                    .isEqualTo(length);
        }
        assertThat(width).isEqualTo(longest);
        List<byte[]> padded = new ArrayList<>();
        for (byte[] row : rows) {
            byte[] full = new byte[longest * stride];
            for (int i = 0; i < full.length; i++) {
                int bit = i % tensor.dtype().sizeBytes() * 8;
                full[i] = i < row.length ? row[i] : (byte) (column.padBits() >>> bit);
            }
            padded.add(full);
        }
        assertThat(used).isEqualTo((long) rows.size() * longest * stride);
        assertThat(valuesOf(column, slot, used)).isEqualTo(joined(padded));
    }

    private void checkRagged(
            PlannedColumn.Copied column, MemorySegment slot, long used, long width, List<byte[]> rows) {
        TensorSpec tensor = column.tensor();
        long at = 0;
        for (int i = 0; i <= plan.rows(); i++) {
            assertThat(slot.get(ValueLayout.JAVA_LONG, tensor.sideOffset() + 8L * i))
                    .isEqualTo(at);
            at += i < rows.size() ? rows.get(i).length / tensor.strideBytes() : 0;
        }
        assertThat(used).isEqualTo(at * tensor.strideBytes());
        assertThat(width).isZero();
        assertThat(valuesOf(column, slot, used)).isEqualTo(joined(rows));
    }

    /** @param packed per row: count, lengths, bytes */
    private void checkLists(TensorSpec tensor, MemorySegment slot, long used, List<byte[]> packed) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        long items = 0;
        for (int i = 0; i <= plan.rows(); i++) {
            assertThat(slot.get(ValueLayout.JAVA_LONG, tensor.sideOffset() + 8L * i))
                    .isEqualTo(items);
            if (i < packed.size()) {
                ByteBuffer row = ByteBuffer.wrap(packed.get(i)).order(ByteOrder.LITTLE_ENDIAN);
                int count = row.getInt();
                int[] lengths = new int[count];
                row.asIntBuffer().get(lengths);
                row.position(4 + 4 * count);
                for (int length : lengths) {
                    assertThat(slot.get(ValueLayout.JAVA_LONG, tensor.itemsOffset() + 8 * items))
                            .isEqualTo(all.size());
                    byte[] item = new byte[length];
                    row.get(item);
                    all.writeBytes(item);
                    items++;
                }
            }
        }
        assertThat(slot.get(ValueLayout.JAVA_LONG, tensor.itemsOffset() + 8 * items))
                .isEqualTo(all.size());
        assertThat(used).isEqualTo(all.size());
        assertThat(slot.asSlice(tensor.valuesOffset(), used).toArray(ValueLayout.JAVA_BYTE))
                .isEqualTo(all.toByteArray());
    }

    private static byte[] valuesOf(PlannedColumn.Copied column, MemorySegment slot, long used) {
        return slot.asSlice(column.tensor().valuesOffset(), used).toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] joined(List<byte[]> rows) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        rows.forEach(all::writeBytes);
        return all.toByteArray();
    }
}
