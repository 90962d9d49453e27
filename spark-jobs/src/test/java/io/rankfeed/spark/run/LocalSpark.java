package io.rankfeed.spark.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.Utils;

/** Spark in the JVM of the tests: one context with Delta and Hive, and a session for each test class. */
public final class LocalSpark {
    /** The {@code @Order} of a class with a context of its own, so that the shared one starts once. */
    public static final int LAST = Integer.MAX_VALUE;

    private LocalSpark() {}

    /**
     * A new session of the shared context, which is the active one then.
     *
     * @param settings keys and values in turn
     */
    public static SparkSession session(int shufflePartitions, String... settings) {
        SparkSession session = shared().newSession();
        session.conf().set("spark.sql.shuffle.partitions", shufflePartitions);
        for (int i = 0; i < settings.length; i += 2) {
            session.conf().set(settings[i], settings[i + 1]);
        }
        activate(session);
        return session;
    }

    /** The active session of the shared context, or a new one; for fixtures that are asked again and again. */
    public static SparkSession current(int shufflePartitions) {
        SparkSession session = SparkSession.getActiveSession().isDefined() ? shared() : session(shufflePartitions);
        session.conf().set("spark.sql.shuffle.partitions", shufflePartitions);
        return session;
    }

    /** For a context that differs; the caller stops it with {@link #stop}. */
    public static SparkSession.Builder own(String master, int shufflePartitions) {
        stop();
        return builder(master).config("spark.sql.shuffle.partitions", shufflePartitions);
    }

    /** For the main method of a JVM of its own. */
    public static SparkSession.Builder builder(String master) {
        return SparkSession.builder()
                .master(master)
                .config("spark.ui.enabled", "false")
                .config("spark.sql.session.timeZone", "UTC");
    }

    /** Stops the context that runs in this JVM. */
    public static void stop() {
        SparkSession.getDefaultSession().foreach(running -> {
            running.stop();
            return null;
        });
        SparkSession.clearActiveSession();
        SparkSession.clearDefaultSession();
    }

    private static SparkSession shared() {
        if (SparkSession.getDefaultSession().isDefined()
                && !SparkSession.getDefaultSession().get().sparkContext().isStopped()) {
            return SparkSession.getDefaultSession().get();
        }
        stop();
        return builder("local[2]")
                .config("spark.sql.warehouse.dir", folder().resolve("warehouse").toString())
                // In memory: on disk, each change of a table would wait until it is written.
                .config(
                        "spark.hadoop.javax.jdo.option.ConnectionURL",
                        "jdbc:derby:memory:;databaseName=" + folder().resolve("metastore") + ";create=true")
                // 50 tasks for a snapshot by default, for tables of millions of files.
                .config("spark.databricks.delta.snapshotPartitions", "1")
                .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
                .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
                .enableHiveSupport()
                .getOrCreate();
    }

    private static void activate(SparkSession session) {
        SparkSession.setActiveSession(session);
        SparkSession.setDefaultSession(session);
    }

    private static Path folder() {
        try {
            Path folder = Files.createTempDirectory("local-spark");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> Utils.deleteRecursively(folder.toFile())));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
