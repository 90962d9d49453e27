package io.rankfeed.export.commit;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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
        } catch (IOException e) {
            throw named(e);
        }
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        try {
            out.write(bytes, from, count);
        } catch (IOException e) {
            throw named(e);
        }
    }

    private IOException named(IOException e) {
        return new Failure(Storage.reason("cannot write " + file, file, e), e);
    }

    /** A failure whose message is complete. */
    static final class Failure extends IOException {
        private static final long serialVersionUID = 1L;

        Failure(String message, IOException cause) {
            super(message, cause);
        }
    }
}
