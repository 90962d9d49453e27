package io.rankfeed.bench;

import io.rankfeed.feeder.transform.BoundPipeline;
import io.rankfeed.feeder.transform.CanvasMaker;
import io.rankfeed.feeder.transform.DecodeBudget;
import io.rankfeed.feeder.transform.ImageWorker;
import io.rankfeed.feeder.transform.ImageWorkers;
import io.rankfeed.feeder.transform.OnBroken;
import io.rankfeed.feeder.transform.Pipeline;
import io.rankfeed.feeder.transform.step.PixelLayout;
import io.rankfeed.feeder.transform.step.RejectedImageException;
import io.rankfeed.feeder.transform.step.Step;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.config.ConfigDocument;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Time of each image step from stored pixels of 250×250 to a slot; of decode from the JPEG file of the same picture. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // @Setup runs before everything else
public class StepBenchmark {
    private static final int SIDE = 250;

    /** The steps as a feed file has them. */
    record Steps(List<Step> steps) {}

    @Param({
        "decode",
        "{resize: {height: 224, width: 224}}",
        "{resize: {height: 224, width: 224, interpolation: bicubic}}",
        "{resize: {height: 224, width: 224, filter: pillow}}",
        "{center-crop: {height: 224, width: 224}}",
        "{random-crop: {height: 224, width: 224}}",
        "{random-resized-crop: {height: 224, width: 224}}",
        "{pad: {height: 256, width: 256}}",
        "{flip: {p: 1}}",
        "{shift-scale-rotate: {p: 1}}",
        "{brightness-contrast: {p: 1}}",
        "color-jitter"
    })
    public String step;

    private ImageWorkers workers;
    private ImageWorker worker;
    private BoundPipeline bound;
    private Arena arena;
    private MemorySegment source;
    private MemorySegment slot;
    private long row;

    /** The folder of bench/images/step_times.py, with image.jpg and image.rgb, is the property {@code rankfeed.image}. */
    @Setup
    public void open() throws IOException {
        boolean decodes = step.equals("decode");
        Path folder = Path.of(System.getProperty("rankfeed.image"));
        byte[] bytes = Files.readAllBytes(folder.resolve(decodes ? "image.jpg" : "image.rgb"));
        // A file may be of any size, so that a step has to say one.
        String steps = decodes ? "decode, {center-crop: {height: 250, width: 250}}" : step;
        Pipeline pipeline = new Pipeline(
                "image",
                ConfigDocument.parse("steps", "steps: [" + steps + "]")
                        .bind(Steps.class)
                        .steps(),
                PixelLayout.NHWC,
                OnBroken.FAIL,
                Optional.empty(),
                Optional.empty());
        Field field = decodes
                ? new Field("image", DType.BINARY, Shape.scalar(), false)
                : new Field("image", DType.UINT8, Shape.of(SIDE, SIDE, 3), false);
        bound = pipeline.bound("pixels", field, 1, Optional.empty());
        workers = new ImageWorkers(CanvasMaker.find(), new DecodeBudget(DecodeBudget.DEFAULT_BYTES));
        worker = workers.take();
        arena = Arena.ofConfined();
        source = arena.allocate(bytes.length, 64);
        MemorySegment.copy(bytes, 0, source, ValueLayout.JAVA_BYTE, 0, bytes.length);
        slot = arena.allocate(bound.rowBytes(), 64);
    }

    @TearDown
    public void close() {
        workers.giveBack(worker);
        workers.close();
        arena.close();
    }

    @Benchmark
    public MemorySegment apply() throws RejectedImageException {
        worker.begin(bound, row++, 0);
        if (bound.pipeline().decodes()) {
            worker.file(bound, source, 0, (int) source.byteSize(), slot, 0);
        } else {
            worker.pixels(bound, source, 0, slot, 0);
        }
        return slot;
    }
}
