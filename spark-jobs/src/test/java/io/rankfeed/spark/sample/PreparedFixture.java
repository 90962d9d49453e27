package io.rankfeed.spark.sample;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.job.Job;
import io.rankfeed.job.JobFile;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Contents;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.run.SharedTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.Utils;
import org.jspecify.annotations.Nullable;

/** A small prepared table of three files, and the sessions and jobs to sample and export it. */
public final class PreparedFixture {
    public static final int ROWS = 3000;
    public static final int FILE_ROWS = 1100;
    static final String DATASET = "t";

    /** The table, once a test of this JVM has had it written. */
    private static @Nullable Path written;

    private PreparedFixture() {}

    /** A session of the shared context that cuts its inputs into several tasks. */
    public static SparkSession session() {
        return LocalSpark.session(
                3,
                "spark.sql.files.maxPartitionBytes",
                Long.toString(400_000L / 3),
                "spark.sql.files.openCostInBytes",
                "1000");
    }

    /** Puts the table below the root; it is written by the first test that wants it, and copied for the others. */
    public static synchronized PreparedTable write(SparkSession spark, Path root) throws IOException {
        Path folder = written;
        if (folder == null) {
            Path base = Files.createTempDirectory("prepared-fixture");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> Utils.deleteRecursively(base.toFile())));
            folder = writeFiles(spark, base);
            written = folder;
        }
        Path copy = root.resolve(DATASET).resolve("prepared").resolve(folder.getFileName());
        SharedTables.copy(folder, copy);
        return open(copy);
    }

    /** Writes the table below the root, file by file; returns its folder. */
    private static Path writeFiles(SparkSession spark, Path root) throws IOException {
        ObjectNode job = JsonNodeFactory.instance.objectNode().put("sql", "SELECT * FROM t");
        List<Input> inputs = List.of(new Input.FolderInput(
                Input.FileFormat.PARQUET, "t", List.of(new Input.InputFile("a.parquet", 1, "a".repeat(64)))));
        String id = Manifest.idOf(ArtifactFormat.PREPARED, job, inputs);
        Path folder = root.resolve(DATASET).resolve("prepared").resolve(id);
        Files.createDirectories(folder.resolve("data"));
        List<ArtifactFile> files = new ArrayList<>();
        List<String> sources = new ArrayList<>();
        for (int from = 0; from < ROWS; from += FILE_ROWS) {
            int file = from / FILE_ROWS;
            int first = from;
            List<Row> rows = IntStream.range(from, Math.min(ROWS, from + FILE_ROWS))
                    .mapToObj(n -> new TableRow(n).row(file, n - first))
                    .toList();
            Path scratch = root.resolve("scratch-" + file);
            spark.createDataFrame(rows, TableRow.SPARK).coalesce(1).write().parquet(scratch.toString());
            String path = String.format("data/part-%05d-00000.parquet", file);
            try (Stream<Path> written = Files.list(scratch)) {
                Path part = written.filter(p -> p.getFileName().toString().startsWith("part-"))
                        .findFirst()
                        .orElseThrow();
                Files.move(part, folder.resolve(path));
            }
            files.add(ArtifactFile.of(
                    path, Files.size(folder.resolve(path)), Sha256.hex(folder.resolve(path)), rows.size()));
            sources.add("t/file-" + file + ".parquet");
        }
        Manifest manifest = new Manifest.Prepared(
                new Contents(DATASET, job, inputs, ROWS, files), TableRow.SCHEMA, sources, Map.of(), Map.of());
        Files.write(folder.resolve("manifest.json"), ManifestJson.toBytes(manifest));
        return folder;
    }

    public static PreparedTable open(Path folder) throws IOException {
        byte[] bytes = Files.readAllBytes(folder.resolve("manifest.json"));
        return new PreparedTable(
                new org.apache.hadoop.fs.Path(folder.toUri()),
                (Manifest.Prepared) ManifestJson.parse(bytes, "manifest.json"),
                Sha256.hex(bytes));
    }

    /** A job over the table, its sample section (and what follows it) given. */
    public static Job job(Path root, String sample) {
        String yaml = String.join(
                "\n",
                "dataset: " + DATASET,
                "root: " + root,
                "sources: {t: {parquet: nowhere}}",
                "prepare: {sql: SELECT * FROM t, key: [id]}",
                sample);
        return JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of());
    }

    public static JobContext context(SparkSession spark, Path root, String sample) {
        return JobContext.of(spark, job(root, sample), Progress.NONE);
    }

    /** Digest of every file below a folder. */
    public static SortedMap<String, String> digests(Path folder) throws IOException {
        SortedMap<String, String> digests = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                digests.put(folder.relativize(file).toString(), Sha256.hex(file));
            }
        }
        return digests;
    }
}
