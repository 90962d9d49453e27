package io.rankfeed.spark.run;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Local files under {@code watched:/…}; something can be done before a file is opened. For all of this JVM. */
public final class WatchedFs extends RawLocalFileSystem {
    /** Files opened since {@link #reset}. */
    static final AtomicInteger OPENS = new AtomicInteger();

    private static volatile int actAt;
    private static volatile Runnable action = () -> {};

    static void reset() {
        before(0, () -> {});
    }

    /** @param open the number of the opened file, from 1, before which something is done; 0 for never */
    static void before(int open, Runnable what) {
        OPENS.set(0);
        action = what;
        actAt = open;
    }

    @Override
    public URI getUri() {
        return URI.create("watched:///");
    }

    @Override
    public FSDataInputStream open(Path path, int bufferBytes) throws IOException {
        if (OPENS.incrementAndGet() == actAt) {
            action.run();
        }
        return super.open(path, bufferBytes);
    }
}
