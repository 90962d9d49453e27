package io.rankfeed.spark.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rankfeed.job.JobFile;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real inputs from outside the tree; skipped where they are not. */
class SharedInputsIT {
    private static final Path DATA =
            Path.of("..", "..", "shared", "data").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    @BeforeEach
    void inputsAreThere() {
        assumeTrue(Files.isDirectory(DATA), "no shared inputs at " + DATA);
    }

    /** What each of Apache's broken files comes to; what a reader may make of them is in their own README. */
    @ParameterizedTest
    @CsvSource({
        "ARROW-GH-41317, refused",
        "ARROW-GH-43605, read",
        "ARROW-GH-47662, refused",
        "PARQUET-1481, refused",
    })
    @Timeout(300)
    void brokenParquet_isNamedOrReadWhole(String name, String outcome) {
        Path file = DATA.resolve("parquet-bad").resolve(name + ".parquet");
        String got;
        try {
            PreparedTable table = prepare("  t: {parquet: '" + file + "'}", "select: {from: t}", "[]");
            assertThat(table.manifest().rows()).isPositive();
            got = "read";
        } catch (CorruptDataException e) {
            assertThat(e.getMessage()).contains(name + ".parquet");
            got = "refused";
        }
        assertThat(got).isEqualTo(outcome);
    }

    @Test
    void gzippedJsonLines_becomeRowsOfTheirFile() {
        String source = "  t: {jsonl: '" + DATA.resolve("humaneval/HumanEval.jsonl.gz") + "'}";
        PreparedTable table =
                prepare(source, "select: {from: t, columns: [task_id, prompt, entry_point]}", "[task_id]");
        assertThat(table.manifest().rows()).isEqualTo(164);
        assertThat(table.manifest().sources()).containsExactly("t/HumanEval.jsonl.gz");
    }

    @Test
    void products_joinedWithThumbnails_fillBlocksOfAMebibyte() {
        String sources = "  c: {parquet: '" + DATA.resolve("products/products.parquet") + "'}\n  t: {binary: '"
                + DATA.resolve("products/thumbnails") + "', glob: '*.jpg'}";
        String sql = "sql: SELECT c.id, c.title, t.content AS image FROM c JOIN t ON t.path = concat(c.handle, '.jpg')";
        PreparedTable table = prepare(sources, sql, "[id]");
        assertThat(table.manifest().rows()).isEqualTo(2765);
        List<ArtifactFile> data = table.manifest().files().stream()
                .filter(file -> file.rows().isPresent())
                .toList();
        long full = data.size() - 1L;
        assertThat(full).isGreaterThanOrEqualTo(20);
        long bytes = data.stream().limit(full).mapToLong(ArtifactFile::bytes).sum();
        assertThat(data).allMatch(file -> file.bytes() <= 1 << 20);
        assertThat((double) bytes / full / (1 << 20)).isGreaterThanOrEqualTo(0.95);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.4.0", "0.7.0"})
    void oldPetastormDatasets_becomeTensors(String version) {
        String source = "  t: {petastorm: '" + DATA.resolve("petastorm").resolve(version) + "'}";
        String sql =
                "sql: SELECT id, partition_key, python_primitive_uint8, CAST(decimal AS DOUBLE) AS decimal, matrix,"
                        + " matrix_uint16, matrix_nullable, image_png, array_join(sensor_name, ' ') AS sensor_name FROM t";
        PreparedTable table = prepare(source, sql, "[id]");
        SampleSchema schema = table.manifest().schema();
        assertThat(table.manifest().rows()).isPositive();
        assertThat(schema.field("partition_key").dtype()).isEqualTo(DType.STRING);
        assertThat(schema.field("python_primitive_uint8").dtype()).isEqualTo(DType.INT16);
        Shape shape = Shape.of(32, 16, 3);
        assertThat(schema.field("matrix")).isEqualTo(new Field("matrix", DType.FLOAT32, shape, false));
        assertThat(schema.field("matrix_uint16")).isEqualTo(new Field("matrix_uint16", DType.UINT16, shape, false));
        assertThat(schema.field("image_png")).isEqualTo(new Field("image_png", DType.UINT8, shape, false));
        assertThat(table.manifest().sources()).anyMatch(file -> file.startsWith("t/partition_key=p_0/"));
    }

    private PreparedTable prepare(String sources, String query, String key) {
        SparkSession spark = LocalSpark.session(2);
        String yaml = "dataset: d\nroot: '" + folder + "'\nsources:\n" + sources + "\nprepare:\n  " + query
                + "\n  block: 1 MiB\n  key: " + key + "\n";
        return Prepare.run(JobContext.of(
                spark, JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()), Progress.NONE));
    }
}
