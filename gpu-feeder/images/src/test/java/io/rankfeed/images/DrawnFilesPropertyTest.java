package io.rankfeed.images;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.transform.BoundPipeline;
import io.rankfeed.feeder.transform.DecodeBudget;
import io.rankfeed.feeder.transform.ImageWorker;
import io.rankfeed.feeder.transform.ImageWorkers;
import io.rankfeed.feeder.transform.OnBroken;
import io.rankfeed.feeder.transform.Pipeline;
import io.rankfeed.feeder.transform.step.CenterCrop;
import io.rankfeed.feeder.transform.step.Decode;
import io.rankfeed.feeder.transform.step.Pad;
import io.rankfeed.feeder.transform.step.PixelLayout;
import io.rankfeed.feeder.transform.step.RejectedImageException;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.image.RgbPixels;
import io.rankfeed.testing.Seed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Files written by the test, so their pixels are known: they decode to these pixels, or are refused by the contract. */
class DrawnFilesPropertyTest {
    private static final int FILES = 600;
    private static final int FILES_NIGHTLY = 20_000;
    private static final long SEED = Seed.of(DrawnFilesPropertyTest.class);
    private static final int SIDE = DrawnFile.MAX_SIDE;

    @Test
    void bmp_few_hasPixelsOrIsRefused() {
        check(DrawnBmp::drawn, FILES, 0);
    }

    /** libtiff rounds 16 bits, so one level is allowed. */
    @Test
    void tiff_few_hasPixelsOrIsRefused() {
        check(DrawnTiff::drawn, FILES, 1);
    }

    @Test
    @Tag("nightly")
    void bmp_many_hasPixelsOrIsRefused() {
        check(DrawnBmp::drawn, FILES_NIGHTLY, 0);
    }

    @Test
    @Tag("nightly")
    void tiff_many_hasPixelsOrIsRefused() {
        check(DrawnTiff::drawn, FILES_NIGHTLY, 1);
    }

    private static void check(Function<Random, DrawnFile> draw, int files, int levels) {
        Random random = new Random(SEED);
        int decoded = 0;
        int refused = 0;
        Pipeline pipeline = new Pipeline(
                "image",
                List.of(
                        new Decode(Decode.Mode.EXACT, Decode.Orientation.IGNORE, false),
                        new Pad(SIDE, SIDE, List.of(0, 0, 0)),
                        new CenterCrop(SIDE, SIDE)),
                PixelLayout.NHWC,
                OnBroken.ZEROS,
                Optional.empty(),
                Optional.empty());
        BoundPipeline bound =
                pipeline.bound("x", new Field("image", DType.BINARY, Shape.scalar(), false), 0, Optional.empty());
        try (ImageWorkers workers =
                new ImageWorkers(new OpenCvCanvasMaker(), new DecodeBudget(DecodeBudget.DEFAULT_BYTES))) {
            ImageWorker worker = workers.take();
            for (int i = 0; i < files; i++) {
                DrawnFile drawn = draw.apply(random);
                String what = "file " + i + " of seed " + SEED + ": " + drawn.what();
                try {
                    byte[] pixels = pixels(worker, bound, drawn.bytes());
                    assertThat(drawn.refusal()).as(what + " was decoded").isEmpty();
                    assertThat(farthest(pixels, drawn.image().orElseThrow()))
                            .as(what)
                            .isLessThanOrEqualTo(levels);
                    decoded++;
                } catch (RejectedImageException rejected) {
                    assertThat(drawn.refusal())
                            .as(what + " " + rejected.getMessage())
                            .isNotEmpty();
                    assertThat(rejected.getMessage()).as(what).matches("(?s)" + drawn.refusal());
                    refused++;
                }
            }
            workers.giveBack(worker);
        }
        assertThat(Math.min(decoded, refused)).isGreaterThan(files / 10);
    }

    private static byte[] pixels(ImageWorker worker, BoundPipeline bound, byte[] file) throws RejectedImageException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(file.length);
            MemorySegment.copy(file, 0, memory, ValueLayout.JAVA_BYTE, 0, file.length);
            MemorySegment slot = arena.allocate(bound.rowBytes());
            worker.begin(bound, 1, 0);
            worker.file(bound, memory, 0, file.length, slot, 0);
            return slot.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** The maximum difference of a sample, also in the border around the image. */
    private static int farthest(byte[] pixels, RgbPixels drawn) {
        int top = (SIDE - drawn.height()) / 2;
        int left = (SIDE - drawn.width()) / 2;
        int farthest = 0;
        for (int y = 0; y < SIDE; y++) {
            for (int x = 0; x < SIDE; x++) {
                int v = y - top;
                int u = x - left;
                boolean isInside = v >= 0 && u >= 0 && v < drawn.height() && u < drawn.width();
                for (int channel = 0; channel < 3; channel++) {
                    int wanted = isInside ? drawn.bytes()[(v * drawn.width() + u) * 3 + channel] & 0xFF : 0;
                    farthest = Math.max(farthest, Math.abs((pixels[(y * SIDE + x) * 3 + channel] & 0xFF) - wanted));
                }
            }
        }
        return farthest;
    }
}
