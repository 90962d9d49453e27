package io.rankfeed.feeder.transform;

import io.rankfeed.feeder.transform.step.Canvas;
import io.rankfeed.feeder.transform.step.Decode;
import io.rankfeed.feeder.transform.step.RejectedImageException;
import io.rankfeed.feeder.transform.step.RejectedImageException.Reason;
import io.rankfeed.feeder.transform.step.RowRandom;
import io.rankfeed.feeder.transform.step.Step;
import io.rankfeed.schema.image.BrokenImageException;
import io.rankfeed.schema.image.ImageHeader;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Runs pipelines, one row at a time, with its own memory. Confined to one thread at a time. */
public final class ImageWorker implements AutoCloseable {
    /** JPEG has no longer one, and filters need memory for each pixel of a side. */
    private static final int MAX_SIDE = 0xFFFF;

    private final Canvas canvas;
    private final DecodeBudget budget;
    private final RowRandom random = new RowRandom();
    private final ImageHeader header = new ImageHeader();
    private final SegmentBytes file = new SegmentBytes();
    /** The image's sides divided by those of the decoded image: 1, 2, 4 or 8. */
    private int reduction = 1;

    private PipelineTimers timers;

    ImageWorker(Canvas canvas, DecodeBudget budget, PipelineTimers timers) {
        this.canvas = canvas;
        this.budget = budget;
        this.timers = timers;
    }

    void timedBy(PipelineTimers pipelineTimers) {
        timers = pipelineTimers;
    }

    /** Selects a row and cycle for the steps' random numbers. */
    public void begin(BoundPipeline bound, long rowId, long cycle) {
        random.row(bound.seed(), rowId, cycle);
    }

    /** Selects an image of a row's list in the same way. */
    public void begin(BoundPipeline bound, long rowId, long cycle, int item) {
        random.row(bound.seed(), rowId, cycle);
        random.item(item);
    }

    /**
     * Decodes and transforms the row's file and writes the image to a slot.
     *
     * @param memory has the file from {@code offset} on
     * @param slotOffset of the row's first byte in the slot
     * @throws RejectedImageException if the image is broken; the row's bytes in the slot are then undefined
     */
    public void file(
            BoundPipeline bound,
            MemorySegment memory,
            long offset,
            int lengthBytes,
            MemorySegment slot,
            long slotOffset)
            throws RejectedImageException {
        file.pointTo(memory, offset, lengthBytes);
        timers.reads.touch(memory, offset, lengthBytes);
        reduction = 1;
        List<Step> steps = bound.pipeline().steps();
        Decode decode = (Decode) steps.get(0);
        int taken;
        try {
            readHeader(decode);
            reduction = reduction(steps, decode);
            taken = budget.take(header, lengthBytes, reduction, steps);
        } catch (BrokenImageException e) {
            throw RejectedImageException.of(e);
        }
        try {
            long begun = System.nanoTime();
            canvas.decode(memory, offset, lengthBytes, header, reduction, decode);
            timers.step(0).record(System.nanoTime() - begun);
            requireReduced(decode);
            run(bound, 1, slot, slotOffset);
        } catch (OutOfMemoryError e) {
            // One array or block was too large; it is not allocated, so memory suffices again.
            throw new RejectedImageException(
                    Reason.TOO_LARGE,
                    "has " + header.height() + " × " + header.width()
                            + " pixels, more than the memory of this process can hold (" + e.getMessage() + ")");
        } finally {
            canvas.trim(budget.keptBytes());
            budget.giveBack(taken);
        }
    }

    /** Transforms a row of stored pixels and writes the image to a slot, as {@link #file} does for image files. */
    public void pixels(BoundPipeline bound, MemorySegment memory, long offset, MemorySegment slot, long slotOffset)
            throws RejectedImageException {
        reduction = 1;
        timers.reads.touch(
                memory, offset, 3L * bound.source().height() * bound.source().width());
        canvas.view(memory, offset, bound.source().height(), bound.source().width());
        run(bound, 0, slot, slotOffset);
    }

    private void readHeader(Decode decode) throws BrokenImageException, RejectedImageException {
        header.read(file);
        if (header.pixels() > ImageHeader.MAX_PIXELS || header.width() > MAX_SIDE || header.height() > MAX_SIDE) {
            throw new RejectedImageException(
                    Reason.TOO_LARGE,
                    "has " + header.height() + " × " + header.width() + " pixels, more than " + ImageHeader.MAX_PIXELS
                            + " or " + MAX_SIDE + " per side");
        }
        boolean isJpeg = header.format() == ImageHeader.Format.JPEG;
        if (!(isJpeg && decode.tolerateTruncated()) && header.isTruncated()) {
            throw new RejectedImageException(
                    Reason.TRUNCATED,
                    "is truncated" + (isJpeg ? " (decode: {tolerate-truncated: true} accepts such images)" : ""));
        }
    }

    private int reduction(List<Step> steps, Decode decode) throws BrokenImageException {
        // Other decoders decode every pixel first, so a reduction saves nothing.
        boolean isReducible = header.format() == ImageHeader.Format.JPEG && !header.isDecodedInJava();
        if (decode.mode() == Decode.Mode.EXACT || !isReducible || steps.size() < 2) {
            return 1;
        }
        random.step(1);
        return steps.get(1).reduction(wholeWidth(decode), wholeHeight(decode), random);
    }

    /** The next step relies on the sizes in the header, and a corrupted file may have a second header. */
    private void requireReduced(Decode decode) throws RejectedImageException {
        boolean isAsExpected = canvas.width() == Math.ceilDiv(wholeWidth(decode), reduction)
                && canvas.height() == Math.ceilDiv(wholeHeight(decode), reduction);
        if (reduction > 1 && !isAsExpected) {
            throw new RejectedImageException(
                    Reason.CORRUPTED,
                    "is corrupted: its header says " + header.height() + " × " + header.width() + " pixels, and at 1/"
                            + reduction + " it has " + canvas.height() + " × " + canvas.width());
        }
    }

    private int wholeWidth(Decode decode) {
        return isTurned(decode) ? header.height() : header.width();
    }

    private int wholeHeight(Decode decode) {
        return isTurned(decode) ? header.width() : header.height();
    }

    private boolean isTurned(Decode decode) {
        return decode.orientation() == Decode.Orientation.APPLY && header.orientation() >= 5;
    }

    private void run(BoundPipeline bound, int first, MemorySegment slot, long slotOffset)
            throws RejectedImageException {
        List<Step> steps = bound.pipeline().steps();
        long begun = System.nanoTime();
        for (int i = first; i < steps.size(); i++) {
            random.step(i);
            if (steps.get(i).happens(random)) {
                apply(steps, i);
                long done = System.nanoTime();
                timers.step(i).record(done - begun);
                begun = done;
            }
        }
        canvas.write(slot, slotOffset, bound.shape(), bound.pipeline().layout());
        timers.pixels.record(System.nanoTime() - begun);
    }

    private void apply(List<Step> steps, int index) throws RejectedImageException {
        if (index == 1 && reduction > 1) {
            Decode decode = (Decode) steps.get(0);
            steps.get(1).applyReduced(canvas, wholeWidth(decode), wholeHeight(decode), random);
        } else {
            steps.get(index).apply(canvas, random);
        }
    }

    @Override
    public void close() {
        canvas.close();
    }
}
