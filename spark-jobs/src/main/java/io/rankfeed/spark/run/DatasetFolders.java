package io.rankfeed.spark.run;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.job.Job;
import io.rankfeed.job.JobRoot;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.run.DatasetNames;
import io.rankfeed.schema.run.RunName;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The folders of a dataset's artifacts and run facts (docs/format/manifest.md).
 *
 * @param root a path of this machine, or an address of HDFS
 * @param dataset name of the dataset
 */
public record DatasetFolders(Path root, String dataset) {
    /** @throws ConfigException if the name can be no folder */
    public DatasetFolders {
        DatasetNames.fault(dataset).ifPresent(fault -> {
            throw new ConfigException("dataset '" + dataset + "' " + fault);
        });
    }

    /** The folders of a job's dataset. A relative root is in the working directory, and is made absolute here, once. */
    public static DatasetFolders of(Job job, Configuration conf) {
        Path root = new Path(job.root());
        return new DatasetFolders(
                root.isAbsolute() ? root : Storage.of(root, conf).makeQualified(root), job.dataset());
    }

    /** @throws ConfigException if the root's file system, which may be the default one, cannot commit */
    public static void requireCommits(String root, Configuration conf) {
        JobRoot.requireCommits(
                root, Objects.requireNonNullElse(FileSystem.getDefaultUri(conf).getScheme(), "file"));
    }

    /** The folder of all of it. */
    public Path folder() {
        return new Path(root, dataset);
    }

    /** The folder of an artifact. */
    public Path artifact(ArtifactFormat format, String id) {
        return folder(format.folder(), id);
    }

    /** The folder of the line indexes of JSON lines files; no artifact depends on it. */
    public Path indices() {
        return new Path(folder(), "indices");
    }

    /**
     * The folder of a run's facts. Signs that no path may hold (":" and "+" of Airflow's ids) become "-".
     *
     * @throws ConfigException if the id can be no folder
     */
    public Path run(String runId) {
        return folder("runs", RunName.folder(RunName.requireId(runId)));
    }

    private Path folder(String kind, String id) {
        return new Path(new Path(folder(), kind), id);
    }
}
