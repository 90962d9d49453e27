package io.rankfeed.feeder.cli;

import io.rankfeed.job.Job;
import io.rankfeed.job.JobFile;
import io.rankfeed.job.JobRoot;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks a job file or a feed file by itself. */
@Command(
        name = "check",
        sortOptions = false,
        customSynopsis = "rankfeed check [OPTIONS] FILE",
        description =
                "Check the keys and values of a job file or a feed file. Reads no data: sources, SQL and counts are checked by"
                        + " pipeline --dry-run, the columns of a version by feed --dry-run.",
        exitCodeList = {"0:right"},
        footer = {
            "  rankfeed check conf/jobs/codecontests.yaml --set sample.train.batch=128",
            "  rankfeed check conf/feeds/products.yaml"
        })
public final class CheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "FILE", description = "A job file or a feed file, on this machine.")
    private String written = "";

    private Path file = Path.of("");

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Override one value of a job file, as the jobs do. May be repeated. Default: none.")
    private List<String> assignments = new ArrayList<>();

    @Override
    public Integer call() {
        byte[] bytes = read();
        ConfigDocument document = ConfigDocument.parse(file.toString(), bytes);
        boolean isJob = JobFile.isOne(document);
        if (!isJob && document.has("members")) {
            throw new ConfigException(
                    file + " is the file of a mixture; check it with rankfeed plan --mixture " + file + " --dry-run");
        }
        if (!isJob && !assignments.isEmpty()) {
            throw new ConfigException("--set applies to job files, and " + file + " has no key of one");
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(file + ": " + (isJob ? job(bytes) : feed(bytes)));
        out.flush();
        return 0;
    }

    private byte[] read() {
        if (written.contains("://")) {
            throw new ConfigException(written + ": check reads files of this machine; use pipeline --dry-run");
        }
        try {
            file = Path.of(written);
            return ConfigDocument.read(file);
        } catch (InvalidPathException e) {
            throw new ConfigException(written + " is not a path: " + e.getReason(), e);
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + ": no such file", e);
        } catch (IOException e) {
            throw new ConfigException(IoReason.of(file + " cannot be read", e), e);
        }
    }

    private String job(byte[] bytes) {
        Job job = JobFile.read(file.toString(), bytes, assignments);
        JobRoot.requireCommits(job.root(), "file");
        return "a job of dataset '" + job.dataset() + "' with "
                + Plural.counted(job.sources().size(), "source") + " and "
                + counted(job.sample().keySet());
    }

    private String feed(byte[] bytes) {
        return "a feed file of " + counted(FeedConfig.of(file, bytes).columns().keySet());
    }

    private static String counted(Set<String> feeds) {
        return Plural.counted(feeds.size(), "feed") + (feeds.isEmpty() ? "" : ": " + String.join(", ", feeds));
    }
}
