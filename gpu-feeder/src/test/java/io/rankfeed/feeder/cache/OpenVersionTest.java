package io.rankfeed.feeder.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.feeder.fixture.RandomVersions;
import io.rankfeed.feeder.fixture.RowValues;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.SequentialFeed;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenVersionTest {
    private static final long SEED = 4;

    @TempDir
    private Path dir;

    private TestVersion written;
    private Path folder;

    @BeforeEach
    void writeVersion() throws IOException {
        Random random = new Random(SEED);
        RowValues values = new RowValues(RandomVersions.schema(random), SEED, 9);
        written = TestVersion.write(dir, RandomVersions.order(random), values);
        folder = written.folder();
    }

    @Test
    void row_mapped_isFoundByDivision() {
        OpenVersion version = OpenVersion.open(folder);
        try (LaneCache cache = version.map("train", LaneSelection.all())) {
            MappedColumn rowId = cache.column("_row_id");
            int lanes = version.feed("train").lanes();
            for (int lane = 0; lane < lanes; lane++) {
                int block = cache.firstBlock(0, lane);
                assertThat(rowId.file(block).get(ValueLayout.JAVA_LONG_UNALIGNED, rowId.values(block)))
                        .isEqualTo(written.values().rowId("train", 0, lane));
            }
        }
    }

    @Test
    void map_selection_mapsOnlyTheseLanes() {
        OpenVersion version = OpenVersion.open(folder);
        int lanes = version.feed("train").lanes();
        try (LaneCache cache = version.map("train", new LaneSelection(List.of(0), lanes))) {
            assertThat(cache.firstBlock(0, LaneLayout.SHARED)).isZero();
            assertThat(cache.firstBlock(0, 0)).isNotNegative();
            assertThatThrownBy(() -> cache.firstBlock(0, lanes - 1)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void feed_unknown_isRefusedWithNearest() {
        assertThatThrownBy(() -> OpenVersion.open(folder).feed("trains"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean 'train'");
    }

    @Test
    void order_otherRows_isRefused() throws IOException {
        rewriteOrder(order -> withValid(order, 1));

        refused("rows");
    }

    @Test
    void order_otherPlanOrDataset_isRefused() throws IOException {
        Order order = written.order();
        rewriteOrder(o -> new Order(order.dataset(), "0".repeat(16), order.storage(), order.feeds()));
        refused("plan");
        rewriteOrder(o -> new Order("other", order.plan(), order.storage(), order.feeds()));
        refused("dataset");
    }

    @Test
    void order_otherLaneSizes_isRefused() throws IOException {
        Order order = written.order();
        Order.Storage storage = order.storage().orElseThrow();
        rewriteOrder(o -> new Order(
                order.dataset(),
                order.plan(),
                Optional.of(new Order.Storage(storage.batchRows(), storage.batchRows() * 1000L)),
                order.feeds()));

        refused("files");
    }

    @Test
    void files_otherThanDatasetCard_areRefused() throws IOException {
        Manifest.Version manifest = TestVersion.manifest(folder);
        String sha256 = "0".repeat(64);
        TestVersion.writeManifest(folder, manifest.with(ArtifactFile.of(Manifest.CARD_FILE_NAME, 10, sha256)));
        assertThat(OpenVersion.open(folder).manifest().files())
                .hasSize(manifest.files().size() + 1);

        TestVersion.writeManifest(folder, manifest.with(ArtifactFile.of("notes.md", 10, sha256)));
        refused("files");
    }

    @Test
    void order_hugeRows_allocatesNothing() throws IOException {
        rewriteOrder(order -> withValid(order, 1L << 60));

        refused("rows");
    }

    @Test
    void order_changedByte_isRefusedByDigest() throws IOException {
        Path order = folder.resolve(Order.FILE_NAME);
        byte[] bytes = Files.readAllBytes(order);
        bytes[bytes.length / 2] ^= 1;
        Files.write(order, bytes);

        refused("SHA-256");
    }

    @Test
    void lane_otherLanesBytes_isRefused() throws IOException {
        Files.copy(
                folder.resolve(TestVersion.path("train", 1, 0)),
                folder.resolve(TestVersion.path("train", 0, 0)),
                StandardCopyOption.REPLACE_EXISTING);
        relist(TestVersion.path("train", 0, 0));

        assertThatThrownBy(() -> OpenVersion.open(folder).map("train", LaneSelection.all()))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("lane");
    }

    @Test
    void lane_truncated_isRefusedBeforeMapping() throws IOException {
        Path lane = folder.resolve(TestVersion.path("train", 0, 0));
        byte[] bytes = Files.readAllBytes(lane);
        Files.write(lane, Arrays.copyOf(bytes, bytes.length - 64));

        assertThatThrownBy(() -> OpenVersion.open(folder).map("train", LaneSelection.all()))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(lane + ", byte " + (bytes.length - 64));
    }

    private void refused(String message) {
        assertThatThrownBy(() -> OpenVersion.open(folder))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(message)
                .hasMessageContaining(folder.toString());
    }

    private static Order withValid(Order order, long more) {
        List<Feed> feeds = new ArrayList<>(order.feeds());
        SequentialFeed valid = (SequentialFeed) feeds.getLast();
        long rows = valid.rows() + more;
        long steps = (rows + valid.batch() - 1) / valid.batch();
        feeds.set(feeds.size() - 1, new SequentialFeed(valid.name(), valid.lanes(), valid.batch(), rows, steps));
        return new Order(order.dataset(), order.plan(), order.storage(), feeds);
    }

    private void rewriteOrder(UnaryOperator<Order> change) throws IOException {
        Files.write(folder.resolve(Order.FILE_NAME), OrderJson.toBytes(change.apply(written.order())));
        relist(Order.FILE_NAME);
    }

    /** Updates the entry of a rewritten file in the manifest. */
    private void relist(String path) throws IOException {
        Manifest.Version manifest = TestVersion.manifest(folder);
        Path file = folder.resolve(path);
        List<ArtifactFile> files = new ArrayList<>();
        for (ArtifactFile listed : manifest.files()) {
            files.add(
                    listed.path().value().equals(path)
                            ? new ArtifactFile(
                                    listed.path(), Files.size(file), Sha256.hex(file), listed.rows(), listed.footer())
                            : listed);
        }
        TestVersion.writeManifest(folder, TestVersion.with(manifest, files, manifest.origin()));
    }
}
