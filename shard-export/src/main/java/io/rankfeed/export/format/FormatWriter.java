package io.rankfeed.export.format;

import java.io.IOException;

/** Writes the rows of one part. Not thread-safe. */
public interface FormatWriter extends AutoCloseable {
    /** Writes a row, whose values are no longer used after the call. */
    void row(FormatRow row) throws IOException;

    /** Writes and publishes what is left. */
    PartSummary finish() throws IOException;

    /** Releases the resources. Without {@link #finish} the files that are open are not published. */
    @Override
    void close() throws IOException;
}
