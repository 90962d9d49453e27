package io.rankfeed.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.export.lane.LaneHeader;
import io.rankfeed.schema.digest.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The committed bytes stay what they are. A deliberate change of the format is written by {@code -Drankfeed.golden=write}. */
@Tag("java17")
class GoldenVersionTest {
    @BeforeAll
    static void writeIfAsked() throws IOException {
        if ("write".equals(System.getProperty("rankfeed.golden"))) {
            write(GoldenVersion.FOLDER, GoldenVersion.files());
            write(GoldenDataset.FOLDER, GoldenDataset.files());
        }
    }

    private static void write(Path folder, SortedMap<String, byte[]> written) throws IOException {
        for (String path : written.keySet()) {
            Path file = folder.resolve(path);
            Files.createDirectories(file.getParent());
            Files.write(file, written.get(path));
        }
    }

    @Test
    void theWriterStillWritesTheGoldenBytes() throws IOException {
        assertSame(GoldenVersion.files(), golden(GoldenVersion.FOLDER));
        assertSame(GoldenDataset.files(), golden(GoldenDataset.FOLDER));
    }

    private static void assertSame(SortedMap<String, byte[]> written, SortedMap<String, byte[]> golden) {
        assertThat(written.keySet()).isEqualTo(golden.keySet());
        written.forEach((path, bytes) -> assertThat(bytes).as(path).isEqualTo(golden.get(path)));
    }

    @Test
    void theManifestListsEveryFileAsItIs() throws IOException {
        SortedMap<String, byte[]> golden = golden(GoldenVersion.FOLDER);
        JsonNode files =
                new ObjectMapper().readTree(golden.get("manifest.json")).get("files");

        assertThat(files).hasSize(golden.size() - 1);
        for (JsonNode file : files) {
            byte[] bytes = golden.get(file.get("path").textValue());
            assertThat(file.get("bytes").intValue()).isEqualTo(bytes.length);
            assertThat(file.get("sha256").textValue()).isEqualTo(Sha256.hex(bytes));
        }
    }

    @Test
    void arrowJavaReadsEveryLane() throws IOException {
        for (int lane = 0; lane < GoldenVersion.LANES; lane++) {
            List<Integer> train = GoldenVersion.trainLane(lane);
            assertRows("train", Integer.toString(lane), 0, train.subList(0, 8));
            assertRows("train", Integer.toString(lane), 1, train.subList(8, 12));
            assertRows("valid", Integer.toString(lane), 0, GoldenVersion.validLane(lane));
        }
        assertRows("train", LaneHeader.SHARED, 0, List.of(14, 110));
    }

    private static void assertRows(String feed, String lane, int shard, List<Integer> rows) throws IOException {
        Path file = GoldenVersion.FOLDER.resolve(GoldenVersion.path(feed, lane, shard));
        ArrowTable table = ArrowTable.read(Files.readAllBytes(file));
        assertThat(table.columns().get("_row_id")).hasSameSizeAs(rows);
        for (int i = 0; i < rows.size(); i++) {
            GoldenRow row = new GoldenRow(rows.get(i));
            assertThat(table.columns().get("_row_id").get(i)).isEqualTo(row.rowId());
            assertThat(table.columns().get("_source").get(i)).isEqualTo(0);
            assertThat(table.columns().get("_source_row").get(i)).isEqualTo((long) row.n());
            assertThat(table.columns().get("label").get(i)).isEqualTo(row.n() - 50);
            assertThat(table.columns().get("box").get(i)).isEqualTo(row.box());
            assertThat(table.columns().get("ids").get(i)).isEqualTo(row.ids());
            assertThat(table.columns().get("text").get(i)).hasToString(row.text());
            assertThat(table.columns().get("blob").get(i)).isEqualTo(ByteBuffer.wrap(row.blob()));
            assertThat(table.columns().get("score").get(i)).isEqualTo(row.score());
            assertThat(table.columns().get("score.valid").get(i)).isEqualTo((byte) (row.hasScore() ? 1 : 0));
            assertThat(table.columns().get("good").get(i)).isEqualTo((byte) (row.n() % 2 == 0 ? 1 : 0));
            assertThat(table.columns().get("names").get(i))
                    .hasToString(row.names().toString());
            assertThat(table.columns().get("files").get(i))
                    .isEqualTo(row.files().stream().map(ByteBuffer::wrap).toList());
            assertThat(table.columns().get("files.valid").get(i)).isEqualTo((byte) (row.n() % 4 == 0 ? 0 : 1));
        }
    }

    private static SortedMap<String, byte[]> golden(Path folder) throws IOException {
        SortedMap<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }
}
