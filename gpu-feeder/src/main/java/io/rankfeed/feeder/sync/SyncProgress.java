package io.rankfeed.feeder.sync;

import io.rankfeed.console.Log;
import io.rankfeed.console.LogEvent;
import io.rankfeed.console.ProgressLine;
import io.rankfeed.console.ProgressStyle;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Prints the progress of a long pass over bytes, or over files. */
public final class SyncProgress implements AutoCloseable {
    private final String what;
    private final Unit unit;
    private final long total;
    private final ProgressLine out;
    private final LongConsumer listener;
    private final long startNanos = System.nanoTime();
    private final AtomicLong done = new AtomicLong();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread ticker;

    /** What is counted. */
    private enum Unit {
        BYTES,
        FILES;

        String shown(long count) {
            return this == BYTES ? ByteSize.rounded(count) : Plural.counted(count, "file");
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private SyncProgress(String what, Unit unit, long total, ProgressLine out, LongConsumer listener) {
        this.what = what;
        this.unit = unit;
        this.total = total;
        this.out = out;
        this.listener = listener;
        this.ticker = Thread.ofPlatform().daemon().name("progress").unstarted(this::tick);
    }

    /** Prints the progress until it is closed; prints nothing if there are no bytes. */
    public static SyncProgress start(String what, long totalBytes, ProgressStyle style, Log log) {
        return start(what, totalBytes, style, log, bytes -> {});
    }

    /** Prints the progress over files until it is closed. */
    public static SyncProgress ofFiles(String what, long files, ProgressStyle style, Log log) {
        return start(what, Unit.FILES, files, style, log, file -> {});
    }

    /** @param listener receives the bytes of each {@link #add} */
    static SyncProgress start(String what, long totalBytes, ProgressStyle style, Log log, LongConsumer listener) {
        return start(what, Unit.BYTES, totalBytes, style, log, listener);
    }

    private static SyncProgress start(
            String what, Unit unit, long total, ProgressStyle style, Log log, LongConsumer listener) {
        ProgressLine line = new ProgressLine(System.err, log, total == 0 ? ProgressStyle.NONE : style);
        SyncProgress progress = new SyncProgress(what, unit, total, line, listener);
        if (!line.isSilent()) {
            progress.ticker.start();
        }
        return progress;
    }

    /** Counts bytes or files as done; any thread may call this. */
    public void add(long more) {
        done.addAndGet(more);
        listener.accept(more);
    }

    /** Prints the result and stops. */
    @Override
    public void close() {
        closed.countDown();
        if (out.isSilent()) {
            return;
        }
        try {
            ticker.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        out.line(event(System.nanoTime() - startNanos));
    }

    private LogEvent event(long elapsedNanos) {
        return LogEvent.info(line(elapsedNanos))
                .with("done_" + unit.word(), Math.min(done.get(), total))
                .with("total_" + unit.word(), total)
                .with("seconds", elapsedNanos / 1e9);
    }

    /** Formats the state after some time as one line. */
    String line(long elapsedNanos) {
        long passed = Math.min(done.get(), total);
        double seconds = Math.max(elapsedNanos, 1) / 1e9;
        double perSecond = passed / seconds;
        String eta = passed >= total
                ? String.format(Locale.ROOT, "in %.1f s", seconds)
                : perSecond > 0 ? "ETA " + time((long) ((total - passed) / perSecond)) : "ETA unknown";
        return String.format(
                Locale.ROOT,
                "%s %d%% of %s, %s/s, %s",
                what,
                total == 0 ? 100 : (int) (100.0 * passed / total),
                unit.shown(total),
                unit.shown((long) perSecond),
                eta);
    }

    private void tick() {
        try {
            while (!closed.await(out.interval().toMillis(), TimeUnit.MILLISECONDS)) {
                out.show((double) done.get() / total, event(System.nanoTime() - startNanos));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String time(long seconds) {
        return seconds < 60
                ? seconds + " s"
                : String.format(Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
}
