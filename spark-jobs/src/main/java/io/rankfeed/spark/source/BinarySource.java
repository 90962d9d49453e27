package io.rankfeed.spark.source;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.schema.manifest.Input.FolderInput;
import io.rankfeed.spark.job.SourceSection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.GlobPattern;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/** A folder of files: {@code path STRING} below the folder, {@code length BIGINT}, {@code content BINARY}. */
final class BinarySource {
    private BinarySource() {}

    static OpenSource open(SparkSession spark, Configuration conf, String name, SourceSection section) {
        SourceFiles folder = new SourceFiles(name, section.location(), conf);
        String glob = section.glob().orElse("*");
        GlobPattern pattern = new GlobPattern(glob);
        List<SourceFile> files = folder.list(pattern::matches);
        if (files.isEmpty()) {
            throw new ConfigException("sources." + name + ": no file in " + folder.root() + " matches " + glob);
        }
        Dataset<Row> raw = spark.read()
                .format("binaryFile")
                .option("pathGlobFilter", glob)
                .option("recursiveFileLookup", "true")
                .load(folder.root().toString());
        int prefix = folder.root().toUri().getPath().length() + 1;
        // Spark writes "file:/a/b" where the root is "file:/a": cut after the root's own path.
        Column path = functions.expr("substring(path, locate('"
                + folder.root().toUri().getPath().replace("'", "\\'") + "/', path) + " + prefix + ")");
        Dataset<Row> rows = raw.select(
                path.as("path"),
                functions.col("length"),
                functions.col("content"),
                functions.col("path").as(RowAddress.FILE),
                functions.lit(0L).as(RowAddress.ROW));
        FolderInput identity = new FolderInput(
                FileFormat.BINARY,
                name,
                files.parallelStream().map(folder::digested).toList());
        return new OpenSource(name, SourceColumns.chosen(name, rows, section), true, identity, files);
    }
}
