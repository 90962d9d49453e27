package io.rankfeed.spark.run;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.jspecify.annotations.Nullable;

/** Progress on a stream: lines every few seconds, or one line rewritten in place on a terminal. */
public final class ConsoleProgress extends SparkListener implements Progress {
    /** How to tell it. */
    public enum Style {
        /** A bar on a terminal, lines elsewhere. */
        AUTO,
        PLAIN,
        NONE
    }

    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final int BAR_CHARS = 24;

    private final PrintStream out;
    private final boolean silent;
    private final boolean rewritten;
    private String phase = "start";
    private long started = System.nanoTime();
    private long told = System.nanoTime();
    private int tasks;
    private int done;
    private long rows;
    private boolean barShown;

    public ConsoleProgress(PrintStream out, Style style) {
        this.out = out;
        this.silent = style == Style.NONE;
        this.rewritten = style == Style.AUTO && stderrIsTerminal();
    }

    @Override
    public synchronized void phase(String name) {
        phase = name;
        started = System.nanoTime();
        tasks = 0;
        done = 0;
        rows = 0;
        line(name + " …");
    }

    @Override
    public synchronized void note(String line) {
        line(String.format("%s: %s (%.1f s)", phase, line, (System.nanoTime() - started) / 1e9));
    }

    @Override
    public synchronized void onStageSubmitted(SparkListenerStageSubmitted stage) {
        tasks += stage.stageInfo().numTasks();
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd task) {
        done++;
        @Nullable TaskMetrics metrics = task.taskMetrics();
        if (metrics != null) {
            rows += metrics.inputMetrics().recordsRead();
        }
        tell();
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
        long now = System.nanoTime();
        long every = rewritten ? EVERY.toNanos() / 20 : EVERY.toNanos();
        if (silent || now - told < every) {
            return;
        }
        told = now;
        String state = String.format("%s: tasks %,d/%,d, rows read %,d", phase, done, tasks, rows);
        if (rewritten) {
            int filled = tasks == 0 ? 0 : Math.min(BAR_CHARS, BAR_CHARS * done / tasks);
            out.print("\r[" + "#".repeat(filled) + ".".repeat(BAR_CHARS - filled) + "] " + state + "   ");
            out.flush();
            barShown = true;
        } else {
            out.println(state);
        }
    }

    private void line(String text) {
        if (silent) {
            return;
        }
        if (barShown) {
            out.print("\r\u001b[K");
            barShown = false;
        }
        out.println(text);
    }
}
