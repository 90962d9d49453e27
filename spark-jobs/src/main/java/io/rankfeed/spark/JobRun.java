package io.rankfeed.spark;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.console.Console;
import io.rankfeed.export.store.HadoopFiles;
import io.rankfeed.job.Job;
import io.rankfeed.job.JobFile;
import io.rankfeed.look.RunPage;
import io.rankfeed.report.DecisionLines;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.ErrorList;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.spark.engine.ConfigErrors;
import io.rankfeed.spark.engine.SparkFailures;
import io.rankfeed.spark.export.Export;
import io.rankfeed.spark.export.Version;
import io.rankfeed.spark.format.FormattedCopies;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.prepare.query.RowCounts;
import io.rankfeed.spark.run.ConsoleProgress;
import io.rankfeed.spark.run.DatasetFolders;
import io.rankfeed.spark.run.JobBytes;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.RunFacts;
import io.rankfeed.spark.run.Sessions;
import io.rankfeed.spark.sample.ChosenLines;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.Sample;
import io.rankfeed.spark.sample.select.FeedLists;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.sql.SparkSession;

/** An invocation of a job: reads the job, checks whether it is done already, runs the phases, and records the facts. */
final class JobRun {
    /** The hook's priority; the hooks of Spark (40) and Hadoop (10), which close what this one writes to, run later. */
    private static final int HOOK_PRIORITY = 60;

    private final Goal goal;
    private final JobOptions options;
    private final PrintWriter out;
    private final SparkConf conf;
    private final Configuration hadoop;
    private final Job job;
    private final JsonNode shown;
    private final ConsoleProgress progress;

    private JobRun(Goal goal, JobOptions options, PrintWriter out, SparkConf conf, Configuration hadoop) {
        this.goal = goal;
        this.options = options;
        this.out = out;
        this.conf = conf;
        this.hadoop = hadoop;
        this.progress = options.progress();
        this.job = JobFile.read(options.file(), JobBytes.read(options.file(), conf, hadoop), options.assignments());
        DatasetFolders.requireCommits(job.root(), hadoop);
        this.shown = JobFile.shown(job);
        if (goal.samples() && job.sample().isEmpty()) {
            throw new ConfigException(options.file() + ": '" + goal.command()
                    + "' needs feeds; write at least one under sample: (docs/job-file/feeds.md)");
        }
    }

    /** @return the exit code */
    static int of(Goal goal, JobOptions options, PrintWriter out) {
        SparkConf conf = new SparkConf();
        Configuration hadoop = SparkHadoopUtil.get().newConfiguration(conf);
        String runId = options.runId().orElseGet(JobRun::timestamped);
        RunFacts facts;
        JobRun run;
        try {
            run = new JobRun(goal, options, out, conf, hadoop);
            if (options.isDryRun()) {
                return run.dry();
            }
            Optional<RunFacts> begun = run.begin(runId);
            if (begun.isEmpty()) {
                return 0;
            }
            facts = begun.get();
        } catch (RuntimeException | Error e) {
            new RefusedStart(goal, options, conf, hadoop).record(e, runId);
            throw e;
        }
        return run.real(facts, runId);
    }

    private int dry() {
        if (options.runId().flatMap(this::committed).isPresent()) {
            return 0;
        }
        try {
            DryRun.report(goal, JobContext.of(session(progress), job, progress), this::say);
        } finally {
            progress.ended();
            if (options.isVerbose()) {
                out.print(new String(CanonicalJson.indented(shown), StandardCharsets.UTF_8));
            }
            out.flush();
        }
        return 0;
    }

    /** The facts of a run that begins; empty if it is committed already. */
    private Optional<RunFacts> begin(String runId) {
        if (committed(runId).isPresent()) {
            return Optional.empty();
        }
        String application = session(progress).sparkContext().applicationId();
        Optional<RunFacts> begun = RunFacts.begin(folder(runId), runId, goal.command(), shown, application, hadoop);
        if (begun.isEmpty()) {
            committed(runId);
        }
        return begun;
    }

    private int real(RunFacts facts, String runId) {
        Path folder = folder(runId);
        String dataset = DatasetFolders.of(job, hadoop).folder().toString();
        progress.alsoTo(facts::keep);
        facts.shownBy(run -> RunPage.of(run, dataset, NotableFacts.of(run), path -> HadoopFiles.of(path, hadoop)));
        Signals.advise("run the same command again: files that are complete are used again");
        ShutdownHookManager.get().addShutdownHook(() -> facts.interrupted(Signals.exitCode()), HOOK_PRIORITY);
        try {
            PreparedTable prepared = phases(JobContext.of(SparkSession.active(), job, progress), facts);
            facts.committed();
            NextCommand.after(goal, options, job, folder).ifPresent(line -> say("next: " + line));
            RowCounts.of(prepared.manifest()).leftOut().ifPresent(bad -> say("prepare: " + bad));
            out.flush();
            return 0;
        } catch (Throwable e) {
            // An Error too: else the hook would report a signal.
            RuntimeException known = SparkFailures.translated(e);
            if (!ShutdownHookManager.get().isShutdownInProgress()) {
                facts.failed(message(known), Console.exitCode(known));
            }
            throw known;
        }
    }

    static String message(Throwable known) {
        return ErrorList.all(known).map(Console::oneLine).collect(Collectors.joining("; "));
    }

    private Path folder(String runId) {
        return DatasetFolders.of(job, hadoop).run(runId);
    }

    /** The result of the run, logged, if it is complete already. */
    private Optional<String> committed(String runId) {
        Optional<String> done = RunFacts.committed(folder(runId), goal.command(), shown, hadoop);
        done.ifPresent(results -> {
            say("run " + runId + " is committed already: " + results);
            NextCommand.after(goal, options, job, folder(runId)).ifPresent(line -> say("next: " + line));
            out.flush();
        });
        return done;
    }

    private PreparedTable phases(JobContext context, RunFacts facts) {
        long start = System.nanoTime();
        if (goal.samples()) {
            FeedLists.refuseMissing(context);
        }
        PreparedTable prepared = Prepare.run(context, new ChosenLines(context));
        facts.badRows(prepared.manifest().badRows());
        facts.phase(
                "prepare",
                "prepared",
                prepared.id(),
                since(start),
                prepared.manifest().rows(),
                prepared.manifest().totalBytes());
        context.progress().ended();
        say("prepared " + prepared.path());
        if (!goal.samples()) {
            return prepared;
        }
        refuse(context, prepared);
        start = System.nanoTime();
        Plan plan = Sample.run(context, prepared);
        long rows = plan.rows();
        facts.phase("sample", "plan", plan.id(), since(start), rows, 0);
        context.progress().ended();
        say("plan " + plan.path());
        plan.decisions().forEach((feed, decisions) -> {
            say("feed " + feed + ":");
            DecisionLines.of(decisions).forEach(this::say);
        });
        facts.decided(plan.decisions());
        if (!goal.exports()) {
            return prepared;
        }
        start = System.nanoTime();
        Version version = Export.run(context, prepared, plan);
        facts.ordered(version.order().plan());
        facts.phase("export", "version", version.id(), since(start), version.rows(), version.lengthBytes());
        context.progress().ended();
        say("version " + version.path());
        formats(context, version, facts);
        return prepared;
    }

    private void formats(JobContext context, Version version, RunFacts facts) {
        long[] start = {System.nanoTime()};
        FormattedCopies.run(context, version, copy -> {
            Manifest manifest = copy.manifest();
            facts.formattedCopy(copy.format(), copy.id(), since(start[0]), manifest.rows(), manifest.totalBytes());
            context.progress().ended();
            say(copy.format() + " " + copy.path());
            start[0] = System.nanoTime();
        });
    }

    /** Refuses what cannot be exported, before rows are planned. */
    private void refuse(JobContext context, PreparedTable prepared) {
        ConfigErrors errors = new ConfigErrors();
        if (goal.exports()) {
            errors.of(() -> Export.columns(prepared.manifest().schema(), job.export()))
                    .ifPresent(columns -> FormattedCopies.check(
                            columns, job.export(), job.sample().keySet(), errors));
        }
        if (!errors.isEmpty()) {
            Sample.preview(context, prepared, errors);
        }
        errors.throwIfAny();
    }

    private SparkSession session(ConsoleProgress progress) {
        SparkSession spark =
                Sessions.of("rankfeed " + goal.command() + " " + job.dataset(), conf, Sessions.needsOf(job));
        spark.sparkContext().addSparkListener(progress);
        return spark;
    }

    private void say(String line) {
        out.println(Console.printable(line));
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static String timestamped() {
        String time = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(ZonedDateTime.now(ZoneOffset.UTC));
        return time + "-" + UUID.randomUUID().toString().substring(0, 8);
    }
}
