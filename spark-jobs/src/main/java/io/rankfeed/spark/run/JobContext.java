package io.rankfeed.spark.run;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.job.Job;
import io.rankfeed.spark.file.LineChoice;
import io.rankfeed.spark.source.Sources;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/**
 * The context of a phase.
 *
 * @param spark the session, not to be stopped by a phase
 * @param job the resolved job
 * @param folders where the dataset's artifacts are
 * @param progress messages for the user
 */
public record JobContext(SparkSession spark, Job job, DatasetFolders folders, Progress progress) {
    public static JobContext of(SparkSession spark, Job job, Progress progress) {
        return new JobContext(
                spark, job, DatasetFolders.of(job, spark.sparkContext().hadoopConfiguration()), progress);
    }

    /** Hadoop's settings as Spark has them, tokens included. */
    public Configuration hadoop() {
        return spark.sparkContext().hadoopConfiguration();
    }

    /** Names what Spark does from now on, in its pages and its event log, until {@link #unnamed}. */
    public void step(String name) {
        spark.sparkContext().setJobDescription(name);
        spark.sparkContext().setCallSite(name);
    }

    /** Clears the description of Spark jobs, because those that follow are not of a phase. */
    public void unnamed() {
        spark.sparkContext().setJobDescription(null);
        spark.sparkContext().clearCallSite();
    }

    /** Opens the sources of a job that reads each of them whole. */
    public Sources openSources() {
        return openSources(Sources.NO_CHOICE);
    }

    /**
     * Opens the sources of a job whose feeds may choose lines of a source.
     *
     * @param choice called for each source whose lines are chosen by its metadata
     */
    public Sources openSources(LineChoice choice) {
        return Sources.open(spark, job, folders.indices(), choice);
    }

    /** A new attempt at the folder of an artifact. */
    public ArtifactAttempt attempt(Path folder) {
        return new ArtifactAttempt(folder, hadoop(), spark.sparkContext().applicationId());
    }
}
