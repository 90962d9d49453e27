package io.rankfeed.spark.engine.parquet;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.file.SourceFile;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.streaming.runtime.MetadataLogFileIndex;
import org.apache.spark.sql.execution.streaming.sinks.FileStreamSink;
import scala.Option;
import scala.collection.immutable.Map$;

/** The folder of a streaming query of Spark: its log names the files that the query committed. */
public final class StreamedFiles {
    private StreamedFiles() {}

    /**
     * Refuses files that are not in the log of a folder: failed tasks leave such files, and Spark does not read them.
     *
     * @param location of the source; without a log nothing is checked
     * @throws ConfigException naming the first such file
     */
    public static void refuseOthers(
            SparkSession spark, String source, Path location, List<SourceFile> files, Configuration conf) {
        Path log = new Path(location, FileStreamSink.metadataDir());
        try {
            if (!Storage.of(log, conf).exists(log)) {
                return;
            }
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + log, e), e);
        }
        Set<SourceFile> committed = new HashSet<>(SourceFiles.among(
                files, new MetadataLogFileIndex(spark, location, Map$.MODULE$.empty(), Option.empty()).inputFiles()));
        files.stream().filter(file -> !committed.contains(file)).findFirst().ifPresent(other -> {
            throw new ConfigException("sources." + source + ": " + other.path() + " is not in " + log
                    + ", the log of the streaming query that wrote the folder: no batch committed it, and Spark does not"
                    + " read it; move it to another folder");
        });
    }
}
