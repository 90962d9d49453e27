package io.rankfeed.spark;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.console.Console;
import io.rankfeed.job.JobFile;
import io.rankfeed.schema.config.Redaction;
import io.rankfeed.spark.engine.SparkFailures;
import io.rankfeed.spark.run.DatasetFolders;
import io.rankfeed.spark.run.JobBytes;
import io.rankfeed.spark.run.RunFacts;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;

/**
 * Writes the facts of a run that ends early: its job is refused, or Spark does not start. With
 * {@code --deploy-mode cluster} nobody sees the exit code of the driver, so the facts have the reason. The job file
 * must name root and dataset.
 */
record RefusedStart(Goal goal, JobOptions options, SparkConf conf, Configuration hadoop) {
    /** Writes the facts of the refused run in cluster mode. Never throws: the failure is the one to report. */
    void record(Throwable thrown, String runId) {
        if (options.isDryRun() || !conf.get("spark.submit.deployMode", "client").equals("cluster")) {
            return;
        }
        try {
            RuntimeException failure = SparkFailures.translated(thrown);
            byte[] file = JobBytes.read(options.file(), conf, hadoop);
            Optional<JobFile.DatasetName> named = JobFile.datasetName(options.file(), file, options.assignments());
            if (named.isPresent()) {
                record(failure, runId, named.get());
            }
        } catch (RuntimeException e) {
            System.err.println("rankfeed: the refused run has no run.json: " + e.getMessage());
        }
    }

    private void record(RuntimeException failure, String runId, JobFile.DatasetName named) {
        DatasetFolders.requireCommits(named.root(), hadoop);
        ObjectNode job = JsonNodeFactory.instance
                .objectNode()
                .put("root", Redaction.text(named.root()))
                .put("dataset", named.dataset());
        Path folder = new DatasetFolders(new Path(named.root()), named.dataset()).run(runId);
        RunFacts.begin(folder, runId, goal.command(), job, conf.get("spark.app.id", ""), hadoop)
                .ifPresent(facts -> facts.failed(JobRun.message(failure), Console.exitCode(failure)));
    }
}
