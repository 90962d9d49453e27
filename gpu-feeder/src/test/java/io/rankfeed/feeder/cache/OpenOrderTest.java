package io.rankfeed.feeder.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.feeder.fixture.TestMixture;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.feeder.plan.NamedOrder;
import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.ArtifactFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with a member of a mixture is reported with the member's version and file. */
class OpenOrderTest {
    @TempDir
    private Path root;

    private TestMixture mixture;
    private Path beta;

    @BeforeEach
    void write() throws IOException {
        mixture = TestMixture.write(root, new Random(3));
        beta = mixture.members().get("beta").folder();
    }

    private OpenOrder open() {
        return NamedOrder.open(mixture.folder().toString(), Optional.empty());
    }

    @Test
    void open_mixture_hasItsIdAndLanesOfAllVersions() {
        OpenOrder opened = open();

        assertThat(opened.id())
                .isEqualTo(mixture.mixture().id())
                .isEqualTo(opened.order().plan());
        assertThat(opened.words()).isEqualTo("mixture " + opened.id());
        assertThat(opened.laneBytes(LaneSelection.all()))
                .isEqualTo(mixture.members().values().stream()
                        .map(TestMixture.Written::folder)
                        .distinct()
                        .flatMap(folder -> TestVersion.manifest(folder).files().stream())
                        .filter(file -> file.path().value().startsWith("lanes/"))
                        .mapToLong(ArtifactFile::bytes)
                        .sum());
        assertThat(NamedOrder.open(mixture.folder() + "/mixture.json", Optional.empty())
                        .id())
                .isEqualTo(opened.id());
    }

    @Test
    void open_missingVersion_isReportedWithVersionAndRoot() throws IOException {
        Files.move(beta, root.resolve("elsewhere"));

        assertThatThrownBy(this::open)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("member 'beta'")
                .hasMessageContaining(beta.getFileName().toString())
                .hasMessageContaining("not below " + root);
    }

    @Test
    void open_otherVersionInFolder_isRefused() throws IOException {
        Path alpha = mixture.members().get("alpha").folder();
        Files.move(beta, root.resolve("elsewhere"));
        Files.move(alpha, beta);
        Files.move(root.resolve("elsewhere"), alpha);

        assertThatThrownBy(this::open)
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("copy the version again");
    }

    @Test
    void map_changedLane_isReportedWithItsFile() throws IOException {
        Path lane = beta.resolve("lanes/train/lane-00001-00000.arrow");
        byte[] bytes = Files.readAllBytes(lane);
        OpenOrder opened = open();
        try (LaneCache cache = opened.map("train", LaneSelection.all())) {
            int block = cache.firstBlock(1, 1);
            bytes[(int) cache.column(CacheColumn.ROW_ID.name()).values(block)] ^= 1;
        }
        Files.write(lane, bytes);
        try (LaneCache cache = opened.map("train", LaneSelection.all())) {
            assertThatThrownBy(() -> cache.verify(Verification.START))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining(lane.toString());
        }
        Files.write(lane, Arrays.copyOf(bytes, bytes.length - 1));
        assertThatThrownBy(() -> opened.map("train", LaneSelection.all()))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(lane.toString());
    }

    @Test
    void open_mixtureWithPlan_isRefused() {
        assertThatThrownBy(() -> NamedOrder.open(mixture.folder().toString(), Optional.of("seed7")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is a mixture");
    }
}
