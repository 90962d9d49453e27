package io.rankfeed.feeder.cli;

import io.rankfeed.feeder.RankfeedFeeder;
import io.rankfeed.feeder.supervise.Foreground;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** From nothing to a trained model on this machine: a generated table, the Spark pipeline, the feeder, torchrun on CPU. */
@Command(
        name = "quickstart",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Makes a table in the shape of CodeContests, runs prepare, sample and export over it in local Spark, starts the",
            "feeder and trains a small model on CPU ranks through one curriculum. What is there already is kept: a second",
            "run goes straight to the training."
        },
        footer = {"", "example:", "  ./rankfeed quickstart --rows 40000 --ranks 4"})
public final class QuickstartCommand implements Callable<Integer> {
    private static final long LEAST_ROWS = 4_000;
    private static final long MOST_ROWS = 3_691_981;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "40000",
            description = "rows of the table (default: 40000)")
    private long rows;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            defaultValue = "4",
            description = "trainers to start; must divide the plan's lanes (default: 4)")
    private int ranks;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "where everything goes (default: build/quickstart of the project)")
    private @Nullable Path dir;

    @Option(names = "--clean", description = "begin anew: remove what an earlier quickstart left in DIR")
    private boolean isClean;

    @Override
    public Integer call() throws InterruptedException {
        if (rows < LEAST_ROWS || rows > MOST_ROWS) {
            throw new ConfigException("--rows " + rows + " must be " + LEAST_ROWS + " to " + MOST_ROWS);
        }
        Path home = home();
        Path folder = dir == null
                ? home.resolve("build/quickstart")
                : dir.toAbsolutePath().normalize();
        QuickstartFiles files = new QuickstartFiles(home, folder, rows);
        files.prepare(isClean ? QuickstartFiles.Start.CLEAN : QuickstartFiles.Start.KEEP);
        Optional<Path> version = files.version(files.runId());
        if (version.isPresent()) {
            say("1/3 and 2/3: the version is there and its input unchanged, no Spark needed");
        } else {
            int failed = spark(files);
            if (failed != 0) {
                return failed;
            }
            version = files.version(files.runId());
        }
        Path made = version.orElseThrow(() -> new EnvironmentException(
                "the pipeline ended well, but no committed run '" + files.runId() + "' is in " + files.data()));
        say("3/3 feeder and training on " + ranks + " ranks");
        int exitCode = train(files, made);
        if (exitCode == 0) {
            summary(files, made);
        }
        return exitCode;
    }

    private int spark(QuickstartFiles files) throws InterruptedException {
        String launcher = files.home().resolve("rankfeed").toString();
        say("1/3 input: " + rows + " rows in " + files.input());
        int generated = Foreground.run(List.of(
                launcher,
                "generate",
                "codecontests",
                "--rows",
                Long.toString(rows),
                "--out",
                files.input().toString()));
        if (generated != 0) {
            return generated;
        }
        say("2/3 pipeline: prepare, sample, export into " + files.data());
        return Foreground.run(List.of(
                launcher,
                "pipeline",
                files.job().toString(),
                "--set",
                "root=" + files.data(),
                "--set",
                "sources.solutions.parquet=" + files.input(),
                "--set",
                "sample.train.rows=" + rows / 10,
                "--run-id",
                files.runId()));
    }

    private int train(QuickstartFiles files, Path version) {
        Path environment = pythonEnvironment(files.home());
        Path torchrun = environment.resolve("bin/torchrun");
        if (!Files.isExecutable(torchrun)) {
            throw new EnvironmentException(
                    "no torchrun in " + environment + "; run ./rankfeed quickstart, which makes that environment");
        }
        List<String> line = new ArrayList<>(List.of("feed", version.toString(), "--in-place"));
        line.addAll(List.of("--progress", "none", "--report", files.report().toString(), "--"));
        line.addAll(List.of("env", "OMP_NUM_THREADS=1", torchrun.toString(), "--standalone"));
        line.addAll(List.of("--nproc-per-node", Integer.toString(ranks)));
        line.add(files.home()
                .resolve("gpu-feeder/python/examples/train_tokens.py")
                .toString());
        line.addAll(List.of("--tokens", "output_ids"));
        line.addAll(List.of("--report", files.folder().resolve("ranks").toString()));
        return RankfeedFeeder.commandLine()
                .setOut(spec.commandLine().getOut())
                .setErr(spec.commandLine().getErr())
                .execute(line.toArray(String[]::new));
    }

    private static Path home() {
        String home = System.getenv("RANKFEED_HOME");
        if (home == null || home.isEmpty()) {
            throw new EnvironmentException("RANKFEED_HOME is not set; start this through ./rankfeed quickstart");
        }
        return Path.of(home).toAbsolutePath().normalize();
    }

    private static Path pythonEnvironment(Path home) {
        String environment = System.getenv("RANKFEED_PYTHON_ENV");
        return environment == null || environment.isEmpty() ? home.resolve(".envs/train") : Path.of(environment);
    }

    private void summary(QuickstartFiles files, Path version) {
        PrintWriter out = spec.commandLine().getOut();
        out.println();
        out.println("What each rank got (stages of the curriculum by number, rows by stratum):");
        FeedReport.read(files.report()).table().forEach(line -> out.println("  " + line));
        out.println();
        out.println("The labels are made up: this shows how rows are fed, not what a model can learn from them.");
        out.println();
        out.println("Where things are:");
        out.println("  input     " + files.input());
        out.println("  version   " + version);
        out.println("  job       " + files.job());
        out.println("  reports   " + files.report() + " and " + files.folder().resolve("ranks"));
        out.println();
        out.println("What to try next:");
        out.println("  ./rankfeed inspect " + version);
        out.println("  ./rankfeed verify " + version);
        out.println("  ./rankfeed explain " + version + " --epoch 0 --step 0 --rank 0");
        out.println("  ./rankfeed quickstart --ranks 2          the same global batches, half the ranks");
        out.println("  ./rankfeed feed " + version + " -- "
                + pythonEnvironment(files.home()).resolve("bin/torchrun")
                + " --nproc-per-node 2 gpu-feeder/python/examples/train_tokens.py --tokens output_ids");
        out.flush();
    }

    private void say(String line) {
        spec.commandLine().getErr().println("rankfeed quickstart: " + line);
        spec.commandLine().getErr().flush();
    }
}
