package io.rankfeed.spark.run;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.spark.job.Job;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Where a dataset's artifacts and run facts are (docs/format/manifest.md).
 *
 * @param root any Hadoop path
 * @param dataset name of the dataset
 */
public record DatasetFolders(Path root, String dataset) {
    private static final Pattern DATASET = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");
    private static final Pattern RUN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._+:-]{0,199}");

    /** @throws ConfigException if the name can be no folder */
    public DatasetFolders {
        if (!DATASET.matcher(dataset).matches()) {
            throw new ConfigException("dataset '" + dataset + "' must match " + DATASET.pattern());
        }
    }

    /** The folders of a job's dataset. A relative root is in the working directory, and is made absolute here, once. */
    public static DatasetFolders of(Job job, Configuration conf) {
        Path root = new Path(job.root());
        return new DatasetFolders(
                root.isAbsolute() ? root : Storage.of(root, conf).makeQualified(root), job.dataset());
    }

    /** The folder of an artifact. */
    public Path artifact(ArtifactFormat format, String id) {
        return folder(format.folder(), id);
    }

    /** Where the lines of JSON lines files begin; no artifact depends on it. */
    public Path indices() {
        return new Path(new Path(root, dataset), "indices");
    }

    /**
     * The folder of a run's facts. Signs that no path may hold (":" and "+" of Airflow's ids) become "-".
     *
     * @throws ConfigException if the id can be no folder
     */
    public Path run(String runId) {
        if (!RUN.matcher(runId).matches()) {
            throw new ConfigException("run id '" + runId + "' must match " + RUN.pattern());
        }
        return folder("runs", runId.replace(':', '-').replace('+', '-'));
    }

    private Path folder(String kind, String id) {
        return new Path(new Path(new Path(root, dataset), kind), id);
    }
}
