package io.rankfeed.feeder.quickstart;

import io.rankfeed.console.Console;
import io.rankfeed.console.Failures;
import io.rankfeed.feeder.supervise.Foreground;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs every step from a new table to a trained model on this machine: the Spark pipeline, the feeder, and torchrun on CPU. */
@Command(
        name = "quickstart",
        sortOptions = false,
        customSynopsis = "rankfeed quickstart [OPTIONS]",
        description = {
            "Make a table in the shape of CodeContests, run prepare, sample and export over it in local"
                    + " Spark, start the feeder and train a small model on CPU ranks through one curriculum. If a"
                    + " product catalog is next to the checkout, the same goes on with that: a join of rows and JPEG"
                    + " files, every category equally often. What exists already is kept: a second run goes straight"
                    + " to the training."
        },
        exitCodeList = {"0:trained", "other:the exit code of Spark or torchrun"},
        footer = {
            "  ./rankfeed quickstart --rows 40000 --ranks 4",
            "  ./rankfeed quickstart --data products --catalog /data/shop"
        })
public final class QuickstartCommand implements Callable<Integer> {
    private static final long MIN_ROWS = 4_000;
    private static final long MAX_ROWS = 3_691_981;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "WHICH",
            description =
                    "What to train on, codecontests or products. Default: codecontests, then products where there is a"
                            + " catalog.")
    private @Nullable String data;

    @Option(
            names = "--catalog",
            paramLabel = "DIR",
            description = "The folder of products.parquet and thumbnails/, which is only read. Default:"
                    + " ../shared/data/products beside the project, if that is there.")
    private @Nullable Path catalog;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "40000",
            description = "Rows of the CodeContests table. Default: ${DEFAULT-VALUE}.")
    private long rows;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            defaultValue = "2",
            description = "Trainers to start; must divide the plan's lanes. Default: ${DEFAULT-VALUE}.")
    private int ranks;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where everything goes. Default: build/quickstart of the checkout; installed with pip,"
                    + " rankfeed-quickstart here.")
    private @Nullable Path dir;

    @Option(names = "--clean", description = "Start over: remove what an earlier quickstart left in DIR.")
    private boolean isClean;

    @Override
    public Integer call() throws InterruptedException {
        if (rows < MIN_ROWS || rows > MAX_ROWS) {
            throw new ConfigException("--rows " + rows + " must be " + MIN_ROWS + " to " + MAX_ROWS);
        }
        Installation installation = Installation.ofEnvironment();
        Path folder = dir == null
                ? installation.home().resolve("build/quickstart")
                : dir.toAbsolutePath().normalize();
        List<QuickstartPart> parts = parts(installation, folder);
        QuickstartFiles files = new QuickstartFiles(installation, folder);
        files.prepare(isClean ? QuickstartFiles.Start.CLEAN : QuickstartFiles.Start.KEEP);
        SequencedMap<QuickstartPart, Path> versions = new LinkedHashMap<>();
        for (QuickstartPart part : parts) {
            Optional<Path> version = files.version(part);
            if (version.isPresent()) {
                say(part, "1/3 and 2/3: the version is there and its input unchanged, no Spark needed");
            } else {
                int failed = spark(files, part);
                if (failed != 0) {
                    return failed;
                }
                version = files.version(part);
            }
            versions.put(
                    part,
                    version.orElseThrow(() -> new EnvironmentException("the pipeline ended well, but no committed run '"
                            + files.runId(part) + "' is in " + files.data())));
            say(part, "3/3 feeder and training on " + Plural.counted(ranks, "rank"));
            int failed = train(files, part, versions.get(part));
            if (failed != 0) {
                return failed;
            }
        }
        new QuickstartSummary(files, versions, ranks).print(spec.commandLine().getOut());
        return 0;
    }

    private List<QuickstartPart> parts(Installation installation, Path folder) {
        if (data != null && !data.equals(QuickstartPart.CODECONTESTS) && !data.equals(QuickstartPart.PRODUCTS)) {
            throw new ConfigException(
                    "--data " + data + " must be " + QuickstartPart.CODECONTESTS + " or " + QuickstartPart.PRODUCTS);
        }
        Path shop = catalog == null
                ? installation.home().resolveSibling("shared").resolve("data/products")
                : catalog.toAbsolutePath().normalize();
        List<QuickstartPart> parts = new ArrayList<>();
        if (!QuickstartPart.PRODUCTS.equals(data)) {
            parts.add(QuickstartPart.codecontests(folder, rows));
        }
        boolean isAsked = catalog != null || QuickstartPart.PRODUCTS.equals(data);
        if (!QuickstartPart.CODECONTESTS.equals(data) && (isAsked || QuickstartPart.isCatalog(shop))) {
            parts.add(QuickstartPart.products(shop, installation));
        }
        return parts;
    }

    private int spark(QuickstartFiles files, QuickstartPart part) throws InterruptedException {
        String launcher = files.installation().launcher().toString();
        if (part.generate().isEmpty()) {
            say(part, "1/3 input: " + part.input() + ", which is only read");
        } else {
            say(part, "1/3 input: " + Plural.counted(rows, "row") + " in " + part.input());
            List<String> line = new ArrayList<>(List.of(launcher));
            line.addAll(part.generate());
            int failed = Foreground.run(line);
            if (failed != 0) {
                return failed;
            }
        }
        say(part, "2/3 pipeline: prepare, sample, export into " + files.data());
        List<String> line =
                new ArrayList<>(List.of(launcher, "pipeline", files.job(part).toString()));
        line.addAll(List.of("--set", "root=" + QuickstartPart.quoted(files.data())));
        part.settings().forEach(setting -> line.addAll(List.of("--set", setting)));
        line.addAll(List.of("--run-id", files.runId(part)));
        return Foreground.run(line);
    }

    private int train(QuickstartFiles files, QuickstartPart part, Path version) {
        Path environment = files.installation().python();
        Path torchrun = environment.resolve("bin/torchrun");
        if (!Files.isExecutable(torchrun)) {
            throw new EnvironmentException(
                    "no torchrun in " + environment + "; install torch there: pip install torch");
        }
        List<String> line = new ArrayList<>(List.of("feed", version.toString(), "--in-place", "--progress", "none"));
        line.addAll(part.feed());
        line.addAll(List.of(
                "--world",
                Integer.toString(ranks),
                "--report",
                files.report(part).toString(),
                "--"));
        line.addAll(List.of("env", "OMP_NUM_THREADS=1", torchrun.toString(), "--standalone"));
        line.addAll(List.of("--nproc-per-node", Integer.toString(ranks)));
        line.add(files.installation()
                .examples()
                .resolve(part.trainer().getFirst())
                .toString());
        line.addAll(part.trainer().subList(1, part.trainer().size()));
        line.addAll(List.of("--report", files.reports(part).toString()));
        return Console.commandLine(spec.root().userObject(), QuickstartCommand.class, Failures.AS_THROWN)
                .setOut(spec.commandLine().getOut())
                .setErr(spec.commandLine().getErr())
                .execute(line.toArray(String[]::new));
    }

    private void say(QuickstartPart part, String line) {
        spec.commandLine().getErr().println(Console.printable("rankfeed quickstart: " + part.dataset() + " " + line));
        spec.commandLine().getErr().flush();
    }
}
