package io.rankfeed.spark.file;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.manifest.Input.InputFile;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Identities of files by their whole content. */
public final class ContentDigests {
    /** The number of bytes up to which the driver reads files itself; executors read more than this. */
    private static final long DRIVER_BYTES = 64L << 20;

    private ContentDigests() {}

    /** Returns the digests in the order of the files. */
    public static List<InputFile> of(SparkSession spark, Configuration conf, List<SourceFile> files) {
        return of(spark, conf, files, DRIVER_BYTES);
    }

    /** @param driverBytes at most so many are read by the driver itself */
    public static List<InputFile> of(SparkSession spark, Configuration conf, List<SourceFile> files, long driverBytes) {
        List<String> paths = files.stream().map(file -> file.path().toString()).toList();
        List<String> digests;
        if (files.stream().mapToLong(SourceFile::lengthBytes).sum() <= driverBytes) {
            digests = paths.parallelStream().map(path -> digest(path, conf)).toList();
        } else {
            TaskConfiguration hadoop = new TaskConfiguration(conf);
            List<List<String>> tasks = FileTasks.of(files).stream()
                    .map(task ->
                            task.stream().map(file -> file.path().toString()).toList())
                    .toList();
            digests = JavaSparkContext.fromSparkContext(spark.sparkContext())
                    .parallelize(tasks, tasks.size())
                    .flatMap(task -> task.stream()
                            .map(path -> digest(path, hadoop.value()))
                            .iterator())
                    .collect();
        }
        List<InputFile> identities = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            SourceFile file = files.get(i);
            identities.add(new InputFile(file.relative(), file.lengthBytes(), digests.get(i)));
        }
        return identities;
    }

    private static String digest(String path, Configuration conf) {
        Path file = new Path(path);
        try (InputStream in = Storage.of(file, conf).open(file)) {
            return Sha256.hex(in);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + path, e), e);
        }
    }
}
