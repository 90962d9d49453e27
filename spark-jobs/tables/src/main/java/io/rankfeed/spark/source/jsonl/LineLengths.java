package io.rankfeed.spark.source.jsonl;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.StorageFailures;
import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.export.parquet.DamagedContent;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.spark.file.FileTasks;
import io.rankfeed.spark.file.SourceFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Checks the lengths of lines in files of Spark's own readers, which hold a line of any length in memory. */
public final class LineLengths {
    private LineLengths() {}

    /**
     * Reads the files to their ends, decompressed as Hadoop does by their names.
     *
     * @throws CorruptDataException if a line is longer than lines may be
     */
    public static void refuseTooLong(SparkSession spark, Configuration conf, List<SourceFile> files) {
        TaskConfiguration hadoop = new TaskConfiguration(conf);
        List<List<String>> tasks = FileTasks.of(files).stream()
                .map(task -> task.stream().map(file -> file.path().toString()).toList())
                .toList();
        JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(tasks, Math.max(1, tasks.size()))
                .foreach(task -> task.forEach(file -> refuseTooLong(file, hadoop.value())));
    }

    private static void refuseTooLong(String file, Configuration conf) {
        Path path = new Path(file);
        CompressionCodec codec = new CompressionCodecFactory(conf).getCodec(path);
        try (InputStream raw = Storage.of(path, conf).open(path);
                BoundedLines lines = new BoundedLines(
                        codec == null ? raw : codec.createInputStream(raw), JsonlLines.MAX_LINE_BYTES)) {
            for (long number = 1; lines.next(); number++) {
                if (lines.isTooLong()) {
                    throw JsonlLines.Line.tooLong(file + ":" + number, lines.lengthBytes());
                }
            }
        } catch (IOException e) {
            boolean isCorrupted = e instanceof EOFException || DamagedContent.isDecoders(e);
            throw isCorrupted && !StorageFailures.isUnavailable(e)
                    ? new CorruptDataException(file, "cannot be read: " + DamagedContent.why(e), e)
                    : new EnvironmentException(IoReason.of("cannot read " + file, e), e);
        }
    }
}
