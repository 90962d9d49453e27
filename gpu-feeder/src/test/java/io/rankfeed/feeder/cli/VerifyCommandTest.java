package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.explain.ExplainCommand;
import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.feeder.fixture.RandomVersions;
import io.rankfeed.feeder.fixture.RowValues;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.schema.cache.CacheBatch;
import io.rankfeed.schema.cache.CacheLayout;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Contents;
import io.rankfeed.schema.manifest.Footer;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VerifyCommandTest {
    private static final Path GOLDEN = Path.of("../schema/src/test/resources/golden/version");
    private static final long SEED = 4;

    @TempDir
    private Path dir;

    private Path version;
    private ArtifactFile lane;

    @BeforeEach
    void writeVersion() throws IOException {
        Random random = new Random(SEED);
        RowValues values = new RowValues(RandomVersions.schema(random), SEED, 9);
        version = TestVersion.write(dir, RandomVersions.order(random), values).folder();
        lane = ManifestJson.read(version).files().getFirst();
    }

    @Test
    void version_intact_isOneLine() {
        CommandRun run = verify();

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).hasLineCount(1).contains("version ").contains("record batches: intact");
    }

    @Test
    void goldenVersion_isIntact() {
        CommandRun run = CommandRun.of(new VerifyCommand(), GOLDEN, "--progress", "none");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("dataset golden");
    }

    @Test
    void address_isRefusedWithRemedy() {
        String address = "hdfs://name/d/versions/0123456789abcdef";
        for (CommandRun run : List.of(
                CommandRun.of(new VerifyCommand(), address),
                CommandRun.of(new ExplainCommand(), address, "--step", "0"))) {
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err()).contains("reads folders of this node").contains("rankfeed feed " + address);
        }
    }

    @Test
    void bit_flipped_namesFileAndRecordBatch() throws IOException {
        Path file = lane.path().in(version);
        CacheBatch batch = layout(file).batches().getLast();
        flip(file, batch.bodyOffset() + 1);

        CommandRun run = verify();

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err())
                .hasLineCount(1)
                .contains(file + ", byte " + batch.offset())
                .contains("CRC32C");
        assertThat(run.out()).contains("1 DAMAGED");
    }

    @Test
    void files_corrupted_areAllNamed() throws IOException {
        for (ArtifactFile file : ManifestJson.read(version).files()) {
            if (file.path().value().startsWith("lanes/")) {
                flip(file.path().in(version), file.bytes() / 2);
            }
        }

        CommandRun run = verify();

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).hasLineCount(ManifestJson.read(version).files().size() - 1);
    }

    @Test
    void file_truncated_namesItsLastByte() throws IOException {
        Path file = lane.path().in(version);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(100);
        }

        CommandRun run = verify();

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains(file.toString()).contains("byte ");
    }

    @Test
    void file_replacedByLink_isCorruption() throws IOException {
        Path file = lane.path().in(version);
        Files.move(file, dir.resolve("elsewhere"));
        Files.createSymbolicLink(file, dir.resolve("elsewhere"));

        CommandRun run = verify();

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains(file.toString()).contains("link");
    }

    @Test
    void file_missing_isCorruption() throws IOException {
        Files.delete(lane.path().in(version));

        CommandRun run = verify();

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains(lane.path().value()).contains("missing");
    }

    @Test
    void path_leavingTheVersion_isCorruption() throws IOException {
        replaceInManifest("\"" + lane.path() + "\"", "\"../../etc/passwd\"");

        refusedManifest("../../etc/passwd");
    }

    @Test
    void path_absolute_isCorruption() throws IOException {
        replaceInManifest("\"" + lane.path() + "\"", "\"/etc/passwd\"");

        refusedManifest("/etc/passwd");
    }

    @Test
    void length_huge_isCorruption() throws IOException {
        replaceInManifest("\"bytes\": " + lane.bytes(), "\"bytes\": " + (1L << 62));

        assertThat(verify().exitCode()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1, Integer.MAX_VALUE, 1L << 62})
    void maxLength_otherThanRows_isCorruption(long more) throws IOException {
        String column = TestVersion.manifest(version).maxLengths().entrySet().stream()
                .filter(entry -> entry.getValue() > 1)
                .findFirst()
                .orElseThrow()
                .getKey();
        long length = TestVersion.manifest(version).maxLengths().get(column);
        replaceInManifest(
                "\"" + column + "\": {\n      \"maxLength\": " + length,
                "\"" + column + "\": {\n      \"maxLength\": " + (length + more));

        refusedManifest("column '" + column + "' has maxLength " + (length + more) + ", its longest row in the lanes "
                + length);
    }

    @Test
    void formatVersion_other_isRefused() throws IOException {
        replaceInManifest("\"formatVersion\": 1", "\"formatVersion\": 3");

        refusedManifest("formatVersion");
    }

    @Test
    void lane_zeros_isCorruption() throws IOException {
        Files.write(lane.path().in(version), new byte[(int) lane.bytes()]);

        CommandRun run = verify();

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains(lane.path().value()).contains("byte ");
    }

    @Test
    void ranks_selected_verifiesOnlyTheirLanes() throws IOException {
        int world = OpenVersion.open(version).feed("train").lanes();
        Files.delete(version.resolve(TestVersion.path("train", 0, 0)));

        assertThat(CommandRun.of(
                                new VerifyCommand(),
                                version,
                                "--ranks",
                                world - 1,
                                "--world",
                                world,
                                "--progress",
                                "none")
                        .exitCode())
                .isZero();
        assertThat(CommandRun.of(new VerifyCommand(), version, "--ranks", "0", "--progress", "none")
                        .exitCode())
                .isEqualTo(2);
    }

    @Test
    void folder_missing_isConfigurationError() {
        CommandRun run = CommandRun.of(new VerifyCommand(), dir.resolve("nowhere"));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("nowhere");
    }

    @Test
    void help_hasAnExample() {
        assertThat(CommandRun.of(new VerifyCommand(), "--help").out())
                .contains("rankfeed verify /data")
                .contains("CRC32C");
    }

    @Test
    void formattedCopy_isComparedWithItsManifest() throws IOException {
        byte[] shard = "rows of another format".getBytes(StandardCharsets.UTF_8);
        Path copy = dir.resolve("formats/copy");
        Path file = copy.resolve("train/shard.00000.mds");
        Files.createDirectories(file.getParent());
        Files.write(file, shard);
        Manifest.Version made = (Manifest.Version) ManifestJson.read(version);
        Contents contents = new Contents(
                "d",
                JsonNodeFactory.instance.objectNode(),
                List.of(),
                3,
                List.of(ArtifactFile.of("train/shard.00000.mds", shard.length, Sha256.hex(shard), 3)));
        Files.write(
                copy.resolve("manifest.json"), ManifestJson.toBytes(new Manifest.Formatted(contents, made.schema())));

        CommandRun intact = CommandRun.of(new VerifyCommand(), copy, "--progress", "none");
        assertThat(intact.exitCode()).isZero();
        assertThat(intact.out()).startsWith("formatted ").contains(": 1 file, ", "3 rows: intact");
        flip(file, 2);
        CommandRun damaged = CommandRun.of(new VerifyCommand(), copy, "--progress", "none");
        assertThat(damaged.exitCode()).isEqualTo(3);
        assertThat(damaged.err()).contains(file.toString());
    }

    private CommandRun verify() {
        return CommandRun.of(new VerifyCommand(), version, "--progress", "none");
    }

    private void refusedManifest(String named) {
        CommandRun run = verify();

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains(Manifest.FILE_NAME).contains(named);
    }

    @Test
    void footer_otherLengthOrDigest_isCorruption() throws IOException {
        Footer footer = lane.footer().orElseThrow();
        for (Footer other :
                List.of(new Footer(footer.bytes() - 1, footer.sha256()), new Footer(footer.bytes(), "0".repeat(64)))) {
            Manifest.Version manifest = TestVersion.manifest(version);
            List<ArtifactFile> files = new ArrayList<>(manifest.files());
            files.set(0, new ArtifactFile(lane.path(), lane.bytes(), lane.sha256(), lane.rows(), Optional.of(other)));
            TestVersion.writeManifest(version, TestVersion.with(manifest, files, manifest.origin()));

            CommandRun run = verify();

            assertThat(run.exitCode()).isEqualTo(3);
            assertThat(run.err())
                    .hasLineCount(1)
                    .contains(lane.path().value())
                    .contains("byte " + (lane.bytes() - footer.bytes()))
                    .contains("is not the footer that the manifest lists");
        }
    }

    private void replaceInManifest(String from, String to) throws IOException {
        Path manifest = version.resolve(Manifest.FILE_NAME);
        String text = Files.readString(manifest);
        assertThat(text).contains(from);
        Files.writeString(manifest, TestVersion.renewed(text.replaceFirst(Pattern.quote(from), to)));
    }

    private static CacheLayout layout(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return CacheLayout.read(channel, file.toString());
        }
    }

    private static void flip(Path file, long at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) at] ^= 1;
        Files.write(file, bytes);
    }
}
