package io.rankfeed.spark.prepare.write;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link RowLog} keeps, one row after the other, where it is: each is its length and its bytes, and begins
 * at a multiple of eight.
 *
 * <pre>
 *   u64 length in bytes, native order, a multiple of 8 | the row's bytes
 * </pre>
 */
final class RowReader implements AutoCloseable {
    static final int HEAD_BYTES = 8;

    private static final byte[] NOTHING = new byte[0];
    private static final int WINDOW_BYTES = 1 << 18;
    private static final int MAX_GROWTH_BYTES = 1 << 26;

    private final @Nullable InputStream rest;
    private final Iterator<RowMemory.Chunk> chunks;
    private byte[] window;
    private int at;
    private int end;

    /** Reads rows in memory. */
    RowReader(Iterator<RowMemory.Chunk> rows) {
        this.window = NOTHING;
        this.chunks = rows;
        this.rest = null;
    }

    /** Reads rows of a stream, which is closed with this reader. */
    RowReader(InputStream rows) {
        this.window = new byte[WINDOW_BYTES];
        this.chunks = Collections.emptyIterator();
        this.rest = rows;
    }

    /** Whether another row follows. */
    boolean hasNext() throws IOException {
        return at < end || filled(1);
    }

    /** Points a row to the next one, which stays so until anything else is read. */
    void next(UnsafeRow row) throws IOException {
        int length = length();
        if (!filled(length)) {
            throw new EOFException("a row is truncated");
        }
        row.pointTo(window, Platform.BYTE_ARRAY_OFFSET + at, length);
        at += length;
    }

    /** Skips the next row and returns how long it is, without its head. */
    int skip() throws IOException {
        int length = length();
        if (length <= end - at) {
            at += length;
            return length;
        }
        if (rest == null) {
            throw new EOFException("a row is truncated");
        }
        rest.skipNBytes(length - (end - at));
        at = end;
        return length;
    }

    void skip(int rows) throws IOException {
        for (int i = 0; i < rows; i++) {
            skip();
        }
    }

    private int length() throws IOException {
        if (!filled(HEAD_BYTES)) {
            throw new EOFException("the rows are truncated");
        }
        long length = Platform.getLong(window, Platform.BYTE_ARRAY_OFFSET + at);
        at += HEAD_BYTES;
        return Math.toIntExact(length);
    }

    /** Brings so many bytes into the window. */
    private boolean filled(int wanted) throws IOException {
        if (end - at >= wanted) {
            return true;
        }
        if (rest == null) {
            return at == end && nextChunk() && end >= wanted;
        }
        byte[] from = window;
        if (wanted > window.length) {
            window = new byte[Math.max(wanted, Math.min(2 * window.length, MAX_GROWTH_BYTES))];
        }
        System.arraycopy(from, at, window, 0, end - at);
        end -= at;
        at = 0;
        while (end < wanted) {
            int read = rest.read(window, end, window.length - end);
            if (read < 0) {
                return false;
            }
            end += read;
        }
        return true;
    }

    private boolean nextChunk() {
        if (!chunks.hasNext()) {
            return false;
        }
        RowMemory.Chunk chunk = chunks.next();
        window = chunk.bytes();
        at = 0;
        end = chunk.used();
        return true;
    }

    @Override
    public void close() throws IOException {
        if (rest != null) {
            rest.close();
        }
    }
}
