package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;

/**
 * Copies one column's rows of a batch into its tensor, in up to three steps: {@link #measure} any range of rows,
 * {@link #settle} once, {@link #copy} any range. Ranges of one step may run on several threads at once.
 */
abstract sealed class ColumnGather
        permits FixedGather, VariableGather, ListGather, PixelGather, StackedGather, TextGather, SideGather, KeyGather {
    final TensorSpec tensor;
    final int strideBytes;

    ColumnGather(TensorSpec tensor) {
        this.tensor = tensor;
        this.strideBytes = tensor.strideBytes();
    }

    /** Whether {@link #measure} has anything to do. */
    boolean isVariable() {
        return false;
    }

    /** Reads lengths; only variable-length columns have any. */
    abstract void measure(BatchPlaces places, int from, int to, MemorySegment slot);

    /** Fixes where each row goes, after every row is measured. */
    abstract void settle(int validRows, MemorySegment slot);

    abstract void copy(BatchPlaces places, int from, int to, MemorySegment slot);

    /** Bytes of values in use, once settled. */
    abstract long usedBytes();

    /** Rows, or images of lists, that the tensor has; only asked of gathers of which {@link SideGather#marks} are made. */
    int count() {
        return (int) (usedBytes() / strideBytes);
    }

    /** Elements of padded rows, or tokens, once settled; other columns have none. */
    long tokens() {
        return 0;
    }

    /** The places for them, padding included, once settled. */
    long places() {
        return 0;
    }

    /** The work of {@link #copy} as the bytes that could be copied meanwhile, once settled: a batch is cut into shards by it. */
    long costBytes() {
        return usedBytes();
    }

    /** Padded: steps of the longest row, at least 1; else 0. Once settled. */
    abstract int width();
}
