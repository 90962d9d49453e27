package io.rankfeed.feeder.importing;

import static io.rankfeed.feeder.importing.ImportFixture.FOREIGN;
import static io.rankfeed.feeder.importing.ImportFixture.contents;
import static io.rankfeed.feeder.importing.ImportFixture.copy;
import static io.rankfeed.feeder.importing.ImportFixture.imported;
import static io.rankfeed.feeder.importing.ImportFixture.latest;
import static io.rankfeed.feeder.importing.ImportFixture.run;
import static io.rankfeed.feeder.importing.ImportFixture.tar;
import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.cli.NodeParts;
import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.feeder.plan.PlanCommand;
import io.rankfeed.feeder.remote.VersionLocation;
import io.rankfeed.importing.write.VersionStage;
import io.rankfeed.look.InspectCommand;
import io.rankfeed.look.SimulateCommand;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.manifest.External;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.manifest.Stamps;
import io.rankfeed.schema.run.DefaultOrder;
import io.rankfeed.schema.selection.SelectedStratum;
import io.rankfeed.schema.selection.SelectedTrain;
import io.rankfeed.schema.selection.Selection;
import io.rankfeed.schema.selection.SelectionJson;
import io.rankfeed.schema.store.LocalFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImportCommandTest {
    @TempDir
    private Path folder;

    private Path root() {
        return folder.resolve("root");
    }

    private static SelectedTrain feed(Path version) throws IOException {
        return (SelectedTrain)
                SelectionJson.parse(Files.readAllBytes(version.resolve(Selection.FILE_NAME)), Selection.FILE_NAME)
                        .feeds()
                        .getFirst();
    }

    private static Manifest.Version manifest(Path version) {
        return (Manifest.Version) ManifestJson.read(version);
    }

    /** Another copy with other times, another root and options that have the same meaning. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "npy | x,label",
                "enn | X,Y",
                "enn-ids | X,Y,row_ids",
                "enn-several | X",
                "image-mmap | image",
                "huggingface | text,label,blob,flag,grid",
                "webdataset | cls,jpg,seg_png,txt",
                "tars | jpg,txt",
                "megatron | tokens",
                "images | image,label"
            })
    void sameFiles_areOneVersion_whateverTheirTimesAndRoots(String name, String columns) throws IOException {
        Path dataset = folder.resolve("ä b/" + name);
        Path other = folder.resolve("other");
        copy(FOREIGN.resolve(name), dataset);
        copy(FOREIGN.resolve(name), other);
        Object[] options = {"--columns", columns, "--lanes", 2};

        Path version = imported(dataset, root(), options);

        Manifest.Version manifest = manifest(version);
        Map<String, String> before = contents(root());
        assertThat(version.getFileName()).hasToString(manifest.id());
        assertThat(manifest.schema().names()).containsExactlyInAnyOrder(columns.split(","));
        assertThat(manifest.rows()).isEqualTo(feed(version).rows()).isPositive();
        assertThat(contents(version).keySet())
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                Stream.of(Manifest.FILE_NAME),
                                manifest.files().stream()
                                        .map(file -> file.path().value()))
                        .toList());
        requireStamps(version, dataset.toAbsolutePath(), manifest);

        try (Stream<Path> files = Files.walk(other)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_007L));
            }
        }
        Path again = folder.resolve("again");
        imported(other, again, options);
        assertThat(contents(again.resolve("pets/versions"))).isEqualTo(contents(root().resolve("pets/versions")));
        assertThat(contents(again.resolve("pets/orders"))).isEqualTo(contents(root().resolve("pets/orders")));

        // The same version of a copy: the stamps are those of the copy, and nothing else is new.
        assertThat(imported(dataset, root(), options)).isEqualTo(version);
        assertThat(contents(root())).isEqualTo(before);
        assertThat(imported(other, root(), options)).isEqualTo(version);
        requireStamps(version, other.toAbsolutePath(), manifest);
    }

    private static void requireStamps(Path version, Path dataset, Manifest.Version manifest) throws IOException {
        Stamps stamps = Stamps.read(version);
        assertThat(stamps.root()).isEqualTo(dataset);
        assertThat(stamps.list()).isEqualTo(Sha256.hex(version.resolve(External.FILE_NAME)));
        assertThat((long) stamps.files())
                .isEqualTo(manifest.external().orElseThrow().files());
        long bytes = 0;
        for (int i = 0; i < stamps.files(); i++) {
            bytes += stamps.bytes(i);
        }
        assertThat(bytes).isEqualTo(manifest.external().orElseThrow().bytes());
    }

    @Test
    void import_ofAnotherContent_isAnotherVersion_andTheLatest() throws IOException {
        Path dataset = folder.resolve("data");
        copy(FOREIGN.resolve("images"), dataset);
        Path first = imported(dataset, root());
        byte[] image = Files.readAllBytes(dataset.resolve("cat/1.jpg"));
        image[0]++;
        Files.write(dataset.resolve("cat/1.jpg"), image);

        Path second = imported(dataset, root());

        assertThat(second).isNotEqualTo(first);
        assertThat(first.resolve(Manifest.FILE_NAME)).exists();
        image[0]--;
        Files.write(dataset.resolve("cat/1.jpg"), image);
        assertThat(imported(dataset, root())).isEqualTo(first);
        assertThat(root().resolve("pets/commits/0000000003.json")).exists();
    }

    @Test
    void version_isPlannedSimulatedAndInspected_asAnyOther() throws IOException {
        for (int i = 0; i < 300; i++) {
            Path file = folder.resolve("data/class " + i % 3 + "/é " + i + ".jpg");
            Files.createDirectories(file.getParent());
            Files.write(file, new byte[1 + i]);
        }
        Path version = imported(folder.resolve("data"), root(), "--strata", "folder", "--lanes", 4, "--batch", 8);
        assertThat(feed(version).strata())
                .containsExactly(
                        new SelectedStratum("class 0", List.of("class 0"), 100, 100),
                        new SelectedStratum("class 1", List.of("class 1"), 100, 100),
                        new SelectedStratum("class 2", List.of("class 2"), 100, 100));
        String own = DefaultOrder.of(version.toString(), manifest(version).id(), LocalFiles.INSTANCE)
                .plan();

        CommandRun same = CommandRun.of(new PlanCommand(), version, "--dry-run");
        CommandRun plan = CommandRun.of(new PlanCommand(), version, "--set", "balance=[folder]", "--set", "seed=7");
        CommandRun simulated = CommandRun.of(new SimulateCommand(VersionLocation::store, new NodeParts()), version);
        CommandRun inspected = CommandRun.of(new InspectCommand(VersionLocation::store), version);
        CommandRun dataset = CommandRun.of(new InspectCommand(VersionLocation::store), root().resolve("pets"));

        assertThat(same.out()).as(same.err()).contains("plan " + own);
        assertThat(plan.out()).as(plan.err()).contains("train: ").doesNotContain(own);
        assertThat(simulated.exitCode()).as(simulated.err()).isZero();
        assertThat(inspected.out()).as(inspected.err()).contains("300 rows", "image binary", "label int64");
        assertThat(dataset.out()).as(dataset.err()).contains("versions: 1 complete", "orders: 2 complete");
    }

    @ParameterizedTest
    @CsvSource({"100, 100, 64", "100, 20, 16", "100, 8, 8", "100, 1, 8", "5, 1, 4"})
    void lanes_byDefault_leaveOutNoStratumOfEightSamples(int cats, int dogs, int lanes) throws IOException {
        for (int i = 0; i < cats + dogs; i++) {
            Path file = folder.resolve("data/" + (i < cats ? "cat/" : "dog/") + i + ".jpg");
            Files.createDirectories(file.getParent());
            Files.write(file, new byte[1 + i]);
        }
        Path version = imported(folder.resolve("data"), root(), "--strata", "folder");
        assertThat(feed(version).lanes()).isEqualTo(lanes);
    }

    @Test
    void damagedSamples_areLeftOut_listedAndCounted() throws IOException {
        Map<String, byte[]> members = new LinkedHashMap<>();
        for (int i = 0; i < 8; i++) {
            members.put(
                    "s" + i + ".txt",
                    i == 5 ? new byte[] {'a', (byte) 0xC3, '('} : ("é" + i).getBytes(StandardCharsets.UTF_8));
            members.put("s" + i + ".cls", (i == 2 ? "x" : "" + i % 2).getBytes(StandardCharsets.UTF_8));
        }
        Path file = Files.write(folder.resolve("a.tar"), tar(members));

        CommandRun run = run(file, root());
        Path version = latest(root());

        assertThat(run.out()).contains("webdataset: 6 samples in 1 file", "damaged: 2 samples left out");
        assertThat(manifest(version).external().orElseThrow().damaged()).isEqualTo(2);
        // A member is a header of 512 bytes and a block of content.
        assertThat(Files.readString(version.resolve(External.DAMAGED_FILE_NAME)))
                .isEqualTo("""
                        {"file":"a.tar","offset":5632,"reason":"member 's2.cls' is not an integer"}
                        {"file":"a.tar","offset":10753,"reason":"the text in column 'txt' is not valid UTF-8"}
                        """);
        assertThat(feed(version).rows()).isEqualTo(6);
        CommandRun failed = run(file, folder.resolve("none"), "--on-damage", "fail");
        assertThat(failed.exitCode()).isEqualTo(3);
        assertThat(failed.err())
                .contains(file + ", byte 5632: member 's2.cls' is not an integer; damaged: 2 samples; repair them");
        assertThat(folder.resolve("none")).doesNotExist();
        assertThat(run(file, root(), "--columns", "cls").out()).contains("7 samples");
    }

    @Test
    void dryRun_reportsAndWritesNothing() throws IOException {
        CommandRun run = run(FOREIGN.resolve("webdataset"), root(), "--strata", "cls", "--dry-run", "--json");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains(
                        "\"format\" : \"webdataset\"", "\"damaged\" : 0", "\"rows\" : 7", "\"indexBytes\"", "seg_png");
        assertThat(root()).doesNotExist();
    }

    @Test
    void strata_areTextsOrOfAFile() throws IOException {
        Map<String, byte[]> members = new LinkedHashMap<>();
        for (int i = 0; i < 6; i++) {
            members.put("s" + i + ".txt", (i < 4 ? "größer" : "kleiner").getBytes(StandardCharsets.UTF_8));
        }
        Path file = Files.write(folder.resolve("a.tar"), tar(members));
        Path levels = Files.writeString(folder.resolve("level.json"), "[1, true, \"x\", 1, 1, 1]");
        assertThat(feed(imported(file, root(), "--strata", "txt")).strata())
                .extracting(SelectedStratum::name)
                .containsExactly("größer", "kleiner");
        SelectedTrain both = feed(imported(file, root(), "--strata", "txt", "--strata", levels));
        assertThat(both.columns()).containsExactly("txt", "level");
        assertThat(both.strata())
                .containsExactly(
                        new SelectedStratum("größer/1", List.of("größer", "1"), 2, 2),
                        new SelectedStratum("größer/true", List.of("größer", "true"), 1, 1),
                        new SelectedStratum("größer/x", List.of("größer", "x"), 1, 1),
                        new SelectedStratum("kleiner/1", List.of("kleiner", "1"), 2, 2));
        Files.writeString(levels, "{\"s0\":\"a\",\"s1\":\"a\",\"s2\":\"a\",\"s3\":\"a\",\"s4\":\"b\",\"s5\":\"b\"}");
        assertThat(feed(imported(file, root(), "--strata", levels)).strata())
                .extracting(SelectedStratum::rows)
                .containsExactly(4L, 2L);
        members.put("s9.txt", new byte[257]);
        Files.write(file, tar(members));
        assertThat(run(file, root(), "--strata", "txt").err())
                .contains("a.tar, byte ", "sample 6 has 257 bytes in column 'txt'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1, 2] | has 2 strata for 6 samples",
                "[1, 2, [3], 4, 5, 6] | a stratum must be a text of 1 to 256 bytes, an integer, true or false (line 1, column 8)",
                "[1, 2, null, 4, 5, 6] | a stratum must be a text",
                "[1, 2, '', 4, 5, 6] | a stratum must be a text",
                "[1, 2, 3.5, 4, 5, 6] | a stratum must be a text",
                "{'s0': 1, 's1': {}} | a stratum must be a text",
                "{'s0': 1, 's0': 2} | the sample 's0' is a duplicate",
                "{'s0': 1} | has no stratum for the sample 's1'",
                "{'s0': 1 | is not valid JSON",
                "[1, 2, 3, 4, 5, 6] 7 | text follows its end",
                "7 | must be an object {sample: stratum}, or a list"
            })
    void strataFile_ofAWrongShape_isRefused(String json, String message) throws IOException {
        Map<String, byte[]> members = new LinkedHashMap<>();
        for (int i = 0; i < 6; i++) {
            members.put("s" + i + ".bin", new byte[3]);
        }
        Path file = Files.write(folder.resolve("a.tar"), tar(members));
        Path strata = Files.writeString(folder.resolve("level.json"), json.replace('\'', '"'));

        CommandRun run = run(file, root(), "--strata", strata);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(strata.toString(), message);
        assertThat(root()).doesNotExist();
    }

    @Test
    void key_identifiesSamples_whateverTheirFiles() throws IOException {
        Map<String, byte[]> members = new LinkedHashMap<>();
        for (int i = 0; i < 6; i++) {
            members.put("s" + i + ".id", ("" + (7 * i - 20)).getBytes(StandardCharsets.UTF_8));
            members.put("s" + i + ".txt", ("t" + i).getBytes(StandardCharsets.UTF_8));
        }
        Path file = Files.write(folder.resolve("a.tar"), tar(members));
        for (String key : List.of("id", "txt")) {
            List<String> digests = feed(imported(file, root(), "--key", key)).rowDigests();
            Path renamed = Files.copy(file, folder.resolve("b-" + key + ".tar"));
            assertThat(feed(imported(renamed, root(), "--key", key)).rowDigests())
                    .isEqualTo(digests);
            assertThat(feed(imported(renamed, root())).rowDigests()).isNotEqualTo(digests);
            assertThat(manifest(imported(file, root(), "--key", key)).origin().key())
                    .containsExactly(key);
        }
        members.put("s7.id", "1".getBytes(StandardCharsets.UTF_8));
        Files.write(file, tar(members));
        CommandRun duplicate = run(file, root(), "--key", "id");
        assertThat(duplicate.exitCode()).isEqualTo(2);
        assertThat(duplicate.err()).contains("column 'id' has one value in two samples, sample 3 of", "sample 6 of");
        assertThat(run(file, root(), "--key", "txt").err()).contains("has no value in column 'txt', which is the key");
    }

    @Test
    void table_keepsTheOrderOfFiles_forPlannedOrders() throws IOException {
        Path version = imported(FOREIGN.resolve("megatron"), root(), "--order", "table", "--lanes", 1);
        CommandRun plan = CommandRun.of(new PlanCommand(), version, "--dry-run", "--json");
        assertThat(plan.out()).as(plan.err()).contains("\"order\" : \"planned\"");
        assertThat(run(FOREIGN.resolve("megatron"), root(), "--order", "x").err())
                .contains("'x' is not hash or table");
    }

    @Test
    void wrongWords_areRefused() throws IOException {
        Path images = FOREIGN.resolve("images");
        assertThat(run(folder.resolve("none"), root()).err()).contains("none: no such file or folder");
        assertThat(run(images, root(), "--format", "image").err()).contains("unknown format 'image'", "images");
        assertThat(run(images, root(), "--strata", "class").err()).contains("class");
        assertThat(run(images, root(), "--key", "image").err()).contains("cannot be a key");
        assertThat(run(images, root(), "--key", "image", "--columns", "label").err())
                .contains("--key image: --columns leaves this column out; add it there");
        assertThat(run(images, root(), "--lanes", 0).err()).contains("--lanes 0: must be 1 to 65536");
        assertThat(run(images, root(), "--lanes", 2, "--batch", 3).err()).contains("not a multiple of the 2 lanes");
        assertThat(run(images, root(), "--lanes", 64).err()).contains("train");
        assertThat(CommandRun.of(new ImportCommand(), images, "--as", "A", "--root", root())
                        .err())
                .contains("--as A: must match");
        assertThat(CommandRun.of(new ImportCommand(), images, "--as", "a", "--root", "hdfs://x/y")
                        .err())
                .contains("--root hdfs://x/y: is an address");
        assertThat(root()).doesNotExist();
        Path file = Files.createFile(folder.resolve("file"));
        CommandRun notAFolder = run(images, file);
        assertThat(notAFolder.exitCode()).isEqualTo(4);
        assertThat(notAFolder.err()).contains("cannot write into " + file);
        Files.createSymbolicLink(folder.resolve("link"), images.toAbsolutePath());
        assertThat(run(folder.resolve("link"), root()).exitCode()).isZero();
    }

    @Test
    void secondImportOfADataset_isRefused_whileOneRuns() throws IOException {
        try (VersionStage running = VersionStage.begin(root().resolve("pets"))) {
            CommandRun run = run(FOREIGN.resolve("images"), root());
            assertThat(run.exitCode()).isEqualTo(4);
            assertThat(run.err()).contains("another import is writing to " + root().resolve("pets"));
            assertThat(running.folder()).exists();
        }
        imported(FOREIGN.resolve("images"), root());
    }
}
