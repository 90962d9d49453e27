package io.rankfeed.spark.run;

import io.rankfeed.job.Job;
import io.rankfeed.job.SourceSection.Kind;
import io.rankfeed.schema.failure.ConfigException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;

/** The Spark session of a command. Master and memory are the submitter's; only what the command needs is added. */
public final class Sessions {
    /** The extensions that a session may need in addition to plain Spark. */
    public enum Need {
        DELTA,
        HIVE
    }

    private static final String EXTENSIONS = "spark.sql.extensions";
    private static final String DELTA = "io.delta.sql.DeltaSparkSessionExtension";
    private static final String FATAL = "spark.executor.killOnFatalError.depth";
    private static final String CATALOG = "spark.sql.catalog.spark_catalog";

    /**
     * The settings by which Spark's own reader of tables excludes rows by statistics. Those of Parquet know no NaN, and in those
     * of ORC -0.0 is less than 0.0.
     */
    private static final List<String> PUSHDOWN =
            List.of("spark.sql.parquet.filterPushdown", "spark.sql.orc.filterPushdown");

    /**
     * The settings that decide a query's result and are in no identity. They are the same for every submitter and
     * machine.
     */
    private static final Map<String, String> FIXED = Map.ofEntries(
            Map.entry("spark.sql.session.timeZone", "UTC"),
            Map.entry("spark.sql.timestampType", "TIMESTAMP_LTZ"),
            Map.entry("spark.sql.ansi.enabled", "true"),
            Map.entry("spark.sql.caseSensitive", "false"),
            Map.entry("spark.sql.mapKeyDedupPolicy", "EXCEPTION"),
            Map.entry("spark.sql.legacy.timeParserPolicy", "CORRECTED"),
            Map.entry("spark.sql.sources.partitionColumnTypeInference.enabled", "true"),
            Map.entry("spark.sql.parquet.binaryAsString", "false"),
            Map.entry("spark.sql.parquet.mergeSchema", "false"),
            // parquet-java 1.17 can lose the last page that a condition selects: see RowRuns. Spark uses its reader
            // if a session or a column's type excludes the vectorized reader.
            Map.entry("parquet.filter.columnindex.enabled", "false"),
            // What it brings without compression, Spark 4.2's vectorized reader of DELTA_BYTE_ARRAY gives as other
            // bytes.
            Map.entry("parquet.hadoop.vectored.io.enabled", "false"),
            Map.entry("spark.sql.files.ignoreCorruptFiles", "false"),
            Map.entry("spark.sql.files.ignoreMissingFiles", "false"));

    /**
     * The initial wait of an HDFS client, and its number of retries, while the last block of a file is being reported:
     * 400 ms and 5 by default, which is most of the time of writing a small file. The total wait stays the same.
     */
    private static final Map<String, String> HDFS = Map.of(
            "spark.hadoop.dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "13",
            "spark.hadoop.dfs.client.block.write.locateFollowingBlock.retries", "10");

    private Sessions() {}

    /**
     * @param name of the application, where the submitter chose none
     * @throws ConfigException if nobody said where Spark runs, or where the metastore is that is needed
     */
    public static SparkSession of(String name, SparkConf conf, Set<Need> needs) {
        if (!conf.contains("spark.master")) {
            throw new ConfigException("no Spark master: start this through spark-submit, or ./rankfeed");
        }
        SparkSession.Builder builder = SparkSession.builder();
        if (!conf.contains("spark.app.name") || conf.get("spark.app.name").startsWith("io.rankfeed")) {
            builder.appName(name);
        }
        if (needs.contains(Need.DELTA) && !conf.contains(EXTENSIONS) && !conf.contains(CATALOG) && isThere(DELTA)) {
            builder.config(EXTENSIONS, DELTA).config(CATALOG, "org.apache.spark.sql.delta.catalog.DeltaCatalog");
        }
        if (needs.contains(Need.HIVE) && SparkSession.getDefaultSession().isEmpty()) {
            Metastore.refuseUnlessNamed(conf);
        }
        HDFS.forEach((key, value) -> {
            if (!conf.contains(key)) {
                builder.config(key, value);
            }
        });
        String master = conf.get("spark.master");
        if ((master.equals("local") || master.startsWith("local[")) && !conf.contains(FATAL)) {
            // A task that needs more memory than there is fails with an error; it does not end the driver's JVM that it
            // runs in.
            builder.config(FATAL, 0);
        }
        SparkSession spark = (needs.contains(Need.HIVE) ? builder.enableHiveSupport() : builder).getOrCreate();
        FIXED.forEach(spark.conf()::set);
        if (!needs.isEmpty()) {
            PUSHDOWN.forEach(setting -> spark.conf().set(setting, "false"));
        }
        return spark;
    }

    /** Returns the extensions that a job's session must have. */
    public static Set<Need> needsOf(Job job) {
        Set<Need> needs = EnumSet.noneOf(Need.class);
        if (uses(job, Kind.DELTA)
                || (job.prepare().delta() && job.prepare().register().isPresent())) {
            needs.add(Need.DELTA);
        }
        if (uses(job, Kind.HIVE) || job.prepare().register().isPresent()) {
            needs.add(Need.HIVE);
        }
        return needs;
    }

    private static boolean uses(Job job, Kind kind) {
        return job.sources().values().stream().anyMatch(source -> source.kind() == kind);
    }

    private static boolean isThere(String type) {
        try {
            Class.forName(type, false, Thread.currentThread().getContextClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
