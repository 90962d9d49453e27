package io.rankfeed.feeder.preview;

import io.rankfeed.feeder.serve.VersionCatalog;
import io.rankfeed.feeder.serve.admission.BatchSource;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.PlannedColumn;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.text.IntegerReader;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.failure.ConfigException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;

/** A batch of some columns in the form of a trainer's slot. */
public final class FilledSlot {
    private static final long MAX_BYTES = 4L << 30;
    private static final ValueLayout.OfLong OFFSET = ValueLayout.JAVA_LONG_UNALIGNED;

    private final List<PlannedColumn> columns;
    private final List<TensorSpec> tensors;
    private final MemorySegment memory;
    private final SlotSizes sizes;

    private FilledSlot(List<PlannedColumn> columns, BatchSource source, long step) {
        this.columns = columns;
        tensors = source.tensors();
        memory = Arena.ofAuto().allocate(source.slotBytes(), 64);
        sizes = new SlotSizes(tensors.size());
        source.fill(step, memory, sizes);
    }

    /**
     * @param step counted over all epochs
     * @throws ConfigException if a batch may be too large to be held, or a requested column is not available
     */
    public static FilledSlot of(
            VersionCatalog catalog, String feed, int rank, int world, long step, ColumnSelection columns) {
        try (BatchSource source = catalog.open(feed, rank, world, columns)) {
            if (source.slotBytes() > MAX_BYTES) {
                throw new ConfigException("a batch of " + source.maxRows() + " rows may have "
                        + ByteSize.rounded(source.slotBytes()) + ", at most " + new ByteSize(MAX_BYTES)
                        + " are previewed; name fewer columns in the feed file, or a larger --world");
            }
            return new FilledSlot(catalog.columnPlan(feed, world, columns).columns(), source, step);
        }
    }

    List<PlannedColumn> columns() {
        return columns;
    }

    MemorySegment memory() {
        return memory;
    }

    TensorSpec tensor(String name) {
        return find(name).orElseThrow();
    }

    Optional<TensorSpec> find(String name) {
        return tensors.stream().filter(tensor -> tensor.name().equals(name)).findFirst();
    }

    /** The number of values along the variable dimension, or of all values of a flat tensor. */
    int width(TensorSpec tensor) {
        int number = tensors.indexOf(tensor);
        long width = sizes.width(number);
        return (int) (width > 0 ? width : sizes.usedBytes(number) / tensor.strideBytes());
    }

    /** Reads one offset of a table of offsets. */
    int offset(long table, long number) {
        return (int) memory.get(OFFSET, table + 8 * number);
    }

    /** Reads an integer of a tensor, by its index among all elements. */
    long integer(TensorSpec tensor, long number) {
        return IntegerReader.one(
                tensor.dtype(),
                memory,
                tensor.valuesOffset() + number * tensor.dtype().sizeBytes());
    }

    /** Whether a row or an image has a value, where a tensor says so. */
    boolean isPresent(Optional<TensorSpec> valid, long number) {
        return valid.isEmpty() || memory.get(ValueLayout.JAVA_BYTE, valid.get().valuesOffset() + number) != 0;
    }
}
