package io.rankfeed.feeder.importing;

import static io.rankfeed.feeder.importing.ImportFixture.imported;
import static io.rankfeed.feeder.importing.ImportFixture.latest;
import static io.rankfeed.feeder.importing.ImportFixture.run;
import static io.rankfeed.feeder.importing.ImportFixture.tar;
import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.cli.VerifyCommand;
import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.schema.manifest.External;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which damage an import leaves out, and what it says where nothing is left. */
class SkippedDamageTest {
    @TempDir
    private Path folder;

    private Path root() {
        return folder.resolve("root");
    }

    private static Manifest.Version manifest(Path version) {
        return (Manifest.Version) ManifestJson.read(version);
    }

    /** Samples with a class that is no integer, from the first on. */
    private Path tarWith(int damaged, int samples) throws IOException {
        Map<String, byte[]> members = new LinkedHashMap<>();
        for (int i = 0; i < samples; i++) {
            members.put("s" + i + ".jpg", ("image " + i).getBytes(StandardCharsets.UTF_8));
            members.put("s" + i + ".cls", (i < damaged ? "cat" : "1").getBytes(StandardCharsets.UTF_8));
        }
        return Files.write(folder.resolve("a.tar"), tar(members));
    }

    @Test
    void datasetWithoutAWholeSample_isRefusedWithItsFirstDamage() throws IOException {
        Path file = tarWith(3, 3);
        CommandRun run = run(file, root());
        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err())
                .contains(
                        file + ", byte 1536: member 's0.cls' is not an integer; damaged: 3 samples, and none is whole");
        assertThat(root()).doesNotExist();
    }

    @Test
    void fileThatEndsInItsFirstSample_isRefusedWithItsDamage() throws IOException {
        byte[] whole = tar(Map.of("s0.jpg", new byte[600]));
        Path file = Files.write(folder.resolve("a.tar"), Arrays.copyOf(whole, 1536));
        CommandRun run = run(file, root());
        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains(file + ", byte 1536: the samples from 0 on are lost", "no sample is whole");
    }

    @Test
    void oneDamagedSample_isOne() throws IOException {
        CommandRun run = run(tarWith(1, 9), root(), "--on-damage", "fail");
        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains("is not an integer; damaged: 1 sample; repair them");
    }

    @Test
    void integersOfColumnsThatAreLeftOut_areNotParsed() throws IOException {
        Path version = imported(tarWith(3, 9), root(), "--columns", "jpg", "--lanes", 1);
        assertThat(manifest(version).rows()).isEqualTo(9);
        assertThat(manifest(version).external().orElseThrow().damaged()).isZero();
    }

    @Test
    void arraysThatAreLeftOut_areNotRead() throws IOException {
        Path dataset = folder.resolve("arrays");
        ImportFixture.copy(ImportFixture.FOREIGN.resolve("npy"), dataset);
        Files.writeString(dataset.resolve("a/objects.npy"), "no array");
        Files.writeString(dataset.resolve("b/objects.npy"), "no array");
        assertThat(run(dataset, root()).err()).contains("objects.npy");

        Path version = imported(dataset, root(), "--columns", "pixels", "--lanes", 1);
        assertThat(manifest(version).schema().names()).containsExactly("pixels");
        assertThat(run(dataset, root(), "--columns", "pixel").exitCode()).isNotZero();
    }

    @Test
    void linksInAnImageFolder_areLeftOutAndNamed() throws IOException {
        Path dataset = folder.resolve("images");
        for (String name : new String[] {"cat/1.jpg", "cat/3.jpg", "dog/1.jpg", "dog/2.jpg"}) {
            Files.createDirectories(dataset.resolve(name).getParent());
            Files.writeString(dataset.resolve(name), name);
        }
        Files.createSymbolicLink(dataset.resolve("cat/2.jpg"), Path.of("1.jpg"));
        Path onlyLinks = Files.createDirectories(dataset.resolve("eel"));
        Files.createSymbolicLink(onlyLinks.resolve("4.jpg"), Path.of("../cat/1.jpg"));

        CommandRun run = run(dataset, root(), "--lanes", 1);

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("images: 4 samples in 4 files", "damaged: 2 samples left out");
        assertThat(Files.readString(latest(root()).resolve(External.DAMAGED_FILE_NAME)))
                .contains("cat/2.jpg", "eel/4.jpg", "is not a regular file; links and devices are not followed");
        assertThat(run(onlyLinks, folder.resolve("none"), "--format", "images").err())
                .contains("has only links to images");
    }

    @Test
    void verify_comparesTheLengthsOfReferences() throws IOException {
        Path version = imported(tarWith(0, 12), root(), "--lanes", 1);
        long length = manifest(version).maxLengths().get("jpg");
        assertThat(length).isEqualTo("image 11".length());
        assertThat(CommandRun.of(new VerifyCommand(), version, "--progress", "none")
                        .exitCode())
                .isZero();
        Path file = version.resolve(Manifest.FILE_NAME);
        String changed = Files.readString(file).replace("\"maxLength\": " + length, "\"maxLength\": " + (length + 1));
        Files.writeString(file, TestVersion.renewed(changed));

        CommandRun run = CommandRun.of(new VerifyCommand(), version, "--progress", "none");

        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(3);
        assertThat(run.err()).contains("column 'jpg' has maxLength 9, its longest row in the lanes 8");
    }
}
