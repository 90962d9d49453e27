package io.rankfeed.spark.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.export.commit.FaultPoints;
import io.rankfeed.job.JobFile;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.Notes;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.PreparedFixture;
import io.rankfeed.spark.sample.Sample;
import io.rankfeed.spark.sample.table.PreparedFrame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans and versions straight over Parquet files that rankfeed has not written. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InPlaceIT {
    private static final String TENSORS = PipelineRun.TENSORS;
    private static final String QUERY = "sql: SELECT * FROM t";

    /** Four row groups of Arrow's writer, of 10, 0, 10 and 20 rows, without a page index. */
    private static final Path GROUPS =
            Path.of("src/test/resources/parquet-types/groups.parquet").toAbsolutePath();

    private Path input;
    private SparkSession spark;

    @BeforeAll
    void start(@TempDir Path folder) {
        spark = PreparedFixture.session();
        input = PipelineRun.table(spark, folder.resolve("in"), 1);
    }

    @AfterEach
    void quiet() {
        FaultPoints.watch(null);
    }

    @ParameterizedTest
    @CsvSource("CHOSEN,true")
    void lanesInPlace_equalThoseOfAWrittenTable(Export.Reading reading, boolean keyed, @TempDir Path root)
            throws IOException {
        String more = TENSORS + (keyed ? ", key: [id]" : "");
        Version written = export(context(root.resolve("a"), input, "{" + QUERY + ", " + more + "}"), reading);
        JobContext inPlace = context(root.resolve("b"), input, "{rewrite: none, " + more + "}");
        Version version = export(inPlace, reading);

        assertThat(lanes(version)).isNotEmpty().isEqualTo(lanes(written));
        PreparedTable table = Prepare.run(inPlace);
        assertThat(table.manifest().isInPlace()).isTrue();
        assertThat(table.manifest().rows()).isEqualTo(2000);
        assertThat(PreparedFixture.digests(Path.of(table.path().toUri().getPath())))
                .containsOnlyKeys(Manifest.FILE_NAME);
        assertThat(table.manifest().schema())
                .isEqualTo(Prepare.run(context(root.resolve("a"), input, "{" + QUERY + ", " + more + "}"))
                        .manifest()
                        .schema());
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource("SCAN,false")
    void lanesInPlace_byAScan_equalThoseOfAWrittenTable(Export.Reading reading, boolean keyed, @TempDir Path root)
            throws IOException {
        lanesInPlace_equalThoseOfAWrittenTable(reading, keyed, root);
    }

    @Test
    @Tag("nightly")
    void partitionColumns_inPlace_areExported(@TempDir Path root) throws IOException {
        Path parts = root.resolve("in");
        spark.range(0, 2000)
                .selectExpr("id", "cast(id % 10 as int) AS level")
                .write()
                .partitionBy("level")
                .parquet(parts.toString());
        String numbers = "sources.t.partitions.level=int";
        Version written =
                export(context(root.resolve("a"), parts, "{" + QUERY + ", key: [id]}", numbers), Export.Reading.CHOSEN);
        Version version =
                export(context(root.resolve("b"), parts, "{rewrite: none, key: [id]}", numbers), Export.Reading.CHOSEN);
        assertThat(lanes(version).get("lanes/train/lane-00000-00000.arrow"))
                .isNotNull()
                .isEqualTo(lanes(written).get("lanes/train/lane-00000-00000.arrow"));
    }

    @Test
    void fewRows_ofAFileWithoutPageIndex_areThoseOfAScan(@TempDir Path root) throws IOException {
        JobContext context = few(root.resolve("a"), GROUPS, "");
        assertThat(dataFiles(context))
                .singleElement()
                .satisfies(file -> assertThat(file.hasPageIndex()).isFalse())
                .satisfies(file -> assertThat(file.rowGroups()).isEqualTo(3));
        assertThat(dataFiles(context(root.resolve("b"), input, "{rewrite: none, " + TENSORS + "}")))
                .isNotEmpty()
                .allMatch(PreparedFrame.DataFile::hasPageIndex);
        assertThat(lanes(export(context, Export.Reading.CHOSEN)))
                .isNotEmpty()
                .isEqualTo(lanes(export(few(root.resolve("c"), GROUPS, ""), Export.Reading.SCAN)));
    }

    private static List<PreparedFrame.DataFile> dataFiles(JobContext context) {
        return PreparedFrame.open(context, Prepare.run(context)).dataFiles();
    }

    /** A job that plans 8 rows. */
    private JobContext few(Path root, Path source, String more) {
        String yaml = "dataset: d\nroot: '" + root + "'\nsources: {t: {parquet: '" + source + "'}}\nprepare: none\n"
                + "sample: {train: {batch: 4, lanes: 2, rows: 8" + more + "}}\n";
        return JobContext.of(
                spark, JobFile.read("few.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()), Progress.NONE);
    }

    @Test
    void wrongValue_ofARowThatIsNotPlanned_isRefusedByNeitherReading(@TempDir Path root) throws IOException {
        Path table = root.resolve("in");
        spark.range(0, 400, 1, 1)
                .selectExpr("id", "array(id, CASE WHEN id <> 77 THEN -id END) AS pair")
                .write()
                .parquet(table.toString());
        String without = ", where: id < 100 AND id <> 77";
        assertThat(lanes(export(few(root.resolve("a"), table, without), Export.Reading.CHOSEN)))
                .isNotEmpty()
                .isEqualTo(lanes(export(few(root.resolve("b"), table, without), Export.Reading.SCAN)));
        for (Export.Reading reading : Export.Reading.values()) {
            Path other = root.resolve("with " + reading);
            assertThatThrownBy(() -> export(few(other, table, ", where: id >= 76 AND id < 84"), reading))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("row 77")
                    .hasMessageContaining("null inside the list");
        }
    }

    @Test
    void columns_namedAsAddressesOfRows_areExported(@TempDir Path root) throws IOException {
        Path table = root.resolve("in");
        spark.range(0, 2000)
                .selectExpr("id", "cast(id % 10 as int) AS level", "-id AS _file", "id * 2 AS _row", "id * 3 AS _INDEX")
                .write()
                .parquet(table.toString());
        // Those of a written table have checksums.
        Version written = export(context(root.resolve("a"), table, "{" + QUERY + "}"), Export.Reading.CHOSEN);
        Version version = export(context(root.resolve("b"), table, "{rewrite: none}"), Export.Reading.CHOSEN);
        assertThat(lanes(version)).isNotEmpty().isEqualTo(lanes(written));
    }

    @Test
    void file_changed_isNamedAndNextRunPlansAgain(@TempDir Path root) throws IOException {
        Path own = root.resolve("in");
        PipelineRun.table(spark, own, 1);
        JobContext context = context(root.resolve("out"), own, "{rewrite: none, " + TENSORS + "}");
        PreparedTable table = Prepare.run(context);
        Plan plan = Sample.run(context, table);
        Path file = files(own).get(1);
        FaultPoints.watch(name -> {
            if (name.equals("export.after-units")) {
                touch(file);
            }
        });
        assertThatThrownBy(() -> Export.run(context, table, plan))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining(file.getFileName().toString())
                .hasMessageContaining("changed while the job read it");
        FaultPoints.watch(null);

        Path other = root.resolve("other");
        PipelineRun.table(spark, other, 2);
        Files.copy(files(other).get(1), file, StandardCopyOption.REPLACE_EXISTING);
        // Hadoop's checksums of what it was.
        Files.delete(file.resolveSibling("." + file.getFileName() + ".crc"));
        assertThatThrownBy(() -> Export.run(context, table, plan))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("t/" + file.getFileName() + " changed since prepared table " + table.id());
        assertThat(root.resolve("out/d/versions")).satisfies(InPlaceIT::isWithoutManifest);

        Notes notes = new Notes();
        PreparedTable again = Prepare.run(JobContext.of(spark, context.job(), notes));
        assertThat(notes.lines())
                .anyMatch(note -> note.contains("not the files of prepared table " + table.id())
                        && note.endsWith(": t/" + file.getFileName() + " changed"));
        assertThat(again.id()).isNotEqualTo(table.id());
        Export.run(context, again, Sample.run(context, again));
    }

    @Test
    void listOrKey_wrongInPlace_isNamed(@TempDir Path root) {
        String wrong = "{rewrite: none, tensors: {tokens: {dtype: int32, shape: [3]}, box: {shape: [null, 2]}}}";
        assertThatThrownBy(() -> export(context(root, input, wrong), Export.Reading.SCAN))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("t/part-")
                .hasMessageContaining("column 'tokens'");
        assertThatThrownBy(() ->
                        Prepare.run(context(root, input, "{rewrite: none, key: [level], " + PipelineRun.TENSORS + "}")))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("duplicate key");
        assertThatThrownBy(() ->
                        Prepare.run(context(root, input, "{rewrite: none, key: [tag], " + PipelineRun.TENSORS + "}")))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("'tag' is null");
    }

    private static Version export(JobContext context, Export.Reading reading) {
        return PipelineRun.run(context, reading);
    }

    private JobContext context(Path root, Path source, String prepare, String... set) {
        return PipelineRun.context(spark, root, source, prepare, set);
    }

    private static SortedMap<String, String> lanes(Version version) throws IOException {
        SortedMap<String, String> lanes = new TreeMap<>(
                PreparedFixture.digests(Path.of(version.path().toUri().getPath())));
        lanes.keySet().removeIf(name -> !name.startsWith("lanes/"));
        return lanes;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("part-"))
                    .sorted()
                    .toList();
        }
    }

    private static void touch(Path file) {
        try {
            Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void isWithoutManifest(Path versions) {
        try (Stream<Path> files = Files.walk(versions)) {
            assertThat(files).noneMatch(file -> file.endsWith(Manifest.FILE_NAME));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
