package io.rankfeed.spark;

import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command that takes a job file. Each is a main class of its own too, for spark-submit and the operators of Airflow
 * and Kubernetes to name.
 */
abstract sealed class JobCommand implements Callable<Integer> permits PrepareJob, SampleJob, ExportJob, PipelineJob {
    private final Goal goal;

    @Mixin
    private JobOptions options = new JobOptions();

    @Spec
    private CommandSpec spec;

    JobCommand(Goal goal) {
        this.goal = goal;
    }

    @Override
    public final Integer call() {
        return JobRun.of(goal, options, spec.commandLine().getOut());
    }
}
