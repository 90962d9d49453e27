package io.rankfeed.look;

import static io.rankfeed.look.InspectFixture.goldenVersion;
import static io.rankfeed.look.InspectFixture.inspect;
import static io.rankfeed.look.InspectFixture.parquet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rankfeed.look.InspectFixture.Answer;
import io.rankfeed.schema.config.ByteSize;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InspectTest {
    private static final Path BAD = Path.of("..", "..", "..", "shared", "data", "parquet-bad");

    @TempDir
    private Path folder;

    @Test
    void aVersionReportsFeedsLanesStrataAndColumns() throws IOException {
        Answer answer = inspect(goldenVersion(folder.resolve("v")).toString(), "--json");
        assertThat(answer.err()).isEmpty();
        JsonNode report = json(answer);
        assertThat(report.get("kind").asText()).isEqualTo("rankfeed.version");
        assertThat(report.get("rows").asLong()).isEqualTo(37);
        assertThat(report.at("/lanes/0").toString())
                .isEqualTo("{\"feed\":\"train\",\"lanes\":2,\"files\":5,\"rowsPerLane\":12,\"mostPerLane\":12,"
                        + "\"sharedRows\":2,\"bytes\":42226}");
        assertThat(report.at("/feeds/1/kind").asText()).isEqualTo("sequential");
        assertThat(report.at("/rowsPerRank/1").toString())
                .isEqualTo("{\"feed\":\"train\",\"world\":2,\"steps\":10,\"batch\":2,\"least\":20,\"most\":20}");
        assertThat(report.at("/rowsPerRank/3").toString()).contains("\"least\":5,\"most\":6");
        assertThat(report.at("/strata of train/1").toString())
                .isEqualTo("{\"stratum\":\"hard\",\"available\":11,\"pool\":11,\"stage0\":4,\"stage1\":12}");
        assertThat(report.at("/columns/2/maxLength").asLong()).isEqualTo(5);
        assertThat(report.at("/columns/0/maxLength").isNull()).isTrue();
    }

    @Test
    void theTextHasWhatTheJsonHas() throws IOException {
        String text = inspect(goldenVersion(folder.resolve("v")).toString(), "--verbose")
                .out();
        assertThat(text.lines())
                .anyMatch(line -> line.matches(" +hard +11 +11 +4 +12"))
                .anyMatch(line -> line.matches("kind +rankfeed\\.version"))
                .anyMatch(line -> line.matches("bytes +[0-9.]+ KiB"));
    }

    @Test
    void theAnswerComesFirstAndAloneInAFewLines() throws IOException {
        Path version = goldenVersion(folder.resolve("v"));
        String answer = inspect(version.toString()).out();
        assertThat(answer.lines())
                .containsExactly(
                        "version 298170fcc4c026ca of dataset golden",
                        "path: " + version,
                        "37 rows in 8 files, 61.7 KiB",
                        "columns: label int32, box float32 [2, 3], ids int32 [null], text string, blob binary,"
                                + " score float64, good bool, names string [null], … and 1 more",
                        "train: 10 steps of 4 rows, 2 epochs; 2 lanes; 26 rows in 2 strata",
                        "valid: 3 steps of 4 rows, each of 11 rows once; 2 lanes",
                        "--verbose prints columns, lanes, feeds, rows per rank, stages, strata");
        assertThat(inspect(version.toString(), "--verbose").out().lines())
                .startsWith(answer.lines().limit(6).toArray(String[]::new));
    }

    @Test
    void aRunSaysHowItEndedAndWhatItMade() throws IOException {
        Path run = Files.createDirectories(folder.resolve("d/runs/monday"));
        Files.writeString(
                run.resolve("run.json"),
                "{\"runId\":\"monday\",\"command\":\"pipeline\",\"state\":\"failed\",\"exitCode\":2,"
                        + "\"error\":\"train: too few rows\",\"startedAt\":\"2026-01-01T00:00:00Z\","
                        + "\"endedAt\":\"2026-01-01T00:01:00Z\",\"prepared\":\"0123456789abcdef\","
                        + "\"badRows\":{\"null\":3,\"duplicate-key\":1},\"messages\":[\"96 rows in 1 row group\"],"
                        + "\"phases\":[{\"name\":\"prepare\",\"seconds\":\"2.671\",\"rows\":96,\"bytes\":6689}]}");
        assertThat(inspect(run.toString()).out().lines())
                .containsExactly(
                        "run monday: pipeline failed",
                        "path: " + run,
                        "started 2026-01-01T00:00:00Z, ended 2026-01-01T00:01:00Z",
                        "exit code 2: train: too few rows",
                        "prepare: 96 rows in 2.7 s, prepared 0123456789abcdef",
                        "bad rows: null 3, duplicate-key 1",
                        "--verbose prints phases, bad rows");
        assertThat(inspect(run.resolve("run.json").toString(), "--verbose").out())
                .contains("96 rows in 1 row group")
                .containsPattern("plan +-");
        JsonNode report = json(inspect(run.toString(), "--json"));
        assertThat(report.get("exitCode").asText()).isEqualTo("2");
        assertThat(report.at("/phases/0/seconds").asDouble()).isEqualTo(2.671);

        Files.writeString(run.resolve("run.json"), "{\"runId\":");
        damaged(run, "run.json");
    }

    @Test
    void copyOfANode_withoutTheLanesOfOtherRanks_isDescribed() throws IOException {
        Path copy = goldenVersion(folder.resolve("v"));
        Files.delete(copy.resolve("lanes/train/lane-00001-00000.arrow"));
        damaged(copy, "lane-00001-00000.arrow: is listed in the manifest but missing");
        Files.writeString(copy.resolve("_verified"), "");
        assertThat(inspect(copy.toString()).out().lines())
                .contains("copy of a node: 7 files of 8, the lanes of its ranks");
        Files.delete(copy.resolve("order.json"));
        damaged(copy, "order.json");
    }

    @Test
    void aManifestStandsForItsFolder() throws IOException {
        Path version = goldenVersion(folder.resolve("v"));
        assertThat(inspect(version.resolve("manifest.json").toString()).out())
                .isEqualTo(inspect(version.toString()).out());
    }

    @Test
    void aManifestBehindASymbolicLinkIsRejected() throws IOException {
        Path version = goldenVersion(folder.resolve("v"));
        Path manifest = version.resolve("manifest.json");
        Files.move(manifest, folder.resolve("elsewhere"));
        Files.createSymbolicLink(manifest, folder.resolve("elsewhere"));
        Answer answer = inspect(version.toString());
        assertThat(answer.exitCode()).isEqualTo(3);
        assertThat(answer.err()).contains("manifest.json").contains("is a symbolic link");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lanes/train/lane-00001-00000.arrow", "lanes"})
    void lanesBehindASymbolicLink_areRejected(String link) throws IOException {
        Path version = goldenVersion(folder.resolve("v"));
        Path file = version.resolve(link);
        Files.move(file, folder.resolve("elsewhere"));
        Files.createSymbolicLink(file, folder.resolve("elsewhere"));
        damaged(version, file + ": is a symbolic link; an artifact has none");
    }

    /** The file is sparse: nothing of the length that it states may be allocated. */
    @Test
    void footerOfStatedLength_isBounded() throws IOException {
        Path file = folder.resolve("long.parquet");
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            out.setLength(2L << 30);
            out.seek(out.length());
            out.write(new byte[] {0, 0, 0, 0x40, 'P', 'A', 'R', '1'});
        }
        damaged(file, "states a footer of 1073741824 bytes; at most 268435456");
    }

    @Test
    void aPetastormDatasetIsCheckedAgainstItsUnischema() throws IOException {
        Path data = Path.of("..", "..", "..", "shared", "data", "petastorm", "0.7.0");
        assumeTrue(Files.isDirectory(data), "no shared inputs at " + data);
        JsonNode report = json(inspect(data.toString(), "--json"));
        assertThat(report.get("unischema").asText()).isEqualTo("TestSchema");
        assertThat(report.get("unischemaFields").toString()).contains("\"id\"", "\"partition_key\"");

        Path copy = Files.createDirectories(folder.resolve("copy"));
        byte[] metadata = Files.readAllBytes(data.resolve("_common_metadata"));
        parquet(copy.resolve("other.parquet"), 10, 10);
        Files.write(copy.resolve("_common_metadata"), metadata);
        Answer other = inspect(copy.toString());
        assertThat(other.exitCode()).isEqualTo(3);
        assertThat(other.err()).contains("other.parquet: has no column ", "which the Unischema requires");

        Files.write(copy.resolve("_common_metadata"), Arrays.copyOf(metadata, metadata.length / 2));
        Answer cut = inspect(copy.toString());
        assertThat(cut.exitCode()).isEqualTo(3);
        assertThat(cut.err()).contains("_common_metadata");
    }

    @Test
    void aForeignDirectoryReportsItsRowGroupsAgainstABlock() throws IOException {
        Path table = folder.resolve("table");
        parquet(table.resolve("day=1/a.parquet"), 2_500, 1_000);
        parquet(table.resolve("day=2/b.parquet"), 400, 1_000);
        Files.writeString(table.resolve("_SUCCESS"), "");
        JsonNode report = json(inspect(table.toString(), "--block", "64 MiB", "--json"));
        assertThat(report.get("kind").asText()).isEqualTo("Parquet directory");
        assertThat(report.get("files").asLong()).isEqualTo(2);
        assertThat(report.get("rows").asLong()).isEqualTo(2_900);
        assertThat(report.get("rowGroups").asLong()).isEqualTo(4);
        assertThat(report.get("rowsPerGroup").asText()).isEqualTo("400 to 1000");
        assertThat(report.get("compression").toString()).isEqualTo("[\"snappy\"]");
        assertThat(report.get("block").asLong()).isEqualTo(64 << 20);
        assertThat(report.get("crossingRowGroups").asLong()).isZero();
        assertThat(report.at("/columns/1/type").asText()).isEqualTo("binary string");
        assertThat(report.at("/columns/2").toString())
                .isEqualTo(
                        "{\"name\":\"day\",\"type\":\"in folders' names: 2 different\",\"repetition\":\"partition\"}");
        assertThat(json(inspect(table.toString(), "--block", "1 KiB", "--json"))
                        .get("crossingRowGroups")
                        .asLong())
                .isEqualTo(4);
    }

    @Test
    void aTableIsJudgedFileByFileAndDrawn() throws Exception {
        Path table = folder.resolve("table");
        parquet(table.resolve("a=1/a.parquet"), 5_000, 1_000);
        parquet(table.resolve("b<&>.parquet"), 900, 1_000);
        Path pictures = folder.resolve("new/pictures");
        String[] words = {table.toString(), "--block", "8 KiB", "--pictures", pictures.toString()};
        JsonNode report = json(
                inspect(Stream.concat(Stream.of(words), Stream.of("--json")).toArray(String[]::new)));
        long crossing = report.get("crossingRowGroups").asLong();
        assertThat(crossing).isBetween(2L, 5L);
        assertThat(report.at("/layout/0/file").asText()).isEqualTo("a=1/a.parquet");
        assertThat(report.at("/layout/0/rowGroups").asLong()).isEqualTo(5);
        assertThat(report.at("/layout/0/padding").asLong()).isZero();
        assertThat(report.at("/layout/0/crossing").asLong()
                        + report.at("/layout/1/crossing").asLong())
                .isEqualTo(crossing);
        assertThat(report.get("verdict").asText())
                .startsWith(crossing + " of 6 row groups cross a block; rewriting would save ")
                .endsWith(" block reads per epoch");
        assertThat(inspect(words).out().lines())
                .containsExactly(
                        "Parquet directory " + table,
                        "5,900 rows in 2 files, "
                                + ByteSize.rounded(report.get("bytes").asLong()),
                        "row groups: " + report.get("verdict").asText(),
                        "columns: id, text, a",
                        "--verbose prints layout, columns");

        String svg = Files.readString(pictures.resolve("blocks.svg"));
        assertThat(svg).contains(report.get("verdict").asText(), "b&lt;&amp;&gt;.parquet");
        assertThat(svg.lines().filter(line -> line.matches(".*>[0-9.]+ KiB</text>.*")))
                .as("a scale of four marks, in bytes")
                .hasSize(4);
        assertThat(svg.lines().filter(line -> line.contains("fill=\"#d55e00\"")))
                .as("crossing row groups, and the legend")
                .hasSize((int) crossing + 1);
    }

    @Test
    void whatHasNoRowGroupsIsNotDrawn() throws IOException {
        Answer answer = inspect(goldenVersion(folder.resolve("v")).toString(), "--pictures", folder.toString());
        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err()).contains("--pictures: nothing to draw");
    }

    @Test
    void aDatasetListsArtifactsAndRunsFinishedOrNot() throws IOException {
        Path dataset = folder.resolve("golden");
        goldenVersion(dataset.resolve("versions/298170fcc4c026ca"));
        Path cut = goldenVersion(dataset.resolve("versions/0000000000000001"));
        Files.write(cut.resolve("manifest.json"), new byte[] {'{'});
        Files.createDirectories(dataset.resolve("plans/0123456789abcdef/rows"));
        Path run = Files.createDirectories(dataset.resolve("runs/monday"));
        Files.writeString(
                run.resolve("run.json"),
                "{\"runId\":\"monday\",\"command\":\"export\",\"state\":\"committed\",\"exitCode\":0}");
        assertThat(inspect(dataset.toString()).out().lines())
                .containsExactly(
                        "dataset golden",
                        "path: " + dataset,
                        "prepared: none",
                        "plans: 1 unfinished",
                        "versions: 1 complete, 1 damaged",
                        "orders: none",
                        "runs: 1 committed",
                        "last run: monday, export, committed, 0",
                        "--verbose prints artifacts, orders, runs");
        Answer answer = inspect(dataset.toString(), "--json");
        JsonNode report = json(answer);
        assertThat(report.get("kind").asText()).isEqualTo("dataset");
        assertThat(report.at("/artifacts/0/state").asText()).isEqualTo("unfinished");
        assertThat(report.at("/artifacts/1/state").asText()).startsWith("damaged: ");
        assertThat(report.at("/artifacts/2/state").asText()).isEqualTo("complete");
        assertThat(report.at("/artifacts/2/rows").asLong()).isEqualTo(37);
        assertThat(report.at("/runs/0/state").asText()).isEqualTo("committed");
    }

    @Test
    void whatIsNotThereOrNothingKnownIsTheUsersMistake() throws IOException {
        Path text = Files.writeString(folder.resolve("notes.txt"), "x");
        for (String path : new String[] {folder.resolve("none").toString(), folder.toString(), text.toString()}) {
            Answer answer = inspect(path);
            assertThat(answer.exitCode()).isEqualTo(2);
            assertThat(answer.err().lines()).singleElement().asString().contains(path);
        }
        assertThat(inspect(folder.toString(), "--block", "1 MB").err()).contains("1 MiB");
    }

    @Test
    void anUnfinishedArtifactIsSaidToBeOne() throws IOException {
        Path plan = Files.createDirectories(folder.resolve("plans/0123456789abcdef"));
        Answer answer = inspect(plan.toString());
        assertThat(answer.exitCode()).isEqualTo(3);
        assertThat(answer.err()).contains("unfinished attempt");
    }

    @Test
    void damageOfAVersionIsNamedByFile() throws IOException {
        Path cut = goldenVersion(folder.resolve("cut"));
        Path lane = cut.resolve("lanes/train/lane-00001-00000.arrow");
        Files.write(lane, Arrays.copyOf(Files.readAllBytes(lane), 7_000));
        damaged(cut, "lane-00001-00000.arrow, byte 7000");

        Path gone = goldenVersion(folder.resolve("gone"));
        Files.delete(gone.resolve("lanes/train/shared-00000.arrow"));
        damaged(gone, "shared-00000.arrow");

        Path order = goldenVersion(folder.resolve("order"));
        Path file = order.resolve("order.json");
        Files.writeString(file, Files.readString(file).replace("\"seed\": 42", "\"seed\": 43"));
        damaged(order, "order.json");

        Path manifest = goldenVersion(folder.resolve("manifest"));
        Path json = manifest.resolve("manifest.json");
        Files.writeString(json, Files.readString(json).replace("lanes/train/lane-00000-00000", "../../etc/passwd"));
        damaged(manifest, "manifest.json");
    }

    @Test
    void everyBrokenFileOfAFolderIsNamedAndTheOthersAreJudged() throws IOException {
        Path table = folder.resolve("some");
        parquet(table.resolve("a.parquet"), 100, 100);
        Files.write(table.resolve("b.parquet"), new byte[5]);
        parquet(table.resolve("c.parquet"), 200, 100);
        Files.write(table.resolve("d.parquet"), new byte[50]);
        Answer answer = inspect(table.toString(), "--json");
        assertThat(answer.exitCode()).isEqualTo(3);
        assertThat(answer.err().lines()).hasSize(2);
        assertThat(answer.err()).contains("b.parquet, byte 5", "d.parquet, byte 46");
        JsonNode report = new JsonMapper().readTree(answer.out());
        assertThat(report.get("files").asLong()).isEqualTo(2);
        assertThat(report.get("rows").asLong()).isEqualTo(300);
        assertThat(report.get("brokenFiles").asLong()).isEqualTo(2);
    }

    @Test
    void damageOfAParquetFileIsNamedByFileAndByte() throws IOException {
        Path good = parquet(folder.resolve("t/a.parquet"), 100, 100);
        byte[] bytes = Files.readAllBytes(good);
        Files.write(good, Arrays.copyOf(bytes, bytes.length - 20));
        damaged(good.getParent(), "a.parquet, byte " + (bytes.length - 24));

        Files.write(good, new byte[5]);
        damaged(good, "a.parquet, byte 5");

        byte[] long1 = bytes.clone();
        Arrays.fill(long1, bytes.length - 8, bytes.length - 4, (byte) 0x7f);
        Files.write(good, long1);
        damaged(good, "states a footer of 2139062143 bytes");

        byte[] noise = bytes.clone();
        Arrays.fill(noise, bytes.length - 60, bytes.length - 8, (byte) 0x5a);
        Files.write(good, noise);
        damaged(good, "a.parquet, byte");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ARROW-GH-41317", "ARROW-GH-43605", "ARROW-GH-47662", "PARQUET-1481"})
    @Timeout(300)
    void aKnownBadFileIsReportedOrNamed(String name) {
        assumeTrue(Files.isDirectory(BAD), "no shared inputs at " + BAD);
        Answer answer = inspect(BAD.resolve(name + ".parquet").toString());
        assertThat(answer.exitCode()).isIn(0, 3);
        assertThat(answer.exitCode() == 0 ? answer.out() : answer.err()).contains(name);
    }

    private static void damaged(Path path, String named) {
        Answer answer = inspect(path.toString());
        assertThat(answer.exitCode()).as(answer.err()).isEqualTo(3);
        assertThat(answer.err().lines()).singleElement().asString().contains(named);
        assertThat(answer.out()).isEmpty();
    }

    private static JsonNode json(Answer answer) throws IOException {
        assertThat(answer.exitCode()).as(answer.err()).isZero();
        return new JsonMapper().readTree(answer.out());
    }
}
