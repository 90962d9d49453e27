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
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/** A folder of files: {@code path STRING} below the folder, {@code length BIGINT}, {@code content BINARY}. */
final class BinarySource {
    private BinarySource() {}

    static OpenSource open(SparkSession spark, Configuration conf, String name, SourceSection section) {
        SourceFiles folder = new SourceFiles(name, section.location(), conf);
        String glob = section.glob().orElse("*");
        GlobPattern pattern = new GlobPattern(glob);
        List<SourceFile> files = folder.listForSpark(pattern::matches);
        if (files.isEmpty()) {
            throw new ConfigException("sources." + name + ": no file in " + folder.root() + " matches " + glob);
        }
        Dataset<Row> raw = SourceFiles.reader(spark)
                .format("binaryFile")
                .option("pathGlobFilter", glob)
                .option("recursiveFileLookup", "true")
                .load(folder.root().toString());
        String root = RowAddress.canonical(folder.root().toUri());
        UDF1<String, String> relative = file -> relative(root, RowAddress.canonical(file));
        Column address = functions.col("_metadata.file_path");
        Dataset<Row> rows = raw.select(
                functions.udf(relative, DataTypes.StringType).apply(address).as("path"),
                functions.col("length"),
                functions.col("content"),
                address.as(RowAddress.FILE),
                functions.lit(0L).as(RowAddress.ROW));
        FolderInput identity = new FolderInput(FileFormat.BINARY, name, ContentDigests.of(spark, conf, files));
        return new OpenSource(name, SourceColumns.chosen(name, rows, section), true, identity, files);
    }

    private static String relative(String root, String file) {
        return file.startsWith(root + "/")
                ? file.substring(root.length() + 1)
                : file.substring(file.lastIndexOf('/') + 1);
    }
}
