package io.rankfeed.feeder.cli;

import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.remote.VersionLocation;
import io.rankfeed.report.ArtifactReport;
import io.rankfeed.report.LanesReport;
import io.rankfeed.report.OrderReport;
import io.rankfeed.report.Report;
import io.rankfeed.report.ReportOutput;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reports what a version is, from its manifest and its order. */
@Command(
        name = "inspect",
        sortOptions = false,
        customSynopsis = "rankfeed inspect [OPTIONS] VERSION-DIR",
        description = {
            "Describe a version: rows, columns, lanes, strata and steps, from manifest.json and order.json."
                    + " Prints the answer in at most ten lines, and all tables with --verbose. To check every byte of"
                    + " it, use verify. Tables, plans, runs and whole datasets are described by the Spark part: pip"
                    + " install 'rankfeed[spark]'."
        },
        exitCodeList = {"0:described"},
        footer = {
            "  rankfeed inspect /data/out/codecontests/versions/0123456789abcdef",
            "  rankfeed inspect VERSION-DIR --json"
        })
public final class InspectCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "VERSION-DIR", description = FeedFlags.VERSION)
    private String words = "";

    @Mixin
    private final ReportOutput output = new ReportOutput();

    @Override
    public Integer call() {
        OpenVersion version = OpenVersion.open(VersionLocation.local(words, "inspect"));
        Report report = new Report();
        ArtifactReport.describe(report, version.manifest(), version.folder().toString());
        LanesReport.describe(report, version.manifest(), version.order());
        OrderReport.describe(report, version.order());
        output.print(report, spec.commandLine());
        return 0;
    }
}
