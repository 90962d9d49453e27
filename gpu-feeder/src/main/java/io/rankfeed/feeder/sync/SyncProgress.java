package io.rankfeed.feeder.sync;

import io.rankfeed.console.Log;
import io.rankfeed.console.LogEvent;
import io.rankfeed.console.ProgressLine;
import io.rankfeed.console.ProgressStyle;
import io.rankfeed.schema.config.ByteSize;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Prints the progress of a long pass over bytes. */
public final class SyncProgress implements AutoCloseable {
    private final String what;
    private final long totalBytes;
    private final ProgressLine out;
    private final LongConsumer listener;
    private final long startNanos = System.nanoTime();
    private final AtomicLong doneBytes = new AtomicLong();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread ticker;

    private SyncProgress(String what, long totalBytes, ProgressLine out, LongConsumer listener) {
        this.what = what;
        this.totalBytes = totalBytes;
        this.out = out;
        this.listener = listener;
        this.ticker = Thread.ofPlatform().daemon().name("progress").unstarted(this::tick);
    }

    /** Prints the progress until it is closed; prints nothing if there are no bytes. */
    public static SyncProgress start(String what, long totalBytes, ProgressStyle style, Log log) {
        return start(what, totalBytes, style, log, bytes -> {});
    }

    /** @param listener receives the bytes of each {@link #add} */
    static SyncProgress start(String what, long totalBytes, ProgressStyle style, Log log, LongConsumer listener) {
        ProgressLine line = new ProgressLine(System.err, log, totalBytes == 0 ? ProgressStyle.NONE : style);
        SyncProgress progress = new SyncProgress(what, totalBytes, line, listener);
        if (!line.isSilent()) {
            progress.ticker.start();
        }
        return progress;
    }

    /** Counts bytes as done; any thread may call this. */
    public void add(long bytes) {
        doneBytes.addAndGet(bytes);
        listener.accept(bytes);
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
                .with("done_bytes", Math.min(doneBytes.get(), totalBytes))
                .with("total_bytes", totalBytes)
                .with("seconds", elapsedNanos / 1e9);
    }

    /** Formats the state after some time as one line. */
    String line(long elapsedNanos) {
        long done = Math.min(doneBytes.get(), totalBytes);
        double seconds = Math.max(elapsedNanos, 1) / 1e9;
        double perSecond = done / seconds;
        String eta = done >= totalBytes
                ? String.format(Locale.ROOT, "in %.1f s", seconds)
                : perSecond > 0 ? "ETA " + time((long) ((totalBytes - done) / perSecond)) : "ETA unknown";
        return String.format(
                Locale.ROOT,
                "%s %d%% of %s, %s/s, %s",
                what,
                totalBytes == 0 ? 100 : (int) (100.0 * done / totalBytes),
                ByteSize.rounded(totalBytes),
                ByteSize.rounded((long) perSecond),
                eta);
    }

    private void tick() {
        try {
            while (!closed.await(out.interval().toMillis(), TimeUnit.MILLISECONDS)) {
                out.show((double) doneBytes.get() / totalBytes, event(System.nanoTime() - startNanos));
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
