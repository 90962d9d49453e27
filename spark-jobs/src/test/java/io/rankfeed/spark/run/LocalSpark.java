package io.rankfeed.spark.run;

import org.apache.spark.sql.SparkSession;

/** Sessions in the test's own JVM. */
public final class LocalSpark {
    private LocalSpark() {}

    /** Two cores, as every machine has; for what a test wants beside. */
    public static SparkSession.Builder builder(int shufflePartitions) {
        return builder("local[2]", shufflePartitions);
    }

    public static SparkSession.Builder builder(String master, int shufflePartitions) {
        return SparkSession.builder()
                .master(master)
                .config("spark.ui.enabled", "false")
                .config("spark.sql.shuffle.partitions", shufflePartitions);
    }
}
