package io.rankfeed.feeder.sync;

import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Tells how far a long pass over bytes is: a bar that redraws itself on a terminal, a line every few seconds elsewhere. */
public final class SyncProgress implements AutoCloseable {
    /** How to tell. */
    public enum Style {
        BAR,
        LINES,
        NONE;

        /** @throws ConfigException if the word is none of auto, plain and none */
        public static Style fromWish(String word) {
            return switch (word) {
                case "auto" -> ofThisProcess();
                case "plain" -> LINES;
                case "none" -> NONE;
                default -> throw new ConfigException("--progress '" + word + "' is none of auto, plain, none");
            };
        }

        /** A bar where standard error is a terminal. */
        public static Style ofThisProcess() {
            return stderrIsTerminal() ? BAR : LINES;
        }

        /** The console of the runtime is about standard input and output. */
        private static boolean stderrIsTerminal() {
            try {
                String target = Path.of("/proc/self/fd/2").toRealPath().toString();
                return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
            } catch (IOException e) {
                return false;
            }
        }
    }

    private static final Duration BAR_EVERY = Duration.ofMillis(200);
    private static final Duration LINE_EVERY = Duration.ofSeconds(5);
    private static final String CLEAR_REST = "\u001b[K";
    private static final int BAR_CHARS = 30;

    private final String what;
    private final long totalBytes;
    private final Style style;
    private final PrintStream out;
    private final long startNanos = System.nanoTime();
    private final AtomicLong doneBytes = new AtomicLong();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread ticker;

    private SyncProgress(String what, long totalBytes, Style style, PrintStream out) {
        this.what = what;
        this.totalBytes = totalBytes;
        this.style = style;
        this.out = out;
        this.ticker = Thread.ofPlatform().daemon().name("progress").unstarted(this::tick);
    }

    /** Starts telling; nothing is told where there are no bytes to wait for. */
    public static SyncProgress start(String what, long totalBytes, Style style, PrintStream out) {
        SyncProgress progress = new SyncProgress(what, totalBytes, totalBytes == 0 ? Style.NONE : style, out);
        if (progress.style != Style.NONE) {
            progress.ticker.start();
        }
        return progress;
    }

    /** Counts bytes as done; from any thread. */
    public void add(long bytes) {
        doneBytes.addAndGet(bytes);
    }

    /** Tells the end and stops. */
    @Override
    public void close() {
        closed.countDown();
        if (style == Style.NONE) {
            return;
        }
        try {
            ticker.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        out.println((style == Style.BAR ? "\r" : "")
                + line(System.nanoTime() - startNanos)
                + (style == Style.BAR ? CLEAR_REST : ""));
    }

    /** The state after some time, as one line. */
    String line(long elapsedNanos) {
        long done = Math.min(doneBytes.get(), totalBytes);
        double seconds = Math.max(elapsedNanos, 1) / 1e9;
        double perSecond = done / seconds;
        String eta = done >= totalBytes
                ? String.format(Locale.ROOT, "in %.1f s", seconds)
                : perSecond > 0 ? "ETA " + time((long) ((totalBytes - done) / perSecond)) : "ETA unknown";
        String bar = style == Style.BAR ? bar(done) + " " : "";
        return String.format(
                Locale.ROOT,
                "%s %s%d%% of %s, %s/s, %s",
                what,
                bar,
                totalBytes == 0 ? 100 : (int) (100.0 * done / totalBytes),
                ByteSize.rounded(totalBytes),
                ByteSize.rounded((long) perSecond),
                eta);
    }

    private void tick() {
        Duration every = style == Style.BAR ? BAR_EVERY : LINE_EVERY;
        try {
            while (!closed.await(every.toMillis(), TimeUnit.MILLISECONDS)) {
                String line = line(System.nanoTime() - startNanos);
                out.print(style == Style.BAR ? "\r" + line + CLEAR_REST : line + System.lineSeparator());
                out.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String bar(long done) {
        int filled = (int) ((double) done / Math.max(totalBytes, 1) * BAR_CHARS);
        return "[" + "#".repeat(filled) + "-".repeat(BAR_CHARS - filled) + "]";
    }

    private static String time(long seconds) {
        return seconds < 60
                ? seconds + " s"
                : String.format(Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
}
