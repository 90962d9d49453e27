package io.rankfeed.spark.run;

import org.apache.spark.sql.SparkSession;
import scala.Option;

/** Sessions in the test's own JVM. */
public final class LocalSpark {
    private LocalSpark() {}

    /** Two cores, as every machine has; for what a test wants beside. */
    public static SparkSession.Builder builder(int shufflePartitions) {
        return builder("local[2]", shufflePartitions);
    }

    /** For what only a new session can have: one that other tests of this JVM have left for the next ends before. */
    static SparkSession.Builder fresh(String master, int shufflePartitions) {
        Option<SparkSession> left = SparkSession.getDefaultSession();
        if (left.isDefined()) {
            left.get().stop();
        }
        return builder(master, shufflePartitions);
    }

    public static SparkSession.Builder builder(String master, int shufflePartitions) {
        return SparkSession.builder()
                .master(master)
                .config("spark.ui.enabled", "false")
                .config("spark.sql.shuffle.partitions", shufflePartitions);
    }
}
