package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.MappedColumn;
import io.rankfeed.feeder.tensor.PlannedColumn;
import io.rankfeed.feeder.transform.ImageWorker;
import io.rankfeed.feeder.transform.OnBroken;
import io.rankfeed.feeder.transform.step.RejectedImageException;
import io.rankfeed.feeder.transform.step.RejectedImageException.Reason;
import io.rankfeed.schema.cache.CacheColumn;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** What the two kinds of made columns share: which row it is, whether it has an image, and what becomes of one that is broken. */
final class ImageRows {
    private static final ValueLayout.OfLong ROW_ID = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final long LEAST_COST_BYTES = GatherWork.SHARD_BYTES;

    /** Makes the image of one row of the batch. */
    interface Maker {
        void make(ImageWorker worker, int i, long slotOffset) throws RejectedImageException;
    }

    private final PlannedColumn.Made planned;
    private final LaneCache cache;
    private final MappedColumn rowIds;
    private final @Nullable MappedColumn present;
    private final ImageContext images;
    private final int rowBytes;

    ImageRows(PlannedColumn.Made planned, LaneCache cache, ImageContext images) {
        this.planned = planned;
        this.cache = cache;
        this.images = images;
        rowIds = cache.column(CacheColumn.ROW_ID.name());
        present = planned.field().nullable() ? cache.column(planned.field().name() + CacheColumn.VALID_SUFFIX) : null;
        rowBytes = planned.tensor().strideBytes();
    }

    /** Decoding takes about as long as copying this much. */
    long costBytes(int rows) {
        return rows * Math.max(rowBytes, LEAST_COST_BYTES);
    }

    void copy(BatchPlaces places, int from, int to, MemorySegment slot, Maker maker) {
        ImageWorker worker = images.workers().take();
        try {
            for (int i = from; i < to; i++) {
                copy(worker, places.block[i], places.row[i], places.cycle[i], i, slot, maker);
            }
        } finally {
            images.workers().giveBack(worker);
        }
    }

    private void copy(ImageWorker worker, int block, int row, long cycle, int i, MemorySegment slot, Maker maker) {
        long target = planned.tensor().valuesOffset() + (long) i * rowBytes;
        long rowId = rowIds.file(block).get(ROW_ID, rowIds.values(block) + 8L * row);
        byte valid = 1;
        try {
            if (present != null && present.file(block).get(ValueLayout.JAVA_BYTE, present.values(block) + row) == 0) {
                throw new RejectedImageException(Reason.MISSING, "is null");
            }
            worker.begin(planned.pipeline(), rowId, cycle);
            maker.make(worker, i, target);
        } catch (RejectedImageException e) {
            reject(block, row, rowId, e);
            slot.asSlice(target, rowBytes).fill((byte) 0);
            valid = 0;
        }
        if (planned.valid().isPresent()) {
            slot.set(ValueLayout.JAVA_BYTE, planned.valid().get().valuesOffset() + i, valid);
        }
    }

    private void reject(int block, int row, long rowId, RejectedImageException e) {
        String what = "column '" + planned.tensor().name() + "': the image of row id "
                + rowId + " (row " + row + " of record batch at byte "
                + rowIds.values(block) + ") " + e.getMessage();
        if (planned.pipeline().pipeline().broken() == OnBroken.FAIL) {
            throw cache.damage(
                    block,
                    rowIds.values(block) + 8L * row,
                    what + "; to feed zeros and continue, write 'broken: zeros' for the column in the feed file");
        }
        images.rejections().add(planned.tensor().name(), e.reason(), cache.file(block) + ": " + what);
    }
}
