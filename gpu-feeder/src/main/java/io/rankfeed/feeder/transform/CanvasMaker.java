package io.rankfeed.feeder.transform;

import io.rankfeed.feeder.transform.step.Canvas;
import io.rankfeed.schema.failure.EnvironmentException;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/** Makes canvases. Found by {@link ServiceLoader} on an optional class path; safe for use by several threads. */
public interface CanvasMaker {
    Canvas make();

    /** Sends each line that native decoders of this process print to {@code lines} instead of standard error. */
    void redirectMessages(Consumer<String> lines);

    /**
     * Finds the canvas maker on the class path.
     *
     * @throws EnvironmentException if there is none, or its native code does not load
     */
    static CanvasMaker find() {
        return ServiceLoader.load(CanvasMaker.class)
                .findFirst()
                .orElseThrow(
                        () -> new EnvironmentException("image steps need OpenCV, which is not on the classpath of this"
                                + " feeder: add the jars of rankfeed-images (./rankfeed does)"));
    }
}
