package io.rankfeed.spark.run;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StreamCapabilities;

/**
 * A file whose bytes go to the disk while it is written: every so many of them another thread asks for what is there to
 * be on disk, so that the disk does not stand still until the file's end and little is left to wait for then. One
 * request at a time, and the writer waits for none before {@link #sync}.
 */
final class SteadySync extends OutputStream {
    static final long STEP_BYTES = 32L << 20;

    /** Hardly more threads than tasks; none of them keeps a JVM alive. */
    private static final Executor SYNCS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "rankfeed-sync");
        thread.setDaemon(true);
        return thread;
    });

    private final FSDataOutputStream file;
    private final long stepBytes;
    private long sinceBytes;
    private CompletableFuture<Void> asked = CompletableFuture.completedFuture(null);

    SteadySync(FSDataOutputStream file) {
        this(file, STEP_BYTES);
    }

    /** @param stepBytes after how many bytes the disk is asked for them */
    SteadySync(FSDataOutputStream file, long stepBytes) {
        this.file = file;
        this.stepBytes = file.hasCapability(StreamCapabilities.HSYNC) ? stepBytes : Long.MAX_VALUE;
    }

    @Override
    public void write(int value) throws IOException {
        file.write(value);
        written(1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        file.write(bytes, from, count);
        written(count);
    }

    private void written(int count) {
        sinceBytes += count;
        // Whoever fails is not asked again: a file system may tell of bytes that it lost only once.
        if (sinceBytes >= stepBytes && asked.isDone() && !asked.isCompletedExceptionally()) {
            sinceBytes = 0;
            asked = CompletableFuture.runAsync(this::syncWritten, SYNCS);
        }
    }

    private void syncWritten() {
        try {
            Storage.sync(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void flush() throws IOException {
        file.flush();
    }

    /** Waits until all is on disk, where the file system knows how. */
    void sync() throws IOException {
        try {
            asked.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof UncheckedIOException told ? told.getCause() : new IOException(e);
        }
        Storage.sync(file);
    }

    /** Asks for nothing to be on disk. */
    @Override
    public void close() throws IOException {
        // A file that is closed under a request fails it.
        asked.handle((done, failure) -> null).join();
        file.close();
    }
}
