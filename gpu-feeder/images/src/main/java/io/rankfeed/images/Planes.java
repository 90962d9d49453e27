package io.rankfeed.images;

import java.lang.foreign.MemorySegment;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.opencv_core.Mat;
import org.bytedeco.opencv.opencv_core.MatVector;

/** Splits images into three planes, one for each color. */
final class Planes implements AutoCloseable {
    private static final int CHANNELS = 3;

    private final Pixels all = Pixels.gray();
    private final MatVector vector = new MatVector(new Mat(), new Mat(), new Mat());
    private final Pixels[] planes = new Pixels[CHANNELS];

    Planes() {
        for (int i = 0; i < CHANNELS; i++) {
            planes[i] = Pixels.gray(vector.get(i));
        }
    }

    /** @param to receives the planes; has exactly their size */
    void write(Pixels image, MemorySegment to) {
        int height = image.height();
        int width = image.width();
        all.own(CHANNELS * height, width);
        for (int i = 0; i < CHANNELS; i++) {
            planes[i].pointTo(all.address() + (long) i * height * width, height, width, width);
        }
        opencv_core.split(image.mat(), vector);
        all.copyTo(to);
    }

    @Override
    public void close() {
        for (Pixels plane : planes) {
            plane.forget();
        }
        vector.deallocate();
        all.close();
    }
}
