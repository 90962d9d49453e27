package io.rankfeed.export.commit;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StreamCapabilities;

/**
 * A file whose bytes go to the disk while it is written: every so many of them another thread asks for what is there to
 * be on disk, so that the disk does not stop changing until the file's end and little is left to wait for then. One
 * request at a time, and the writer waits for none before {@link #sync}.
 */
final class SteadySync extends OutputStream {
    static final long STEP_BYTES = 32L << 20;

    private final FSDataOutputStream file;
    private final long stepBytes;
    private long sinceBytes;
    private CompletableFuture<Void> asked = CompletableFuture.completedFuture(null);

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
        // Whoever fails is not asked again: a file system may report bytes that it lost only once.
        if (sinceBytes >= stepBytes && asked.isDone() && !asked.isCompletedExceptionally()) {
            sinceBytes = 0;
            asked = DiskThreads.ask(() -> Storage.sync(file));
        }
    }

    @Override
    public void flush() throws IOException {
        file.flush();
    }

    /** Waits until all is on disk, where the file system knows how. */
    void sync() throws IOException {
        DiskThreads.await(asked);
        Storage.sync(file);
    }

    /** Asks for nothing to be on disk. */
    @Override
    public void close() throws IOException {
        // A file that is closed under a request fails it.
        DiskThreads.settle(asked);
        file.close();
    }
}
