package io.rankfeed.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.cache.CacheBatch;
import io.rankfeed.schema.cache.CacheLayout;
import io.rankfeed.schema.cache.CacheMessages;
import io.rankfeed.schema.cache.CacheMessages.WrittenBatch;
import io.rankfeed.schema.cache.CacheVerifier;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Footer;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.StoredFeeds;
import io.rankfeed.schema.run.VersionCommit;
import io.rankfeed.schema.selection.Selection;
import io.rankfeed.schema.selection.SelectionJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The golden version, which another module writes, is read whole by the strict readers of this one, on every Java. */
@Tag("java17")
class GoldenVersionTest {
    private static final Path FOLDER = Path.of("src/test/resources/golden/version");
    private static final Path DATASET = Path.of("src/test/resources/golden/dataset");
    private static final Pattern LANE = Pattern.compile("lanes/([a-z]+)/(?:lane-(\\d{5})|shared)-\\d{5}\\.arrow");

    @Test
    void manifestAndOrder_readAndWritten_haveTheSameBytes() throws IOException {
        byte[] manifest = Files.readAllBytes(FOLDER.resolve(Manifest.FILE_NAME));
        assertThat(ManifestJson.toBytes(ManifestJson.read(FOLDER))).isEqualTo(manifest);
        byte[] order = Files.readAllBytes(FOLDER.resolve(Order.FILE_NAME));
        assertThat(OrderJson.toBytes(OrderJson.read(FOLDER.resolve(Order.FILE_NAME))))
                .isEqualTo(order);
    }

    @Test
    void versionWithOrderNextToIt_readAndWritten_hasTheSameBytes() throws IOException {
        Path folder = DATASET.resolve("versions/a46aef0157b1abee");
        Manifest manifest = ManifestJson.read(folder);
        assertThat(ManifestJson.toBytes(manifest)).isEqualTo(Files.readAllBytes(folder.resolve(Manifest.FILE_NAME)));
        assertThat(manifest.id()).isEqualTo(folder.getFileName().toString());
        byte[] stored = Files.readAllBytes(folder.resolve(Selection.FILE_NAME));
        Selection selection = SelectionJson.parse(stored, manifest, Selection.FILE_NAME);
        assertThat(SelectionJson.toBytes(selection)).isEqualTo(stored);
        assertThat(manifest.inputs()).contains(new Input.SelectionInput(Sha256.hex(stored)));
        Order own = OrderJson.read(FOLDER.resolve(Order.FILE_NAME));
        assertThat(selection.stored()).isEqualTo(StoredFeeds.of(own));
        byte[] order = Files.readAllBytes(DATASET.resolve("orders/ed3322a593a243bf/order.json"));
        assertThat(OrderJson.toBytes(own.over(manifest.id()))).isEqualTo(order);
        byte[] commit = Files.readAllBytes(DATASET.resolve("commits/0000000001.json"));
        assertThat(VersionCommit.parse(commit, "commit").toBytes()).isEqualTo(commit);
    }

    @Test
    void everyLaneIsWhatManifestAndOrderSay() throws IOException {
        Manifest.Version manifest = (Manifest.Version) ManifestJson.read(FOLDER);
        Order order = OrderJson.read(FOLDER.resolve(Order.FILE_NAME));
        int batchRows = order.storage().orElseThrow().batchRows();
        long rows = 0;
        for (ArtifactFile entry : manifest.files()) {
            Path file = entry.path().in(FOLDER);
            assertThat(Files.size(file)).isEqualTo(entry.bytes());
            assertThat(Sha256.hex(file)).isEqualTo(entry.sha256());
            Matcher lane = LANE.matcher(entry.path().value());
            if (lane.matches()) {
                rows += laneRows(file, lane, manifest, batchRows);
                checkFooter(file, entry.footer().orElseThrow());
            }
        }
        assertThat(rows).isEqualTo(manifest.rows());
    }

    private static void checkFooter(Path file, Footer footer) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        byte[] end = Arrays.copyOfRange(bytes, bytes.length - footer.bytes(), bytes.length);
        assertThat(Sha256.hex(end)).isEqualTo(footer.sha256());
        try (FileChannel channel = FileChannel.open(file)) {
            assertThat(CacheLayout.read(channel, file.toString()).end()).isEqualTo(bytes.length - footer.bytes());
        }
    }

    private static long laneRows(Path file, Matcher name, Manifest.Version manifest, int batchRows) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            CacheLayout layout = CacheLayout.read(channel, file.toString());
            OptionalInt lane =
                    name.group(2) == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(name.group(2)));
            layout.require(manifest.schema(), name.group(1), lane, batchRows);
            new CacheVerifier(layout, channel).verifyAll();
            assertThat(messages(Files.readAllBytes(file), layout)).isEqualTo(rewritten(layout));
            return layout.rows();
        }
    }

    /** All of a file but its bodies. */
    private static byte[] messages(byte[] file, CacheLayout layout) {
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        long at = 0;
        for (CacheBatch batch : layout.batches()) {
            messages.write(file, (int) at, (int) (batch.bodyOffset() - at));
            at = batch.end();
        }
        messages.write(file, (int) at, (int) (file.length - at));
        return messages.toByteArray();
    }

    private static byte[] rewritten(CacheLayout layout) {
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        List<WrittenBatch> written = new ArrayList<>();
        messages.writeBytes(CacheMessages.head(layout.schema()));
        for (CacheBatch batch : layout.batches()) {
            byte[] message = CacheMessages.batch(batch.body());
            messages.writeBytes(message);
            written.add(new WrittenBatch(
                    batch.offset(), message.length, batch.body().lengthBytes(), batch.crc32c()));
        }
        messages.writeBytes(CacheMessages.tail(layout.schema(), layout.feed(), layout.lane(), written));
        return messages.toByteArray();
    }
}
