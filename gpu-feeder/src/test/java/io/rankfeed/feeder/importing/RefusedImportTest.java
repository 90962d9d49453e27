package io.rankfeed.feeder.importing;

import static io.rankfeed.feeder.importing.ImportFixture.FOREIGN;
import static io.rankfeed.feeder.importing.ImportFixture.copy;
import static io.rankfeed.feeder.importing.ImportFixture.imported;
import static io.rankfeed.feeder.importing.ImportFixture.run;
import static io.rankfeed.feeder.importing.ImportFixture.tar;
import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.cli.VerifyCommand;
import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.manifest.Stamps;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Datasets that would give wrong rows, or none that can be fed, are refused with what to do. */
class RefusedImportTest {
    @TempDir
    private Path folder;

    private Path root() {
        return folder.resolve("root");
    }

    private static byte[] text(String content) {
        return content.getBytes(StandardCharsets.UTF_8);
    }

    private Path tarOf(Map<String, byte[]> members) throws IOException {
        return Files.write(folder.resolve("samples.tar"), tar(members));
    }

    @Test
    void columnsWithNamesOfTheFeeder_areRefused_unlessLeftOut() throws IOException {
        Map<String, byte[]> members = new LinkedHashMap<>();
        for (int i = 0; i < 4; i++) {
            members.put(i + ".row_id", text("x"));
            members.put(i + "." + "n".repeat(59), text("y"));
            members.put(i + ".jpg", text("image " + i));
        }
        Path dataset = tarOf(members);

        CommandRun refused = run(dataset, root());
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err())
                .contains("'row_id': has a reserved name", "has a name of 59 characters, at most 58", "--columns: jpg");

        Path version = imported(dataset, root(), "--columns", "jpg", "--lanes", 2);
        assertThat(((Manifest.Version) ManifestJson.read(version)).schema().names())
                .containsExactly("jpg");
    }

    @Test
    void extensionsOfEachSampleAlone_areRefused() throws IOException {
        Map<String, byte[]> members = new LinkedHashMap<>();
        for (int i = 0; i <= 4096; i++) {
            members.put("photo.x" + i + ".jpg", text("image"));
            members.put("between" + i + ".jpg", text("image"));
        }
        CommandRun refused = run(tarOf(members), root());
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("samples.tar: has more than 4096 extensions; the key of a sample ends");
    }

    @Test
    void membersThatCannotBeTold_areRefused() throws IOException {
        byte[] latin = tar(Map.of("a.jpg", text("image")));
        latin[0] = (byte) 0xe9;
        // The checksum is a sum.
        byte[] sum = text(String.format(Locale.ROOT, "%06o", sum(latin)));
        System.arraycopy(sum, 0, latin, 148, sum.length);
        CommandRun refused = run(Files.write(folder.resolve("latin.tar"), latin), root());
        assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
        assertThat(refused.err())
                .contains("latin.tar", "byte 0: the name of member", "is not UTF-8; rename the member");
    }

    private static int sum(byte[] header) {
        int sum = 0;
        for (int i = 0; i < 512; i++) {
            sum += i >= 148 && i < 156 ? ' ' : header[i] & 0xFF;
        }
        return sum;
    }

    @Test
    void datasetInTheFolderOfItsVersions_isRefused() throws IOException {
        Path dataset = root().resolve("pets/data");
        copy(FOREIGN.resolve("npy"), dataset);
        CommandRun refused = run(dataset, root());
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("where the versions of dataset pets are written");
    }

    @Test
    void pathThroughALink_isWhereItLeads() throws IOException {
        copy(FOREIGN.resolve("npy"), folder.resolve("far/data"));
        copy(FOREIGN.resolve("megatron"), folder.resolve("data"));
        Path below = Files.createDirectories(folder.resolve("far/below"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), below);
        Path version = imported(link.resolve("../data"), root(), "--lanes", 2);
        assertThat(((Manifest.Version) ManifestJson.read(version)).schema().names())
                .contains("pixels");
    }

    @Test
    void rootInTheDataset_isRefused() throws IOException {
        Path dataset = folder.resolve("images");
        copy(FOREIGN.resolve("images"), dataset);
        CommandRun refused = run(dataset, dataset.resolve("out"));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("is in the dataset " + dataset, "choose a folder outside of it");
        assertThat(dataset.resolve("out")).doesNotExist();
    }

    @Test
    void fileOfASavedDataset_isImportedAlone() throws IOException {
        Path dataset = folder.resolve("saved");
        copy(FOREIGN.resolve("huggingface"), dataset);
        Path first;
        try (var files = Files.list(dataset)) {
            first = files.filter(file -> file.toString().endsWith(".arrow"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
        Path version = imported(first, root(), "--columns", "label", "--lanes", 2);
        // The folder has two files, of 4 and 3 samples.
        assertThat(ManifestJson.read(version).rows()).isEqualTo(4);
    }

    @Test
    void arrowFile_cutBetweenBatches_isDamage() throws IOException {
        byte[] stream;
        try (var files = Files.list(FOREIGN.resolve("arrow"))) {
            stream = Files.readAllBytes(files.sorted().findFirst().orElseThrow());
        }
        // Without its end marker it is a whole stream, but not a whole file.
        byte[] batches = Arrays.copyOf(stream, stream.length - 8);
        byte[] file = Arrays.copyOf(text("ARROW1\0\0"), 8 + batches.length);
        System.arraycopy(batches, 0, file, 8, batches.length);
        Path dataset = Files.write(folder.resolve("cut.arrow"), file);
        CommandRun refused = run(dataset, root(), "--columns", "tokens", "--on-damage", "fail");
        assertThat(refused.exitCode()).as(refused.err()).isEqualTo(3);
        assertThat(refused.err()).contains("is cut off: it has no end marker and no footer");
    }

    @Test
    void emptyText_isNoStratum() throws IOException {
        CommandRun refused =
                run(tarOf(Map.of("a.txt", text(""), "b.txt", text("cat"))), root(), "--strata", "txt", "--lanes", 1);
        assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
        assertThat(refused.err()).contains("has an empty text in column 'txt'");
    }

    @Test
    void verify_writesDamagedStampsAnew_andRefusesOtherNames() throws IOException {
        Path dataset = folder.resolve("npy");
        copy(FOREIGN.resolve("npy"), dataset);
        Path version = imported(dataset, root(), "--lanes", 2);
        Path stamps = version.resolve(Stamps.FILE_NAME);
        Files.writeString(stamps, Files.readString(stamps).lines().findFirst().orElseThrow() + "\n");

        CommandRun damaged = CommandRun.of(new VerifyCommand(), version);
        assertThat(damaged.exitCode()).isEqualTo(3);
        assertThat(damaged.err()).contains("--external DATASET=PATH");
        CommandRun other = CommandRun.of(new VerifyCommand(), version, "--external", "pet=" + dataset);
        assertThat(other.exitCode()).isEqualTo(2);
        assertThat(other.err()).contains("--external pet: no imported version of this dataset", "there are pets");
        CommandRun repaired = CommandRun.of(new VerifyCommand(), version, "--external", "pets=" + dataset);
        assertThat(repaired.exitCode()).as(repaired.err()).isZero();
        assertThat(Stamps.read(version).root()).isEqualTo(dataset.toAbsolutePath());
    }
}
