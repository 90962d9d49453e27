package io.rankfeed.export.format;

import java.io.IOException;
import java.io.OutputStream;

/** A file under construction. Closing it without {@link #publish} leaves nothing. */
public interface PartFile extends AutoCloseable {
    /** The stream to write to, without a buffer. {@link #publish} closes it. */
    OutputStream stream();

    /**
     * Ends the file and gives it its name.
     *
     * @param rows rows in it, or -1
     */
    void publish(long rows) throws IOException;

    @Override
    void close() throws IOException;
}
