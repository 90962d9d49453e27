package io.rankfeed.spark.inspect;

import io.rankfeed.export.store.HadoopFiles;
import io.rankfeed.look.SimulateCommand;
import io.rankfeed.report.ReportOutput;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.store.Store;
import io.rankfeed.spark.run.HadoopSettings;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** What the jobs add to the commands that they share with the feeder: Hadoop's file systems, and counted strata. */
public final class JobParts implements SimulateCommand.Parts {
    /** Every file system that Hadoop has a client for. */
    public static final Store.Finder STORES = path -> HadoopFiles.of(path, HadoopSettings.current());

    @Override
    public Order ofJob(String file, List<String> assignments) {
        return JobOrder.of(file, assignments, HadoopSettings.current());
    }

    @Override
    public void measure(SimulateCommand.Measured batches, ReportOutput output, CommandSpec spec) {
        throw new ConfigException(
                "--lengths: the feeder's program measures batches, and ./rankfeed starts it for a version on"
                        + " this machine; the jobs' program maps no lanes");
    }

    @Override
    public String moreMemory() {
        return "--spark \"--driver-memory 16g\"";
    }
}
