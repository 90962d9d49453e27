package io.rankfeed.spark.run;

import io.rankfeed.job.JobFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.spark.sql.SparkSession;

/** Inputs of a job, of each kind; their files are read through {@link WatchedFs}. */
enum DrawnInput {
    PARQUET,
    IN_PLACE,
    JSONL,
    GZIP,
    METADATA,
    BINARY,
    LIST,
    TEXT_LIST;

    private static final int ROWS = 120;

    JobContext context(SparkSession spark, Path root) {
        Path in = root.resolve("in");
        String location = "watched:" + in;
        String sources =
                switch (this) {
                    case PARQUET, IN_PLACE -> "{parquet: '" + location + "'}";
                    case JSONL, GZIP -> "{jsonl: '" + location + "'}";
                    case METADATA -> "{jsonl: '" + location + "/a.jsonl', metadata: '" + location + "/metadata.json'}";
                    case BINARY -> "{binary: '" + location + "'}";
                    case LIST, TEXT_LIST -> "{parquet: '" + root.resolve("table") + "'}";
                };
        String query = this == IN_PLACE ? "rewrite: none" : "sql: SELECT * FROM t";
        String list =
                switch (this) {
                    case LIST -> ", list: {parquet: '" + location + "', of: key}, order: planned";
                    case TEXT_LIST -> ", list: {text: '" + location + "/list.txt', of: key}, order: planned";
                    default -> "";
                };
        String key = this == BINARY ? "[path]" : "[id]";
        String yaml = "dataset: d\nroot: '" + root + "/out'\nsources:\n  t: " + sources + "\nprepare: {" + query
                + ", key: " + key + "}\nsample: {train: {batch: 4, lanes: 2, seed: 1" + list + "}}\n";
        return JobContext.of(
                spark, JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()), Progress.NONE);
    }

    /** @return the files of the source */
    List<Path> write(SparkSession spark, Path root) throws IOException {
        Path in = Files.createDirectories(root.resolve("in"));
        String lines = IntStream.range(0, ROWS)
                .mapToObj(i -> "{\"id\": " + i + ", \"text\": \"line " + i + "\"}\n")
                .collect(Collectors.joining());
        switch (this) {
            case PARQUET, IN_PLACE -> table(spark, in);
            case JSONL -> {
                Files.writeString(in.resolve("a.jsonl"), lines);
                Files.writeString(in.resolve("b.jsonl"), "{\"id\": 1000, \"text\": \"last\"}\n");
            }
            case GZIP -> {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
                    out.write(lines.getBytes(StandardCharsets.UTF_8));
                }
                Files.write(in.resolve("a.jsonl.gz"), bytes.toByteArray());
            }
            case METADATA -> {
                Files.writeString(in.resolve("a.jsonl"), lines);
                Files.writeString(
                        in.resolve("metadata.json"),
                        "{\"metadata\": "
                                + IntStream.range(0, ROWS)
                                        .mapToObj(i -> "{\"level\": " + i % 3 + "}")
                                        .toList() + "}");
            }
            case BINARY -> {
                for (int i = 0; i < 5; i++) {
                    Files.writeString(in.resolve(i + ".bin"), "content " + i);
                }
            }
            case LIST -> {
                table(spark, root.resolve("table"));
                spark.range(0, 40, 1, 1)
                        .selectExpr("id")
                        .write()
                        .mode("overwrite")
                        .parquet(in.toString());
            }
            case TEXT_LIST -> {
                table(spark, root.resolve("table"));
                Files.writeString(
                        in.resolve("list.txt"),
                        IntStream.range(0, 40).mapToObj(i -> i + "\n").collect(Collectors.joining()));
            }
        }
        try (Stream<Path> files = Files.list(in)) {
            return files.filter(file -> !file.getFileName().toString().startsWith(".")
                            && !file.getFileName().toString().startsWith("_")
                            && !file.endsWith("metadata.json"))
                    .sorted()
                    .toList();
        }
    }

    private static void table(SparkSession spark, Path folder) {
        spark.range(0, ROWS, 1, 2)
                .selectExpr("id", "concat('text ', id) AS text", "cast(id % 5 as int) AS level")
                .write()
                .mode("overwrite")
                .option("parquet.block.size", 1000)
                .parquet(folder.toString());
    }
}
