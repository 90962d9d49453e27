package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.tensor.PlannedColumn;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.timing.Stage;
import io.rankfeed.feeder.transform.BoundPipeline;
import io.rankfeed.feeder.transform.step.RejectedImageException;
import io.rankfeed.feeder.transform.step.RejectedImageException.Reason;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gathers lists of image files, which a pipeline decodes to pixels: all images of the batch one after the other, and
 * the row of each.
 */
final class StackedGather extends ColumnGather {
    private static final ValueLayout.OfLong OFFSET = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt ROW = ValueLayout.JAVA_INT_UNALIGNED;

    private final BoundPipeline pipeline;
    private final ListRows lists;
    private final ImageRows images;
    private final LaneCache cache;
    private final Optional<TensorSpec> marks;
    /** The index of each row's first image in the batch; the last element is the number of images: [rows + 1]. */
    private final int[] firstImage;

    private int count;

    StackedGather(PlannedColumn.Made planned, LaneCache cache, int rows, RowContext context) {
        super(planned.tensor());
        pipeline = planned.pipeline();
        marks = planned.valid();
        String source = planned.field().name();
        this.cache = cache;
        lists = new ListRows(
                source, cache.column(source), cache, planned.tensor().maxLength(), planned.maxBytes(), rows);
        images = new ImageRows(planned, cache, context);
        firstImage = new int[rows + 1];
    }

    @Override
    boolean isVariable() {
        return true;
    }

    @Override
    void measure(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        lists.measure(addresses, from, to);
    }

    @Override
    void settle(int validRows, MemorySegment slot) {
        long all = 0;
        for (int i = 0; i < validRows; i++) {
            all += lists.count[i];
        }
        if (4 * all > tensor.itemsCapacityBytes()) {
            throw new IllegalStateException("column '" + tensor.name() + "' has " + all
                    + " images in a batch, more than" + " were counted before the first step");
        }
        count = 0;
        for (int i = 0; i < validRows; i++) {
            firstImage[i] = count;
            for (int k = 0; k < lists.count[i]; k++) {
                slot.set(ROW, tensor.itemsOffset() + 4L * count, i);
                count++;
            }
        }
        for (int i = validRows; i < firstImage.length; i++) {
            firstImage[i] = count;
        }
        writeOffsets(tensor.sideOffset(), slot);
        marks.ifPresent(spec -> writeOffsets(spec.sideOffset(), slot));
    }

    /** Writes the index of each row's first image, and the number of images at the end: int64 [rows + 1]. */
    private void writeOffsets(long slotOffset, MemorySegment slot) {
        for (int i = 0; i < firstImage.length; i++) {
            slot.set(OFFSET, slotOffset + 8L * i, firstImage[i]);
        }
    }

    /** The number of images in the batch. */
    @Override
    int count() {
        return count;
    }

    @Override
    @Nullable
    Stage stage() {
        return null;
    }

    @Override
    void copy(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        images.copyLists(addresses, from, to, firstImage, slot, (worker, i, item, target) -> {
            int block = addresses.block[i];
            int first = lists.firstItem[i] + item;
            int begin = lists.column.itemOffset(block, first) - lists.firstByte[i];
            if (begin < 0) {
                throw cache.damage(
                        block, lists.column.itemOffsets(block) + 4L * first, "an item begins before its row");
            }
            int end = lists.itemEnd(addresses, i, item, begin);
            if (end == begin) {
                throw new RejectedImageException(Reason.MISSING, "has no bytes");
            }
            worker.file(
                    pipeline, lists.column.file(block), lists.source(addresses, i) + begin, end - begin, slot, target);
        });
    }

    @Override
    long usedBytes() {
        return (long) count * strideBytes;
    }

    @Override
    long costBytes() {
        return images.costBytes(count);
    }

    @Override
    int width() {
        return 0;
    }
}
