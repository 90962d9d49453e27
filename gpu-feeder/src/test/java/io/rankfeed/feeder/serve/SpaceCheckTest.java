package io.rankfeed.feeder.serve;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.feeder.ring.SharedMemory;
import io.rankfeed.feeder.serve.admission.ServeSettings;
import io.rankfeed.feeder.serve.admission.SpaceCheck;
import io.rankfeed.feeder.serve.admission.VersionNamed;
import io.rankfeed.feeder.tensor.ColumnRequest;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.Recipe;
import io.rankfeed.feeder.transform.OnBroken;
import io.rankfeed.feeder.transform.Pipeline;
import io.rankfeed.feeder.transform.step.PixelLayout;
import io.rankfeed.schema.failure.EnvironmentException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The error for too little memory names the value of --memory, and the bytes of it that are in use. */
class SpaceCheckTest {
    private static final Pipeline PIPELINE =
            new Pipeline("image", List.of(), PixelLayout.NHWC, OnBroken.FAIL, Optional.empty(), Optional.empty());

    @TempDir
    private Path folder;

    /** Requires the space of one ring of images, where the rings have 9 MiB. */
    private void require(long filledBytes) {
        ColumnSelection images =
                ColumnSelection.of(List.of(ColumnRequest.made("x", new Recipe.Images(PIPELINE, Optional.empty()))));
        ServeSettings settings = new ServeSettings(
                new TreeSet<>(List.of(0)),
                OptionalInt.of(1),
                new TreeSet<>(List.of("train")),
                Map.of("train", images),
                Map.of(),
                VersionNamed.FIXED,
                2,
                2,
                9 << 20,
                filledBytes,
                7);
        SpaceCheck.require(new CountingCatalog(5), settings, new SharedMemory(folder), line -> {});
    }

    @Test
    void memory_takenByFill_isNamedInAdditionToTheOption() {
        assertThatThrownBy(() -> require(3 << 20))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining(", --memory is 12.0 MiB, and the values of fill take 3.0 MiB of it; raise it");
    }

    @Test
    void memory_withoutFill_isThatOfTheOption() {
        assertThatThrownBy(() -> require(0)).hasMessageContaining(", --memory is 9.0 MiB; raise it");
    }
}
