package io.rankfeed.spark.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.export.commit.FaultPoints;
import io.rankfeed.export.format.known.Formats;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.spark.export.PipelineRun;
import io.rankfeed.spark.export.Version;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.KilledRun;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.SharedTables;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a version of 1,886 rows with every kind of column that the format has, read without code of the writers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FormattedCopiesIT {
    static final String PREPARE =
            "{sql: \"SELECT *, coalesce(encode(concat('image ', id), 'utf-8'), X'') AS image FROM t\","
                    + " key: [id], block: 64 KiB, " + PipelineRun.TENSORS + "}";
    private static final String COLUMNS = "columns: [id, level, tag, tokens, box, small, even, names]";
    static final String FORMATS = "export.formats=[lanes, {format: mds, shard-rows: 300, " + COLUMNS
            + "}, {format: mds, ranks: 2, shard-bytes: 2 KiB, columns: [id, tag]}]";

    /** The keys of the formats that do not take every column. */
    private static final Map<String, String> KEYS = Map.of(
            "enn", "columns: [level, small], options: {features: level, label: small}",
            "image-mmap", "columns: [image, level]",
            "megatron", "columns: [tokens]");

    private SparkSession spark;
    private Path base;
    private Path root;
    private Version version;
    private List<FormattedCopy> copies;

    @BeforeAll
    void start(@TempDir Path folder) {
        spark = LocalSpark.session(3);
        base = folder;
        root = folder.resolve("out");
        PipelineRun.table(spark, base.resolve("in"), 1);
        JobContext context = context(spark, FORMATS);
        version = PipelineRun.run(context);
        copies = run(context, version);
    }

    @AfterEach
    void heal() {
        FaultPoints.watch(null);
    }

    private JobContext context(SparkSession session, String formats) {
        return PipelineRun.context(session, root, base.resolve("in"), PREPARE, formats);
    }

    private static List<FormattedCopy> run(JobContext context, Version version) {
        return FormatRun.copies(context, version);
    }

    @Test
    void rows_haveTheOrderOfTheRunAndTheValuesOfTheTable() throws IOException {
        Map<Long, Row> table = new HashMap<>();
        for (Row row : spark.read().parquet(base.resolve("in").toString()).collectAsList()) {
            table.put(row.getAs("id"), row);
        }
        Path copy = folder(0);
        List<Map<String, ByteBuffer>> train = MdsFile.rows(copy.resolve("train"));
        assertThat(ids(train)).isEqualTo(DrawnIds.of(version, 1, "id").get(0));
        List<Map<String, ByteBuffer>> valid = MdsFile.rows(copy.resolve("valid"));
        assertThat(ids(valid))
                .isEqualTo(LongStream.range(0, 2000)
                        .filter(id -> id % 7 == 0)
                        .boxed()
                        .toList());
        for (Map<String, ByteBuffer> row :
                Stream.concat(train.stream(), valid.stream()).toList()) {
            assertThat(RowValues.of(row))
                    .isEqualTo(RowValues.of(table.get(row.get("id").getLong(0))));
        }
        assertThat(train).hasSizeGreaterThan(600);
        assertThat(names(copy.resolve("train"))).contains("shard.00000.mds", "shard.00001.mds", "index.json");
    }

    @Test
    void format_each_hasAllRowsInTheOrderOfTheRun() throws IOException {
        String entries = Formats.names().stream()
                .map(name -> "{format: " + name + ", ranks: 2, " + KEYS.getOrDefault(name, "columns: [id, level, tag]")
                        + "}")
                .collect(Collectors.joining(", "));
        List<List<Long>> expected = DrawnIds.of(version, 2, "_row_id");
        for (FormattedCopy copy : run(context(spark, "export.formats=[lanes, " + entries + "]"), version)) {
            Path folder = Path.of(copy.path().toUri().getPath());
            for (int rank = 0; rank < 2; rank++) {
                byte[] json = Files.readAllBytes(folder.resolve("rank-0000" + rank + "/train_metadata.json"));
                List<Long> ids = new ArrayList<>();
                StrictJson.parse(json, "metadata")
                        .forEach(row -> ids.add(row.path("id").asLong()));
                assertThat(ids).as(copy.format()).isEqualTo(expected.get(rank));
            }
            deleteAll(folder);
        }
    }

    @Test
    void metadata_ofASplit_hasItsRowsInOrder() throws IOException {
        byte[] json = Files.readAllBytes(folder(0).resolve("train_metadata.json"));
        List<Boolean> even = new ArrayList<>();
        StrictJson.parse(json, "metadata")
                .forEach(row -> even.add(row.path("even").asBoolean()));
        assertThat(even)
                .isEqualTo(DrawnIds.of(version, 1, "id").get(0).stream()
                        .map(id -> id % 2 == 0)
                        .toList());
    }

    @Test
    void ranks_haveTheRowsOfTheirLanesInTheOrderOfTheirBatches() throws IOException {
        List<List<Long>> expected = DrawnIds.of(version, 2, "id");
        Set<Long> all = new LinkedHashSet<>();
        for (int rank = 0; rank < 2; rank++) {
            List<Long> ids = ids(MdsFile.rows(folder(1).resolve("rank-0000" + rank + "/train")));
            assertThat(ids).isEqualTo(expected.get(rank));
            assertThat(all).doesNotContainAnyElementsOf(ids);
            all.addAll(ids);
            List<Long> valid = ids(MdsFile.rows(folder(1).resolve("rank-0000" + rank + "/valid")));
            int of = rank;
            assertThat(valid)
                    .isEqualTo(LongStream.range(0, 286)
                            .filter(i -> i % 2 == of)
                            .map(i -> 7 * i)
                            .boxed()
                            .toList());
        }
        assertThat(all)
                .containsExactlyInAnyOrderElementsOf(
                        DrawnIds.of(version, 1, "id").get(0));
        assertThat(names(folder(1).resolve("rank-00001"))).contains("train_metadata.json", "valid_metadata.json");
        assertThat(names(folder(1).resolve("rank-00000/train")))
                .contains("shard.00000-0000.mds", "shard.00000-0001.mds");
    }

    @Test
    void manifest_listsEveryFileAndNamesVersionAndOrder() throws IOException {
        for (FormattedCopy copy : copies) {
            Path folder = Path.of(copy.path().toUri().getPath());
            Manifest manifest = ManifestJson.read(folder);
            assertThat(manifest.id()).isEqualTo(folder.getFileName().toString());
            assertThat(folder.getParent()).isEqualTo(root.resolve("d/formats"));
            assertThat(manifest.rows()).isEqualTo(version.rows());
            assertThat(manifest.inputs()).hasSize(2);
            assertThat(((Input.ArtifactInput) manifest.inputs().get(0)).id()).isEqualTo(version.id());
            assertThat(((Input.OrderInput) manifest.inputs().get(1)).id())
                    .isEqualTo(version.order().plan());
            SortedMap<String, String> files = digests(folder);
            files.remove("manifest.json");
            assertThat(files.keySet())
                    .containsExactlyElementsOf(manifest.files().stream()
                            .map(file -> file.path().value())
                            .toList());
            for (ArtifactFile file : manifest.files()) {
                assertThat(files).containsEntry(file.path().value(), file.sha256());
            }
        }
    }

    @Test
    void copy_ofFewerTasksAndAfterAFailure_hasTheSameBytes() throws IOException {
        SortedMap<String, String> expected = digests(root.resolve("d"));
        Path copy = folder(0);
        deleteAll(copy);
        FaultPoints.watch(point -> {
            if (point.equals("format.after-parts")) {
                throw new IllegalStateException("stopped");
            }
        });
        SparkSession other = spark.newSession();
        other.conf().set("spark.sql.shuffle.partitions", 1);
        other.conf().set("spark.sql.adaptive.enabled", false);
        assertThatThrownBy(() -> run(context(other, FORMATS), version)).hasMessageContaining("stopped");
        assertThat(copy.resolve("manifest.json")).doesNotExist();
        assertThat(copy.resolve("train/shard.00000.mds")).exists();
        // A file that a crash tore, and one that is not of the copy.
        Files.write(copy.resolve("train/shard.00000.mds"), new byte[3]);
        Files.write(copy.resolve("train/other.mds"), new byte[3]);

        FaultPoints.watch(null);
        run(context(other, FORMATS), version);
        assertThat(digests(root.resolve("d"))).isEqualTo(expected);
    }

    @Test
    @Tag("nightly")
    void copyAfterKill_hasTheSameFilesAndNoOthers(@TempDir Path other, @TempDir Path logs) throws Exception {
        SharedTables.copy(root, other);
        deleteAll(other.resolve("d/formats"));
        String input = base.resolve("in").toString();
        assertThat(KilledRun.of(FormatRun.class, "format.after-parts", logs.resolve("log"), other.toString(), input))
                .isEqualTo(KilledRun.KILLED);
        SortedMap<String, String> left = digests(other.resolve("d/formats"));
        assertThat(left.keySet()).anyMatch(file -> file.endsWith("/train/shard.00001.mds"));
        assertThat(left.keySet()).noneMatch(file -> file.endsWith("manifest.json"));

        FormatRun.run(spark, other, base.resolve("in"), FORMATS);
        assertThat(digests(other.resolve("d"))).isEqualTo(digests(root.resolve("d")));
    }

    @Test
    void formats_changeNeitherVersionNorOrder(@TempDir Path alone) throws IOException {
        Version other = PipelineRun.run(PipelineRun.context(spark, alone, base.resolve("in"), PREPARE));
        assertThat(other.id()).isEqualTo(version.id());
        assertThat(digests(alone.resolve("d/versions"))).isEqualTo(digests(root.resolve("d/versions")));
        assertThat(other.order()).isEqualTo(version.order());
    }

    @Test
    void column_thatAFormatCannotStore_isRefusedWithItsNameBeforeAnyRow() {
        String all = "export.formats=[lanes, mds]";
        String[] before = root.resolve("d/formats").toFile().list();
        assertThatThrownBy(() -> run(context(spark, all), version))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("mds cannot store column 'files'");
        assertThatThrownBy(
                        () -> run(context(spark, "export.formats=[lanes, {format: mds, columns: [tokns]}]"), version))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean 'tokens'");
        assertThatThrownBy(() -> run(context(spark, "export.formats=[lanes, {format: mds, options: {x: y}}]"), version))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("has no option 'x'");
        assertThatThrownBy(() -> run(
                        context(spark, "export.formats=[lanes, {format: tfrecord, options: {index: maybe}}]"), version))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("format tfrecord: index: 'maybe' must be one of true, false");
        assertThat(root.resolve("d/formats").toFile().list()).containsExactlyInAnyOrder(before);
    }

    @Test
    void lane_withAChangedByte_isRefused(@TempDir Path other) throws IOException {
        JobContext context = PipelineRun.context(spark, other, base.resolve("in"), PREPARE, FORMATS);
        Version damaged = PipelineRun.run(context);
        Path lane = Path.of(damaged.path().toUri().getPath(), "lanes/train/lane-00001-00000.arrow");
        byte[] bytes = Files.readAllBytes(lane);
        bytes[bytes.length / 2] ^= 4;
        Files.write(lane, bytes);
        assertThatThrownBy(() -> run(context, damaged))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("lane-00001-00000.arrow");
        assertThat(other.resolve("d/formats").toFile().list())
                .allSatisfy(id -> assertThat(other.resolve("d/formats/" + id + "/manifest.json"))
                        .doesNotExist());
    }

    private static List<Long> ids(List<Map<String, ByteBuffer>> rows) {
        return rows.stream().map(row -> row.get("id").getLong(0)).toList();
    }

    private Path folder(int copy) {
        return Path.of(copies.get(copy).path().toUri().getPath());
    }

    static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path path : walk.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(path);
            }
        }
    }

    private static SortedMap<String, String> digests(Path folder) throws IOException {
        SortedMap<String, String> digests = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                digests.put(folder.relativize(file).toString(), Sha256.hex(file));
            }
        }
        return digests;
    }
}
