package io.rankfeed.feeder.serve.admission;

import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.transform.Normalization;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/** Makes the batches of one rank of one feed. Used by one thread at a time. */
public interface BatchSource extends AutoCloseable {
    List<TensorSpec> tensors();

    /** Digest of all that decides on the values that pipelines make; empty where there are none. */
    String transforms();

    /** What the client does with pixels, by tensor. */
    Map<String, Normalization> normalizations();

    /** Bytes that the tensors of a full batch span. */
    long slotBytes();

    /** Rows of a full batch. */
    int maxRows();

    /**
     * Writes the batch of a global step.
     *
     * @param slotData at least {@link #slotBytes()} long; only those bytes are written
     * @param sizes out
     * @return rows in the batch, 0 … {@link #maxRows()}
     * @throws io.rankfeed.schema.failure.CorruptDataException if a row's bytes are damaged
     */
    int fill(long globalStep, MemorySegment slotData, SlotSizes sizes);

    @Override
    void close();
}
