package io.rankfeed.export.format;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link PartFile} with a buffer, which knows its length. */
public final class CountedFile extends OutputStream {
    private static final int BUFFER_BYTES = 1 << 18;

    private final String path;
    private final PartFile file;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int buffered;
    private long flushed;

    public CountedFile(PartFiles files, String path) throws IOException {
        this.path = path;
        this.file = files.create(path);
    }

    /** Creates a file with these bytes, in which there are no rows. */
    public static void write(PartFiles files, String path, byte[] bytes) throws IOException {
        try (CountedFile file = new CountedFile(files, path)) {
            file.write(bytes);
            file.publish(-1);
        }
    }

    public String path() {
        return path;
    }

    /** Bytes so far. */
    public long position() {
        return flushed + buffered;
    }

    @Override
    public void write(int b) throws IOException {
        room(1);
        buffer[buffered++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (length >= BUFFER_BYTES) {
            drain();
            file.stream().write(bytes, offset, length);
            flushed += length;
            return;
        }
        room(length);
        System.arraycopy(bytes, offset, buffer, buffered, length);
        buffered += length;
    }

    public void write(ByteBuilder bytes) throws IOException {
        write(bytes.array(), 0, bytes.size());
    }

    /**
     * Ends the file and gives it its name.
     *
     * @param rows rows in it, or -1
     */
    public FormatFile publish(long rows) throws IOException {
        drain();
        file.publish(rows);
        return new FormatFile(path, rows, flushed);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** Closes each of them, also after an exception. Throws the first. */
    public static void closeAll(List<? extends Closeable> files) throws IOException {
        @Nullable IOException first = null;
        for (Closeable file : files) {
            try {
                file.close();
            } catch (IOException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private void room(int length) throws IOException {
        if (buffered + length > BUFFER_BYTES) {
            drain();
        }
    }

    private void drain() throws IOException {
        file.stream().write(buffer, 0, buffered);
        flushed += buffered;
        buffered = 0;
    }
}
