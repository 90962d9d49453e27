package io.rankfeed.images;

import io.rankfeed.feeder.transform.step.ImageShape;
import io.rankfeed.feeder.transform.step.PixelLayout;
import java.lang.foreign.MemorySegment;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.opencv_core.Mat;
import org.bytedeco.opencv.opencv_core.MatVector;

/** The place of one row's image in a slot: written directly by the last operation, or at the end as three planes. */
final class Slot implements AutoCloseable {
    private static final int CHANNELS = 3;

    private final Pixels pixels = Pixels.rgb();
    private final MatVector vector = new MatVector(new Mat(), new Mat(), new Mat());
    private final Pixels[] planes = new Pixels[CHANNELS];
    private ImageShape shape = ImageShape.ANY;
    private PixelLayout layout = PixelLayout.NHWC;
    private long address;

    Slot() {
        for (int i = 0; i < CHANNELS; i++) {
            planes[i] = Pixels.gray(vector.get(i));
        }
    }

    /** @throws IndexOutOfBoundsException if the slot has no room for the image */
    void aim(MemorySegment memory, long offset, ImageShape newShape, PixelLayout newLayout) {
        long bytes = (long) newShape.height() * newShape.width() * CHANNELS;
        address = memory.asSlice(offset, bytes).address();
        shape = newShape;
        layout = newLayout;
    }

    /** Whether an operation that makes an image of this size may write it here. */
    boolean isFree(Pixels now, int height, int width) {
        return shape.isFixed()
                && layout == PixelLayout.NHWC
                && now != pixels
                && height == shape.height()
                && width == shape.width();
    }

    /** To be written to. */
    Pixels pixels() {
        return pixels.aim(address, shape.height(), shape.width(), (long) shape.width() * CHANNELS);
    }

    /** Writes the image here unless it is here already. */
    void finish(Pixels now) {
        if (now.height() != shape.height() || now.width() != shape.width()) {
            throw new IllegalStateException(
                    "an image of " + now.height() + " × " + now.width() + " pixels for a tensor of " + shape);
        }
        if (layout == PixelLayout.NCHW) {
            int planeBytes = shape.height() * shape.width();
            for (int i = 0; i < CHANNELS; i++) {
                planes[i].aim(address + (long) i * planeBytes, shape.height(), shape.width(), shape.width());
            }
            opencv_core.split(now.mat(), vector);
        } else if (now != pixels) {
            now.mat().copyTo(pixels().mat());
        }
        shape = ImageShape.ANY;
    }

    @Override
    public void close() {
        pixels.close();
        for (Pixels plane : planes) {
            plane.forget();
        }
        vector.deallocate();
    }
}
