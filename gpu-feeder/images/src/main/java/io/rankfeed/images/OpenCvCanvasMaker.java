package io.rankfeed.images;

import io.rankfeed.feeder.transform.CanvasMaker;
import io.rankfeed.feeder.transform.step.Canvas;
import io.rankfeed.schema.failure.EnvironmentException;
import java.util.function.Consumer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgcodecs;
import org.bytedeco.opencv.global.opencv_imgproc;

/** Loads OpenCV once and makes canvases of it. */
public final class OpenCvCanvasMaker implements CanvasMaker {
    /*
     * JavaCPP would else count the mapped version as memory of its own, and refuse to go on beyond four times the heap; and what it
     * allocates is freed here, not by the collector.
     */
    static {
        System.setProperty("org.bytedeco.javacpp.maxPhysicalBytes", "0");
        System.setProperty("org.bytedeco.javacpp.noPointerGC", "true");
    }

    /** @throws EnvironmentException if the native library does not load */
    public OpenCvCanvasMaker() {
        try {
            Loader.load(opencv_core.class);
            Loader.load(opencv_imgproc.class);
            Loader.load(opencv_imgcodecs.class);
        } catch (LinkageError | RuntimeException e) {
            throw new EnvironmentException(
                    "OpenCV does not load on this machine (Linux, x86_64): " + e.getMessage()
                            + "; its libraries are unpacked to ~/.javacpp/cache, which must be writable",
                    e);
        }
        if (!MatHeader.isAsExpected(opencv_core.CV_8UC3, 3)) {
            throw new EnvironmentException(
                    "this build of OpenCV lays out its matrices in another way than 4.13; use the"
                            + " jars that come with this feeder");
        }
        NativeMemory.freeLargeBlocksAtOnce();
        NativeMessages.captureLog();
        // Rows are spread over the feeder's workers; a second level of threads would only compete with them.
        opencv_core.setNumThreads(1);
    }

    @Override
    public Canvas make() {
        return new OpenCvCanvas();
    }

    @Override
    public void redirectMessages(Consumer<String> lines) {
        NativeMessages.redirect(lines);
    }
}
