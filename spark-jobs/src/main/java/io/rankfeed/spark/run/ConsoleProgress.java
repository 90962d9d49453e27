package io.rankfeed.spark.run;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
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
 * no progress, and none is told. Spark tells of its tasks late, from a thread of its own; what it tells of jobs that
 * began before the phase, or after its end, is left out.
 */
public final class ConsoleProgress extends SparkListener implements Progress {
    /** How to tell it. */
    public enum Style {
        /** A bar on a terminal, lines elsewhere. */
        AUTO,
        PLAIN,
        NONE
    }

    /** What it comes to. */
    enum Shape {
        BAR,
        LINES,
        NOTHING
    }

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleProgress.class);
    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final int BAR_CHARS = 24;

    private final PrintStream out;
    private final Shape shape;
    private final LongSupplier nanoTime;
    private String phase = "start";
    private String step = "start";
    private long started;
    private long told;
    private int tasks;
    private int done;
    private long rows;
    private boolean running;
    private long startedMillis;
    /** Several at once, where a query has stages that wait for none. */
    private final Set<Integer> jobs = new HashSet<>();

    private final Set<Integer> stages = new HashSet<>();
    private boolean barShown;

    public ConsoleProgress(PrintStream out, Style style) {
        this(out, shape(style), System::nanoTime);
    }

    ConsoleProgress(PrintStream out, Shape shape, LongSupplier nanoTime) {
        this.out = out;
        this.shape = shape;
        this.nanoTime = nanoTime;
        this.started = nanoTime.getAsLong();
        this.told = started;
    }

    private static Shape shape(Style style) {
        return switch (style) {
            case NONE -> Shape.NOTHING;
            case PLAIN -> Shape.LINES;
            case AUTO -> stderrIsTerminal() ? Shape.BAR : Shape.LINES;
        };
    }

    @Override
    public synchronized void phase(String name) {
        phase = name;
        started = nanoTime.getAsLong();
        startedMillis = System.currentTimeMillis();
        running = true;
        jobs.clear();
        forget();
        line(name + " …");
    }

    @Override
    public synchronized void note(String line) {
        line(String.format(Locale.ROOT, "%s: %s (%.1f s)", phase, line, (nanoTime.getAsLong() - started) / 1e9));
    }

    @Override
    public synchronized void detail(String line) {
        line(line);
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
        line("");
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
        tell();
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

    /** System.console asks about stdin and stdout, and says something else from JDK 22 on. */
    private static boolean stderrIsTerminal() {
        try {
            String target = Path.of("/proc/self/fd/2").toRealPath().toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException e) {
            return false;
        }
    }

    private void tell() {
        long now = nanoTime.getAsLong();
        long every = shape == Shape.BAR ? EVERY.toNanos() / 20 : EVERY.toNanos();
        if (shape == Shape.NOTHING || tasks <= 1 || now - told < every) {
            return;
        }
        told = now;
        // Tasks that take their rows from a shuffle or from memory read none.
        String read = rows == 0 ? "" : String.format(Locale.ROOT, ", rows read %,d", rows);
        String state = String.format(Locale.ROOT, "%s: tasks %,d/%,d%s", step, done, tasks, read);
        if (shape == Shape.BAR) {
            int filled = tasks == 0 ? 0 : Math.min(BAR_CHARS, BAR_CHARS * done / tasks);
            out.print("\r[" + "#".repeat(filled) + ".".repeat(BAR_CHARS - filled) + "] " + state + "   ");
            out.flush();
            barShown = true;
        } else {
            out.println(state);
        }
    }

    private void line(String text) {
        if (shape == Shape.NOTHING) {
            return;
        }
        if (barShown) {
            out.print("\r\u001b[K");
            barShown = false;
        }
        if (!text.isEmpty()) {
            out.println(text);
        }
    }
}
