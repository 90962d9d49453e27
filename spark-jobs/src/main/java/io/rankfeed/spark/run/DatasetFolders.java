package io.rankfeed.spark.run;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.run.RunName;
import io.rankfeed.spark.job.Job;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
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
    private static final Pattern DATASET = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");

    /** Schemes of the file systems that support a root. */
    private static final List<String> ROOT_SCHEMES = List.of("file", "hdfs", "viewfs");

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

    /**
     * Refuses a root whose file system cannot commit: a commit needs renames that are atomic and files that are created
     * exclusively, which object stores do not offer.
     *
     * @throws ConfigException if it is not local or in HDFS
     */
    public static void requireCommits(String root, Configuration conf) {
        String scheme = Objects.requireNonNullElse(
                new Path(root).toUri().getScheme(),
                Objects.requireNonNullElse(FileSystem.getDefaultUri(conf).getScheme(), "file"));
        if (!ROOT_SCHEMES.contains(scheme)) {
            throw new ConfigException("root: " + root + " has the scheme " + scheme + "; supported for a root are "
                    + String.join(", ", ROOT_SCHEMES)
                    + " (a commit needs atomic renames and exclusive creation, which object"
                    + " stores do not offer); keep the root on a mounted disk or in HDFS");
        }
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
        return folder("runs", RunName.folder(RunName.requireId(runId)));
    }

    private Path folder(String kind, String id) {
        return new Path(new Path(new Path(root, dataset), kind), id);
    }
}
