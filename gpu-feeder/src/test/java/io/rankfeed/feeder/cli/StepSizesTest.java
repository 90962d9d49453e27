package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.feeder.transform.step.Step;
import io.rankfeed.schema.config.Range;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the limit of docs/transforms.md: sizes of steps are 1 to 16,384. */
class StepSizesTest {
    private static final int MAX_SIDE = 16_384;

    @TempDir
    private Path folder;

    static Stream<String> steps() {
        Stream<String> exact = Stream.of("center-crop", "random-crop", "random-resized-crop", "pad", "resize")
                .flatMap(step -> Stream.of(step + ": {height: SIDE, width: 1}", step + ": {height: 1, width: SIDE}"));
        return Stream.concat(exact, Stream.of("resize: {shorter-side: SIDE}", "resize: SIDE"));
    }

    @ParameterizedTest
    @MethodSource("steps")
    void size_above16384_isRefusedWithLimit(String step) throws IOException {
        for (int side : new int[] {1, MAX_SIDE}) {
            assertThat(read(step, side).columns()).containsKey("train");
        }
        for (int side : new int[] {0, MAX_SIDE + 1, -1, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> read(step, side))
                    .as(step)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("feed.yaml line 4, key 'feeds.train.columns[0].steps[1].")
                    .hasMessageContaining(side + " is out of range; must be 1 to 16384");
        }
    }

    /** Fails for a new step with sizes, which must be added above. */
    @Test
    void steps_withSizes_areAllTested() {
        assertThat(Arrays.stream(Step.class.getPermittedSubclasses())
                        .flatMap(step -> Arrays.stream(step.getRecordComponents())
                                .filter(part -> part.isAnnotationPresent(Range.class))
                                .map(part -> step.getSimpleName() + " " + part.getName())))
                .containsExactlyInAnyOrder(
                        "CenterCrop height",
                        "CenterCrop width",
                        "Pad height",
                        "Pad width",
                        "RandomCrop height",
                        "RandomCrop width",
                        "RandomResizedCrop height",
                        "RandomResizedCrop width",
                        "Resize height",
                        "Resize shorterSide",
                        "Resize width");
    }

    private FeedConfig read(String step, int side) throws IOException {
        Path file = folder.resolve("feed.yaml");
        Files.writeString(file, """
                feeds:
                  train:
                    columns:
                      - {name: pixels, from: image, steps: [decode, %s]}
                """.formatted("{" + step.replace("SIDE", Integer.toString(side)) + "}"));
        return FeedConfig.read(file);
    }
}
