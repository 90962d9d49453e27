package io.rankfeed.spark;

import io.rankfeed.schema.config.Plural;
import io.rankfeed.spark.job.Job;
import io.rankfeed.spark.job.JobFile;
import io.rankfeed.spark.run.DatasetFolders;
import io.rankfeed.spark.run.JobBytes;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks a job file by itself. */
@Command(
        name = "check",
        description = {
            "Check the keys and values of a job file. Starts no Spark session and reads no data: sources,"
                    + " SQL and counts are checked by --dry-run of the job. A feed file is checked by the feeder's"
                    + " command of this name, which ./rankfeed chooses by the file's content."
        },
        footer = "  ./rankfeed check conf/jobs/codecontests.yaml --set sample.train.batch=128")
public final class CheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "FILE", description = "A job file.")
    private String file = "";

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Override one value, as the jobs do. May be repeated. Default: none.")
    private List<String> assignments = new ArrayList<>();

    @Override
    public Integer call() {
        SparkConf conf = new SparkConf();
        Configuration hadoop = SparkHadoopUtil.get().newConfiguration(conf);
        byte[] bytes = JobBytes.read(file, conf, hadoop);
        Job job = JobFile.read(file, bytes, assignments);
        DatasetFolders.requireCommits(job.root(), hadoop);
        PrintWriter out = spec.commandLine().getOut();
        out.println(file + ": a job of dataset '" + job.dataset() + "' with "
                + Plural.counted(job.sources().size(), "source") + " and "
                + Plural.counted(job.sample().size(), "feed")
                + (job.sample().isEmpty()
                        ? ""
                        : ": " + String.join(", ", job.sample().keySet())));
        out.flush();
        return 0;
    }
}
