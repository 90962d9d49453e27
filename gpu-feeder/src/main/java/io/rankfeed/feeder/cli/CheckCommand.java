package io.rankfeed.feeder.cli;

import io.rankfeed.schema.config.Plural;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks a feed file by itself. */
@Command(
        name = "check",
        sortOptions = false,
        customSynopsis = "rankfeed check [OPTIONS] FILE",
        description =
                "Check the keys and values of a feed file, or with the Spark part of a job file. Reads no data: whether the"
                        + " columns exist is checked by feed --dry-run, sources and SQL by pipeline --dry-run.",
        exitCodeList = {"0:right"},
        footer = "  rankfeed check conf/feeds/products.yaml")
public final class CheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "FILE", description = "A feed file.")
    private Path file;

    @Override
    public Integer call() {
        FeedConfig config = FeedConfig.read(file);
        PrintWriter out = spec.commandLine().getOut();
        out.println(file + ": a feed file of " + Plural.counted(config.columns().size(), "feed")
                + (config.columns().isEmpty()
                        ? ""
                        : ": " + String.join(", ", config.columns().keySet())));
        out.flush();
        return 0;
    }
}
