package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.MappedColumn;
import io.rankfeed.feeder.cache.References;
import io.rankfeed.feeder.tensor.PlannedColumn;
import io.rankfeed.feeder.timing.Stage;
import io.rankfeed.feeder.transform.BoundPipeline;
import io.rankfeed.feeder.transform.ImageWorker;
import io.rankfeed.feeder.transform.step.RejectedImageException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Gathers stored pixels, which a pipeline changes. */
final class PixelGather extends ColumnGather {
    private final BoundPipeline pipeline;
    private final MappedColumn column;
    /** Null if no row has a reference. */
    private final @Nullable References references;

    private final ImageRows images;
    private final long sourceBytes;
    private long usedBytes;

    PixelGather(PlannedColumn.Made planned, LaneCache cache, RowContext context) {
        super(planned.tensor());
        pipeline = planned.pipeline();
        column = cache.column(planned.field().name());
        images = new ImageRows(planned, cache, context);
        sourceBytes = planned.field().shape().elements();
        references = cache.references(planned.field().name(), sourceBytes);
    }

    @Override
    void measure(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        // Every row has the same length.
    }

    @Override
    void settle(int validRows, MemorySegment slot) {
        usedBytes = (long) validRows * strideBytes;
    }

    @Override
    @Nullable
    Stage stage() {
        return null;
    }

    @Override
    void copy(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        images.copy(
                addresses,
                from,
                to,
                slot,
                (worker, i, target) -> make(worker, addresses.block[i], addresses.row[i], slot, target));
    }

    private void make(ImageWorker worker, int block, int row, MemorySegment slot, long target)
            throws RejectedImageException {
        if (references != null && references.isIn(block)) {
            MemorySegment bytes = references.bytes(block, row);
            worker.pixels(pipeline, bytes, references.position(block, row), slot, target);
        } else {
            worker.pixels(pipeline, column.file(block), column.values(block) + row * sourceBytes, slot, target);
        }
    }

    @Override
    long usedBytes() {
        return usedBytes;
    }

    @Override
    int width() {
        return 0;
    }
}
