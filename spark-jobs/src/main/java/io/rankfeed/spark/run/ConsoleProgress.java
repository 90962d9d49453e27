package io.rankfeed.spark.run;

import io.rankfeed.console.ProgressLine;
import io.rankfeed.console.ProgressStyle;
import java.io.PrintStream;
import java.util.HashSet;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Progress on a stream: lines every few seconds, or one line rewritten in place on a terminal. Tasks and rows are those
 * of the Spark job that runs, by the name of its step: a phase may read the same rows in several. A job of one task has
 * no progress, and none is reported. Spark reports its tasks late, from a thread of its own; what it reports about jobs that
 * began before the phase, or after its end, is left out.
 */
public final class ConsoleProgress extends SparkListener implements Progress {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleProgress.class);

    private final ProgressLine out;
    private final LongSupplier nanoTime;
    private Consumer<String> kept = line -> {};
    private String phase = "start";
    private String step = "start";
    private long started;
    private int tasks;
    private int done;
    private long rows;
    private boolean running;
    private long startedMillis;
    /** The jobs that run, several if a query has independent stages. */
    private final Set<Integer> jobs = new HashSet<>();

    private final Set<Integer> stages = new HashSet<>();

    public ConsoleProgress(PrintStream out, ProgressStyle style) {
        this(new ProgressLine(out, style), System::nanoTime);
    }

    ConsoleProgress(ProgressLine out, LongSupplier nanoTime) {
        this.out = out;
        this.nanoTime = nanoTime;
        this.started = nanoTime.getAsLong();
    }

    /** Gives each message to another one too, from now on. */
    public synchronized void alsoTo(Consumer<String> keeper) {
        kept = keeper;
    }

    @Override
    public synchronized void phase(String name) {
        phase = name;
        started = nanoTime.getAsLong();
        startedMillis = System.currentTimeMillis();
        running = true;
        jobs.clear();
        forget();
        out.line(name + " …");
    }

    @Override
    public synchronized void note(String line) {
        kept.accept(line);
        out.line(String.format(Locale.ROOT, "%s: %s (%.1f s)", phase, line, (nanoTime.getAsLong() - started) / 1e9));
    }

    @Override
    public synchronized void detail(String line) {
        kept.accept(line);
        out.line(line);
    }

    @Override
    public void debug(String line) {
        LOG.debug(line);
    }

    @Override
    public synchronized void ended() {
        running = false;
        jobs.clear();
        forget();
        out.clear();
    }

    @Override
    public synchronized void onJobStart(SparkListenerJobStart job) {
        if (running && job.time() >= startedMillis) {
            if (jobs.isEmpty()) {
                forget();
            }
            step = step(job.properties());
            jobs.add(job.jobId());
            CollectionConverters.asJava(job.stageInfos()).forEach(stage -> stages.add(stage.stageId()));
        }
    }

    @Override
    public synchronized void onJobEnd(SparkListenerJobEnd job) {
        jobs.remove(job.jobId());
    }

    @Override
    public synchronized void onStageSubmitted(SparkListenerStageSubmitted stage) {
        if (stages.contains(stage.stageInfo().stageId())) {
            tasks += stage.stageInfo().numTasks();
        }
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd task) {
        if (!stages.contains(task.stageId())) {
            return;
        }
        done++;
        @Nullable TaskMetrics metrics = task.taskMetrics();
        if (metrics != null) {
            rows += metrics.inputMetrics().recordsRead();
        }
        show();
    }

    /** The step that a job's description names, if it is one of the phase: Spark and Delta describe some of their own. */
    private String step(@Nullable Properties job) {
        String description = job == null ? null : job.getProperty("spark.job.description");
        String own = phase.replaceFirst("[: ].*", "") + ": ";
        return description != null && description.startsWith(own) ? description : phase;
    }

    private void forget() {
        step = phase;
        stages.clear();
        tasks = 0;
        done = 0;
        rows = 0;
    }

    private void show() {
        if (tasks <= 1 || !out.isDue()) {
            return;
        }
        // Tasks that take their rows from a shuffle or from memory read none.
        String read = rows == 0 ? "" : String.format(Locale.ROOT, ", rows read %,d", rows);
        String state = String.format(Locale.ROOT, "%s: tasks %,d/%,d%s", step, done, tasks, read);
        out.show((double) done / tasks, state);
    }
}
