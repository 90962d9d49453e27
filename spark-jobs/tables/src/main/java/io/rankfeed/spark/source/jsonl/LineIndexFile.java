package io.rankfeed.spark.source.jsonl;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.schema.digest.Xxh64;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.spark.file.SourceFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * The index of a source file's lines, kept among the dataset's files: made in one pass, found by every later job as
 * long as the file has the same length and modification time. Losing it costs that pass.
 */
public final class LineIndexFile {
    private static final long MAX_BYTES = 1L << 30;

    private final Path path;
    private final byte[] bytes;

    private LineIndexFile(Path path, byte[] bytes) {
        this.path = path;
        this.bytes = bytes;
    }

    /** Finds the index, or reads the file where the executors are. */
    public static LineIndex open(
            SparkSession spark, Configuration conf, Path folder, SourceFile file, List<LineIndexFile> made) {
        byte[] name = file.canonical().getBytes(StandardCharsets.UTF_8);
        Path path = new Path(folder, String.format(Locale.ROOT, "%016x.lines", Xxh64.hash(name, 0)));
        FileSystem fs = Storage.of(path, conf);
        Optional<LineIndex> kept = Storage.read(fs, path, MAX_BYTES)
                .flatMap(bytes -> LineIndex.parse(bytes, file.lengthBytes(), file.modifiedMillis()));
        if (kept.isPresent()) {
            return kept.get();
        }
        String source = file.path().toString();
        long modified = file.modifiedMillis();
        TaskConfiguration hadoop = new TaskConfiguration(conf);
        byte[] bytes = JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(List.of(source), 1)
                .map(at -> scan(at, hadoop.value()).toBytes(modified))
                .collect()
                .get(0);
        made.add(new LineIndexFile(path, bytes));
        return LineIndex.parse(bytes, file.lengthBytes(), modified)
                .orElseThrow(() -> new EnvironmentException(
                        source + " changed while the job read it; run the job again when its inputs no longer change"));
    }

    /** Puts it in place, over an older one. */
    public void keep(Configuration conf) {
        Storage.replace(Storage.of(path, conf), path, bytes, "index");
    }

    private static LineIndex scan(String source, Configuration conf) {
        Path path = new Path(source);
        try (InputStream in = Storage.of(path, conf).open(path)) {
            return LineIndex.scan(source, in);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + source, e), e);
        }
    }
}
