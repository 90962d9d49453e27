package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.MappedColumn;
import io.rankfeed.feeder.cache.References;
import io.rankfeed.schema.Field;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The offsets and lengths of a variable-length column's values, for each row of a batch. Reads and checks two offsets per row, or a
 * reference to an external file.
 */
final class VariableRows {
    /** The offset at which each row's values begin in its {@link #bytes}: [rows]. */
    final long[] source;
    /** The length of each row of the batch along the variable dimension. */
    final int[] length;

    private final MappedColumn column;
    /** Null if no row has a reference. */
    private final @Nullable References references;

    private final LaneCache cache;
    private final String name;
    private final int maxLength;
    private final int elementBytes;
    private final int elementsPerStep;

    /**
     * @param name name of the column in the cache
     * @param elementBytes size of an element in bytes; offsets count elements
     * @param elementsPerStep number of elements of one step along the variable dimension
     * @param maxLength length of the longest row of the column, in steps
     */
    VariableRows(String name, int elementBytes, int elementsPerStep, int maxLength, LaneCache cache, int rows) {
        column = cache.column(name);
        references = cache.references(name, 0);
        this.cache = cache;
        this.name = name;
        this.maxLength = maxLength;
        this.elementBytes = elementBytes;
        this.elementsPerStep = elementsPerStep;
        source = new long[rows];
        length = new int[rows];
    }

    /** Returns the rows of a field of any rank; their lengths are numbers of elements. */
    static VariableRows ofElements(Field field, int maxElements, LaneCache cache, int rows) {
        return new VariableRows(field.name(), field.dtype().sizeBytes(), 1, maxElements, cache, rows);
    }

    void measure(BatchAddresses addresses, int from, int to) {
        if (references == null) {
            measureValues(addresses, from, to);
            return;
        }
        for (int i = from; i < to; i++) {
            if (references.isIn(addresses.block[i])) {
                measure(references, addresses.block[i], addresses.row[i], i);
            } else {
                measureValues(addresses, i, i + 1);
            }
        }
    }

    /** The memory that a row's values are in, which the next row of the same thread may change where it has a reference. */
    MemorySegment bytes(BatchAddresses addresses, int i) {
        int block = addresses.block[i];
        return references == null || !references.isIn(block)
                ? column.file(block)
                : references.bytes(block, addresses.row[i]);
    }

    private void measure(References of, int block, int row, int i) {
        long bytes = of.lengthBytes(block, row);
        long stepBytes = (long) elementsPerStep * elementBytes;
        if (bytes % stepBytes != 0 || bytes / stepBytes > maxLength) {
            throw of.damage(
                    block, row, "refers to " + bytes + " bytes, not to at most " + maxLength + " times " + stepBytes);
        }
        source[i] = of.position(block, row);
        length[i] = (int) (bytes / stepBytes);
    }

    private void measureValues(BatchAddresses addresses, int from, int to) {
        for (int i = from; i < to; i++) {
            int block = addresses.block[i];
            int row = addresses.row[i];
            int start = column.offset(block, row);
            int elements = column.offset(block, row + 1) - start;
            int steps = elementsPerStep == 1 ? elements : elements / elementsPerStep;
            long sourceBytes = (long) start * elementBytes;
            boolean sound = start >= 0
                    && elements >= 0
                    && steps <= maxLength
                    && steps * elementsPerStep == elements
                    && sourceBytes + (long) elements * elementBytes <= column.valuesBytes(block);
            if (!sound) {
                throw cache.damage(
                        block,
                        column.offsets(block) + 4L * row,
                        "column '" + name + "': row " + row + " of the record batch claims elements " + start
                                + " to " + column.offset(block, row + 1) + " of "
                                + column.valuesBytes(block) / elementBytes + ", longest row "
                                + (long) maxLength * elementsPerStep);
            }
            source[i] = column.values(block) + sourceBytes;
            length[i] = steps;
        }
    }
}
