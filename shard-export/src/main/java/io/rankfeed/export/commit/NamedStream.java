package io.rankfeed.export.commit;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.Path;

/** A file's stream whose failures say of which file they are. */
final class NamedStream extends FilterOutputStream {
    private final Path file;

    NamedStream(OutputStream out, Path file) {
        super(out);
        this.file = file;
    }

    /** A request to the stream. */
    private interface Request {
        void run() throws IOException;
    }

    @Override
    public void write(int value) throws IOException {
        named(() -> out.write(value));
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        named(() -> out.write(bytes, from, count));
    }

    @Override
    public void flush() throws IOException {
        named(out::flush);
    }

    @Override
    public void close() throws IOException {
        named(out::close);
    }

    private void named(Request request) throws IOException {
        try {
            request.run();
        } catch (IOException | FSError e) {
            // Hadoop's local file system wraps the exception of a full disk in an error.
            Throwable reason = e instanceof FSError && e.getCause() != null ? e.getCause() : e;
            throw new Failure(Storage.reason("cannot write " + file, file, reason), e);
        }
    }

    /** A failure whose message is complete. */
    static final class Failure extends IOException {
        private static final long serialVersionUID = 1L;

        Failure(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
