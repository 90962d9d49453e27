package io.rankfeed.feeder.serve.admission;

import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.timing.StageTable;
import io.rankfeed.feeder.transform.Normalization;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/** Makes the batches of one rank of one feed. Used by one thread at a time. */
public interface BatchSource extends AutoCloseable {
    List<TensorSpec> tensors();

    /** The digest of everything that determines the values of pipelines; empty without pipelines. */
    String transforms();

    /** The normalization that the client applies to pixels, by tensor. */
    Map<String, Normalization> normalizations();

    /** The size of the tensors of a full batch, in bytes. */
    long slotBytes();

    /** The number of rows of a full batch. */
    int maxRows();

    /** The timers of this source's stages. */
    StageTable stages();

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
