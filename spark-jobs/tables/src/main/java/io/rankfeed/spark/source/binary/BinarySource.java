package io.rankfeed.spark.source.binary;

import io.rankfeed.job.SourceSection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.schema.manifest.Input.FolderInput;
import io.rankfeed.spark.engine.InputChanges;
import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.file.ContentDigests;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.open.ExpectedRows;
import io.rankfeed.spark.source.open.OpenSource;
import io.rankfeed.spark.source.open.SourceColumns;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.GlobPattern;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A folder of files: {@code path STRING} below the folder, {@code length BIGINT}, {@code content BINARY}. */
public final class BinarySource {
    private BinarySource() {}

    public static OpenSource open(SparkSession spark, Configuration conf, String name, SourceSection section) {
        SourceFiles folder = new SourceFiles(name, section.location(), conf);
        String glob = section.glob().orElse("*");
        GlobPattern pattern = new GlobPattern(glob);
        List<SourceFile> files = folder.list(pattern::matches);
        if (files.isEmpty()) {
            throw new ConfigException("sources." + name + ": no file in " + folder.root() + " matches " + glob);
        }
        Dataset<Row> rows = spark.baseRelationToDataFrame(new BinaryFiles(spark, conf, name, files));
        FolderInput identity = InputChanges.blaming(
                files, conf, () -> new FolderInput(FileFormat.BINARY, name, ContentDigests.of(spark, conf, files)));
        Map<String, Long> oneEach = files.stream().collect(Collectors.toMap(SourceFile::canonical, file -> 1L));
        return new OpenSource(name, SourceColumns.chosen(name, rows, section), true, identity, files)
                .expecting(new ExpectedRows(rows, oneEach));
    }
}
