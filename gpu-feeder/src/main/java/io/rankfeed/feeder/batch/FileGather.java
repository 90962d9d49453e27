package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.tensor.PlannedColumn;
import io.rankfeed.feeder.timing.Stage;
import io.rankfeed.feeder.transform.BoundPipeline;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Gathers image files, which a pipeline decodes to pixels. */
final class FileGather extends VariableGather {
    private final BoundPipeline pipeline;
    private final ImageRows images;
    private long usedBytes;
    private int rows;

    FileGather(PlannedColumn.Made planned, LaneCache cache, int rows, RowContext context) {
        super(planned.tensor(), new VariableRows(planned.field().name(), 1, 1, planned.maxBytes(), cache, rows));
        pipeline = planned.pipeline();
        images = new ImageRows(planned, cache, context);
    }

    @Override
    void settle(int validRows, MemorySegment slot) {
        rows = validRows;
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
                (worker, i, target) -> worker.file(pipeline, bytes(addresses, i), source[i], length[i], slot, target));
    }

    @Override
    long usedBytes() {
        return usedBytes;
    }

    @Override
    long costBytes() {
        return images.costBytes(rows);
    }

    @Override
    int width() {
        return 0;
    }
}
