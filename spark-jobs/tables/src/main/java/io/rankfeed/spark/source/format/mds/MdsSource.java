package io.rankfeed.spark.source.format.mds;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.job.SourceSection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.format.FormatSource;
import io.rankfeed.spark.source.open.OpenSource;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/** A folder with {@code index.json} and the shards that it lists. */
public final class MdsSource {
    private static final String INDEX = "index.json";
    private static final int MAX_JSON_BYTES = 256 << 20;

    private MdsSource() {}

    /** @throws ConfigException if the folder has no index */
    public static OpenSource open(
            SparkSession spark, Configuration conf, String name, SourceSection section, OnBadRow onBadRow) {
        SourceFiles folder = new SourceFiles(name, section.location(), conf);
        Path index = new Path(folder.root(), INDEX);
        byte[] json = Storage.read(Storage.of(index, conf), index, MAX_JSON_BYTES)
                .orElseThrow(() -> new ConfigException("sources." + name + ": " + folder.root() + " has no " + INDEX
                        + "; name the folder of one split"));
        List<SourceFile> found = folder.list(file -> true);
        MdsFormat format = MdsFormat.of(StrictJson.parse(json, index.toString()), index.toString(), found);
        List<SourceFile> files = found.stream().filter(format::reads).toList();
        if (files.isEmpty()) {
            throw new ConfigException(index + " lists no shards");
        }
        return FormatSource.open(spark, conf, name, section, FileFormat.MDS, format, onBadRow, files);
    }
}
