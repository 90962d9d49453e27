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

    @Override
    public void write(int value) throws IOException {
        try {
            out.write(value);
        } catch (IOException | FSError e) {
            throw named(e);
        }
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        try {
            out.write(bytes, from, count);
        } catch (IOException | FSError e) {
            throw named(e);
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException | FSError e) {
            throw named(e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            out.close();
        } catch (IOException | FSError e) {
            throw named(e);
        }
    }

    /** Hadoop's local file system wraps the exception of a full disk in an error. */
    private IOException named(Throwable e) {
        Throwable reason = e instanceof FSError && e.getCause() != null ? e.getCause() : e;
        return new Failure(Storage.reason("cannot write " + file, file, reason), e);
    }

    /** A failure whose message is complete. */
    static final class Failure extends IOException {
        private static final long serialVersionUID = 1L;

        Failure(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
