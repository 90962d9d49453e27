package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.MappedColumn;
import io.rankfeed.feeder.tensor.PlannedColumn;
import io.rankfeed.feeder.transform.BoundPipeline;
import io.rankfeed.feeder.transform.ImageWorker;
import io.rankfeed.feeder.transform.ImageWorkers;
import io.rankfeed.feeder.transform.MemberSeeds;
import io.rankfeed.feeder.transform.OnBroken;
import io.rankfeed.feeder.transform.PipelineTimers;
import io.rankfeed.feeder.transform.Rejections;
import io.rankfeed.feeder.transform.step.RejectedImageException;
import io.rankfeed.feeder.transform.step.RejectedImageException.Reason;
import io.rankfeed.schema.cache.CacheColumn;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a column of images, for stored pixels and for image files: reads whether a row has an image, and handles
 * broken images.
 */
final class ImageRows {
    private static final ValueLayout.OfLong ROW_ID = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final long MIN_COST_BYTES = GatherWork.SHARD_BYTES;

    /** Makes the image of one row of the batch. */
    interface Maker {
        void make(ImageWorker worker, int i, long slotOffset) throws RejectedImageException;
    }

    /** Makes an image of the list of one row of the batch. */
    interface ItemMaker {
        void make(ImageWorker worker, int i, int item, long slotOffset) throws RejectedImageException;
    }

    private final PlannedColumn.Made planned;
    private final LaneCache cache;
    private final MappedColumn rowIds;
    private final @Nullable MappedColumn present;
    private final ImageWorkers workers;
    private final Rejections rejections;
    /** By member of the feed. */
    private final BoundPipeline[] pipelines;

    private final int imageBytes;
    private final PipelineTimers timers;

    ImageRows(PlannedColumn.Made planned, LaneCache cache, RowContext context) {
        this.planned = planned;
        this.cache = cache;
        workers = context.workers().get();
        rejections = context.rejections();
        rowIds = cache.column(CacheColumn.ROW_ID.name());
        present = planned.field().nullable() ? cache.column(planned.field().name() + CacheColumn.VALID_SUFFIX) : null;
        pipelines = Arrays.stream(MemberSeeds.of(planned.pipeline().seed(), cache.mixedMembers()))
                .mapToObj(planned.pipeline()::withSeed)
                .toArray(BoundPipeline[]::new);
        imageBytes = planned.tensor().strideBytes();
        timers = new PipelineTimers(planned.pipeline(), context.stages());
    }

    /** The cost of {@code count} images, in bytes that could be copied in the time of decoding them. */
    long costBytes(int count) {
        return count * Math.max(imageBytes, MIN_COST_BYTES);
    }

    void copy(BatchAddresses addresses, int from, int to, MemorySegment slot, Maker maker) {
        ImageWorker worker = workers.take(timers);
        try {
            for (int i = from; i < to; i++) {
                copy(worker, addresses, i, slot, maker);
            }
        } finally {
            workers.giveBack(worker);
        }
    }

    private void copy(ImageWorker worker, BatchAddresses addresses, int i, MemorySegment slot, Maker maker) {
        int block = addresses.block[i];
        int row = addresses.row[i];
        long rowId = rowId(block, row);
        try {
            if (present != null && present.file(block).get(ValueLayout.JAVA_BYTE, present.values(block) + row) == 0) {
                throw new RejectedImageException(Reason.MISSING, "is null");
            }
            worker.begin(pipelines[addresses.member[i]], rowId, addresses.cycle[i]);
            maker.make(worker, i, target(i));
            mark(i, (byte) 1, slot);
        } catch (RejectedImageException e) {
            reject(block, row, "the image of row id " + rowId, e);
            slot.asSlice(target(i), imageBytes).fill((byte) 0);
            mark(i, (byte) 0, slot);
        }
    }

    /**
     * Writes the images of the lists of rows {@code from} to {@code to} (exclusive).
     *
     * @param firstImage index of the first image of each row in the batch
     */
    void copyLists(BatchAddresses addresses, int from, int to, int[] firstImage, MemorySegment slot, ItemMaker maker) {
        ImageWorker worker = workers.take(timers);
        try {
            for (int i = from; i < to; i++) {
                long rowId = rowId(addresses.block[i], addresses.row[i]);
                for (int image = firstImage[i]; image < firstImage[i + 1]; image++) {
                    int item = image - firstImage[i];
                    worker.begin(pipelines[addresses.member[i]], rowId, addresses.cycle[i], item);
                    try {
                        maker.make(worker, i, item, target(image));
                        mark(image, (byte) 1, slot);
                    } catch (RejectedImageException e) {
                        reject(addresses.block[i], addresses.row[i], "image " + item + " of row id " + rowId, e);
                        slot.asSlice(target(image), imageBytes).fill((byte) 0);
                        mark(image, (byte) 0, slot);
                    }
                }
            }
        } finally {
            workers.giveBack(worker);
        }
    }

    private long rowId(int block, int row) {
        return rowIds.file(block).get(ROW_ID, rowIds.values(block) + 8L * row);
    }

    private long target(int image) {
        return planned.tensor().valuesOffset() + (long) image * imageBytes;
    }

    private void mark(int image, byte valid, MemorySegment slot) {
        if (planned.valid().isPresent()) {
            slot.set(ValueLayout.JAVA_BYTE, planned.valid().get().valuesOffset() + image, valid);
        }
    }

    private void reject(int block, int row, String image, RejectedImageException e) {
        String what = "column '" + planned.tensor().name() + "': " + image + " (row " + row
                + " of record batch at byte " + rowIds.values(block) + ") " + e.getMessage();
        if (planned.pipeline().pipeline().broken() == OnBroken.FAIL) {
            throw cache.damage(
                    block,
                    rowIds.values(block) + 8L * row,
                    what + "; for its source file run rankfeed explain VERSION-DIR --row=" + rowId(block, row)
                            + "; to feed zeros and continue, write 'broken: zeros' for the column in the feed file");
        }
        rejections.add(planned.tensor().name(), e.reason().id(), cache.file(block) + ": " + what, "zeros are fed");
    }
}
