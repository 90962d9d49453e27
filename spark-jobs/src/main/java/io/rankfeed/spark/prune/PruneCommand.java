package io.rankfeed.spark.prune;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.report.Report;
import io.rankfeed.report.ReportOutput;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.spark.run.HadoopSettings;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes what old runs made. */
@Command(
        name = "prune",
        description = {
            "Remove old versions, plans, prepared tables and runs of the datasets in a root, and what"
                    + " interrupted jobs left. Of each dataset the latest N versions stay with all their runs, whose ids"
                    + " name them, and the latest N runs, with the plans and tables that they were made from, and the"
                    + " plans over these versions; so does a version that a mixture in ROOT/mixtures draws from. What a"
                    + " process of this machine has open stays, such as a version that a feeder reads in place; feeders"
                    + " of other machines that read the root in place must be stopped before. A dataset with a job that"
                    + " runs is refused. Tables in a metastore and jobs that read prepared tables by their path are not"
                    + " searched for."
        },
        footer = {
            "  ./rankfeed prune build/rankfeed --keep 3 --dry-run",
            "  ./rankfeed prune hdfs://namenode/rankfeed --dataset codecontests --keep 10"
        })
public final class PruneCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "ROOT", description = "The root of jobs, a folder of datasets.")
    private String root = "";

    @Option(
            names = "--keep",
            paramLabel = "N",
            required = true,
            description = "Number of versions and of runs to keep for each dataset, from 1. Required.")
    private int keep;

    @Option(names = "--dataset", paramLabel = "NAME", description = "Only this dataset. Default: all.")
    private @Nullable String dataset;

    @Option(names = "--dry-run", description = "Report what would be removed, and remove nothing. Default: off.")
    private boolean isDry;

    @Mixin
    private final ReportOutput output = new ReportOutput();

    @Override
    public Integer call() {
        if (keep < 1) {
            throw new ConfigException("--keep " + keep + ": a number from 1");
        }
        Configuration conf = HadoopSettings.current();
        Path folder = new Path(root);
        FileSystem fs = Storage.of(folder, conf);
        List<DatasetContents> datasets = datasets(fs, fs.makeQualified(folder));
        Map<Path, String> mixtures = MixedVersions.of(fs, fs.makeQualified(folder));
        String application = "prune";
        datasets.forEach(contents -> contents.refuseRunning(application));
        Report report = new Report();
        Report.Table table = new Report.Table("dataset", "what", "id", "bytes", "state");
        long bytes = 0;
        int removed = 0;
        int names = 0;
        for (DatasetContents contents : datasets) {
            for (Entry entry : contents.removable(keep, mixtures)) {
                if (entry.keptBy().isEmpty()) {
                    if (!isDry) {
                        contents.remove(entry, application);
                    }
                    bytes += entry.bytes();
                    if (entry.kind().equals(OrderEntries.NAMES)) {
                        names++;
                    } else {
                        removed++;
                    }
                }
                table.add(
                        contents.name(),
                        entry.kind(),
                        entry.folder().getName(),
                        new Report.Bytes(entry.bytes()),
                        entry.keptBy()
                                .map(keeper -> "kept: " + keeper)
                                .orElse((isDry ? "would be removed" : "removed")
                                        + (entry.isComplete() ? "" : ": incomplete")));
            }
        }
        report.fact(
                isDry ? "would be removed" : "removed",
                Plural.counted(removed, "folder") + (names == 0 ? "" : ", " + Plural.counted(names, "name")) + ", "
                        + ByteSize.rounded(bytes));
        if (!table.rows().isEmpty()) {
            report.table("old", table);
        }
        output.print(report, spec.commandLine());
        return 0;
    }

    private List<DatasetContents> datasets(FileSystem fs, Path folder) {
        List<DatasetContents> datasets = new ArrayList<>();
        try {
            Stream.of(fs.listStatus(folder))
                    .filter(FileStatus::isDirectory)
                    .map(FileStatus::getPath)
                    .filter(path -> dataset == null || path.getName().equals(dataset))
                    .sorted()
                    .forEach(path -> DatasetContents.of(fs, path).ifPresent(datasets::add));
        } catch (FileNotFoundException e) {
            throw new ConfigException("nothing exists at " + folder + "; give the root: of the jobs");
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + folder, e), e);
        }
        if (datasets.isEmpty()) {
            throw new ConfigException(folder + " has no dataset" + (dataset == null ? "" : " '" + dataset + "'")
                    + " with a run; give the root: of the jobs");
        }
        return datasets;
    }
}
