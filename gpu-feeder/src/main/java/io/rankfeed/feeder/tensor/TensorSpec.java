package io.rankfeed.feeder.tensor;

import io.rankfeed.schema.DType;
import java.util.List;

/**
 * One tensor of a slot: an entry of the ring's tensor table (ring.md, section 4).
 *
 * @param name as the trainer sees it
 * @param dtype element type
 * @param layout how rows are laid out
 * @param innerDims fixed: the row's shape; padded and ragged: the shape after the variable dimension
 * @param maxLength longest row in the variable dimension (padded, ragged) or in items (list, stacked), else 0
 * @param valuesOffset byte offset in the slot, a multiple of 64
 * @param valuesCapacityBytes room for the values of a full batch of longest rows
 * @param sideOffset byte offset of lengths or offsets in the slot, a multiple of 64; 0 where fixed
 * @param sideCapacityBytes padded: 4 · rows; ragged, list, stacked: 8 · (rows + 1); fixed: 0
 * @param itemsOffset byte offset in the slot of the values for each item (list, stacked), a multiple of 64; else 0
 * @param itemsCapacityBytes list: 8 · (items + 1); stacked: 4 · items; else 0
 */
public record TensorSpec(
        String name,
        DType dtype,
        Layout layout,
        List<Integer> innerDims,
        int maxLength,
        long valuesOffset,
        long valuesCapacityBytes,
        long sideOffset,
        long sideCapacityBytes,
        long itemsOffset,
        long itemsCapacityBytes) {
    public TensorSpec {
        innerDims = List.copyOf(innerDims);
    }

    /** Creates a tensor without items. */
    public TensorSpec(
            String name,
            DType dtype,
            Layout layout,
            List<Integer> innerDims,
            int maxLength,
            long valuesOffset,
            long valuesCapacityBytes,
            long sideOffset,
            long sideCapacityBytes) {
        this(
                name,
                dtype,
                layout,
                innerDims,
                maxLength,
                valuesOffset,
                valuesCapacityBytes,
                sideOffset,
                sideCapacityBytes,
                0,
                0);
    }

    /**
     * The size in bytes of one row (fixed), of one step along the variable dimension (padded, ragged) or of one item
     * (stacked).
     */
    public int strideBytes() {
        int elements = 1;
        for (int dim : innerDims) {
            elements *= dim;
        }
        return elements * dtype.sizeBytes();
    }
}
