package io.rankfeed.spark.source;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Input.DeltaInput;
import io.rankfeed.spark.job.SourceSection;
import io.rankfeed.spark.run.Columns;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A Delta table at one version: the one that is written, else the latest, which is then recorded. Its rows have no
 * address, so the job needs a key.
 */
final class DeltaSource {
    private static final String EXTENSION = "io.delta.sql.DeltaSparkSessionExtension";

    private DeltaSource() {}

    static OpenSource open(SparkSession spark, Configuration conf, String name, SourceSection section) {
        if (!spark.conf().get("spark.sql.extensions", "").contains(EXTENSION)) {
            throw new ConfigException("sources." + name + ": Delta is not set up in this Spark; submit with"
                    + " --packages io.delta:delta-spark_4.2_2.13:4.4.0 (or its jars) and --conf spark.sql.extensions="
                    + EXTENSION
                    + " --conf spark.sql.catalog.spark_catalog=org.apache.spark.sql.delta.catalog.DeltaCatalog");
        }
        SourceFiles folder = new SourceFiles(name, section.location(), conf);
        String path = folder.root().toString();
        String quoted = "delta." + Columns.quoted(path);
        try {
            long latest = spark.sql("DESCRIBE HISTORY " + quoted + " LIMIT 1")
                    .select("version")
                    .first()
                    .getLong(0);
            long version = section.version().orElse(latest);
            if (version > latest) {
                throw new ConfigException(
                        "sources." + name + ".version: " + version + " is not there; the latest is " + latest);
            }
            String table =
                    spark.sql("DESCRIBE DETAIL " + quoted).select("id").first().getString(0);
            Dataset<Row> rows =
                    spark.read().format("delta").option("versionAsOf", version).load(path);
            // The data files of the version; the table's folder holds those of others, too.
            List<SourceFile> files = SourceFiles.among(folder.list(file -> true), rows.inputFiles());
            // Delta tells no row's index in its file, which deletion vectors would unsettle anyway.
            return new OpenSource(
                    name,
                    SourceColumns.chosen(name, rows, section),
                    false,
                    new DeltaInput(name, version, table),
                    files);
        } catch (Exception e) {
            // Scala throws the checked AnalysisException unannounced.
            throw unreadable(name, path, e);
        }
    }

    private static RuntimeException unreadable(String name, String path, Exception e) {
        RuntimeException known = SparkFailures.translated(e);
        boolean delta =
                e instanceof AnalysisException || String.valueOf(e.getMessage()).contains("DELTA_");
        return delta
                ? new ConfigException(
                        "sources." + name + ": " + path + " cannot be read as a Delta table: "
                                + SparkFailures.firstLine(e),
                        e)
                : known;
    }
}
