package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.timing.Stage;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

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

    /** Whether the column has lengths, which {@link #measure} reads. */
    boolean isVariable() {
        return false;
    }

    /** Reads the lengths of rows {@code from} to {@code to} (exclusive); only variable-length columns have lengths. */
    abstract void measure(BatchAddresses addresses, int from, int to, MemorySegment slot);

    /** Fixes the position of each row in the tensor, after all rows are measured. */
    abstract void settle(int validRows, MemorySegment slot);

    abstract void copy(BatchAddresses addresses, int from, int to, MemorySegment slot);

    /** The stage that {@link #copy} belongs to; null if it records its stages itself. */
    @Nullable
    Stage stage() {
        return Stage.ASSEMBLE;
    }

    /** The size of the values in bytes; valid after {@link #settle}. */
    abstract long usedBytes();

    /**
     * The number of rows, or of images of lists, in the tensor. Called only if the tensor has {@link SideGather#marks}.
     */
    int count() {
        return (int) (usedBytes() / strideBytes);
    }

    /**
     * The number of elements of padded rows, or of tokens, without padding; 0 for other columns. Valid after {@link
     * #settle}.
     */
    long tokens() {
        return 0;
    }

    /**
     * The number of elements of padded rows, or of tokens, with padding; 0 for other columns. Valid after {@link
     * #settle}.
     */
    long paddedTokens() {
        return 0;
    }

    /**
     * The cost of {@link #copy}, in bytes that could be copied in the same time. The shards of a batch have about equal
     * costs. Valid after {@link #settle}.
     */
    long costBytes() {
        return usedBytes();
    }

    /** The steps of the longest row, at least 1, if the column is padded; otherwise 0. Valid after {@link #settle}. */
    abstract int width();
}
