package io.rankfeed.spark;

import io.rankfeed.console.Console;
import io.rankfeed.console.ProgressOption;
import io.rankfeed.job.Job;
import io.rankfeed.job.JobFile;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.spark.engine.SparkFailures;
import io.rankfeed.spark.init.DraftFiles;
import io.rankfeed.spark.init.Questions;
import io.rankfeed.spark.init.TableLocation;
import io.rankfeed.spark.run.ConsoleProgress;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.Sessions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Drafts a job file and a feed file for a table. */
@Command(
        name = "init",
        description = {
            "Profile a table and write a job file and a feed file for it, with comments: a file or folder"
                    + " of Parquet, ORC, Avro, Arrow, CSV, JSON lines, WebDataset, TFRecord, LMDB, text or images, a"
                    + " dataset in MDS or saved by Hugging Face, a Delta table, or a table of the metastore as db.table."
                    + " Columns, a key, parts for training and validation, labels, texts and images are found from the"
                    + " first million rows. What is written is checked with a dry run."
        },
        footer = {
            "  ./rankfeed init /data/reviews",
            "  ./rankfeed init warehouse.clicks --out jobs/clicks.yaml --root hdfs:///data/rankfeed"
        })
public final class InitCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "TABLE", description = "Any Hadoop path, or db.table.")
    private String table = "";

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "The job file; the feed file is next to it, NAME-feed.yaml. Default: NAME.yaml of the table's"
                    + " name.")
    private @Nullable Path out;

    @Option(
            names = "--root",
            paramLabel = "DIR",
            defaultValue = "rankfeed-data",
            description = "Where the job's artifacts go. Default: ${DEFAULT-VALUE}.")
    private String root = "";

    @Option(names = "--yes", description = "Ask nothing. Default: ask on a terminal for what is open.")
    private boolean isYes;

    @Option(names = "--force", description = "Replace files that exist. Default: refuse to.")
    private boolean isForced;

    @Mixin
    private ProgressOption progress = new ProgressOption();

    @Override
    public Integer call() {
        SparkConf conf = new SparkConf();
        TableLocation location = TableLocation.of(table, SparkHadoopUtil.get().newConfiguration(conf));
        refuseExisting(file(location));
        Job job = read("init", DraftFiles.source(location, root));
        boolean isMine = SparkSession.getActiveSession().isEmpty()
                && SparkSession.getDefaultSession().isEmpty();
        SparkSession spark = Sessions.of("rankfeed init " + table, conf, Sessions.needsOf(job));
        ConsoleProgress console = new ConsoleProgress(System.err, progress.style());
        spark.sparkContext().addSparkListener(console);
        try {
            console.phase("init");
            DraftFiles draft =
                    DraftFiles.of(location, JobContext.of(spark, job, console), root, file(location), questions());
            console.ended();
            write(draft);
            PrintWriter screen = spec.commandLine().getOut();
            draft.summary().forEach(line -> screen.println(Console.printable(line)));
            dryRun(draft, JobContext.of(spark, read(draft.jobFile().toString(), draft.job()), console), screen);
            console.ended();
            screen.println("next: " + NextCommand.launcher() + " pipeline " + draft.jobFile());
            screen.flush();
            return 0;
        } catch (RuntimeException e) {
            throw SparkFailures.translated(e);
        } finally {
            console.ended();
            spark.sparkContext().removeSparkListener(console);
            if (isMine) {
                spark.stop();
            }
        }
    }

    /** A draft that would be refused stays: it has what was found, and often one key of it has to be changed. */
    private void dryRun(DraftFiles draft, JobContext context, PrintWriter screen) {
        try {
            DryRun.report(Goal.PIPELINE, context, line -> screen.println(Console.printable(line)));
        } catch (RuntimeException e) {
            context.progress().ended();
            screen.flush();
            Console.print(
                    spec.commandLine().getErr(),
                    "the draft stays in " + draft.jobFile() + " and " + draft.feedFile() + ", and its dry run failed;"
                            + " correct the error below and run " + NextCommand.launcher() + " pipeline "
                            + draft.jobFile() + " --dry-run, or run init again with --force");
            throw e;
        }
    }

    /** The launcher knows whether a user is at a terminal; spark-submit alone asks nothing. */
    private Questions questions() {
        if (isYes || !"1".equals(System.getenv("RANKFEED_INTERACTIVE"))) {
            return Questions.NONE;
        }
        BufferedReader answers = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
        PrintWriter screen = spec.commandLine().getErr();
        return new Questions(question -> {
            screen.print(question);
            screen.flush();
            try {
                return Optional.ofNullable(answers.readLine());
            } catch (IOException e) {
                throw new EnvironmentException(IoReason.of("the answer cannot be read", e), e);
            }
        });
    }

    private static Job read(String file, String text) {
        return JobFile.read(file, text.getBytes(StandardCharsets.UTF_8), List.of());
    }

    private Path file(TableLocation location) {
        return out == null ? Path.of(DraftFiles.name(location) + ".yaml") : out;
    }

    /** Refuses to replace files; called before the table is profiled, which may take minutes. */
    private void refuseExisting(Path file) {
        List<Path> there =
                Stream.of(file, DraftFiles.feedFile(file)).filter(Files::exists).toList();
        if (!there.isEmpty() && !isForced) {
            throw new ConfigException(Plural.counted(there.size(), "file") + " would be replaced: " + there
                    + "; write --force, or another --out");
        }
    }

    private static void write(DraftFiles draft) {
        try {
            Path folder = draft.jobFile().toAbsolutePath().getParent();
            Files.createDirectories(Objects.requireNonNull(folder));
            Files.writeString(draft.jobFile(), draft.job());
            Files.writeString(draft.feedFile(), draft.feed());
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of(draft.jobFile() + " cannot be written", draft.jobFile(), e), e);
        }
    }
}
