package io.rankfeed.spark.source.jsonl;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The lines of a UTF-8 stream, one at a time. A line ends with LF, CR or both. At most {@code maxBytes} of a line are in memory: a longer
 * one is read to its end and not kept.
 */
final class BoundedLines implements Closeable {
    private static final int CHUNK_BYTES = 1 << 16;

    private final InputStream in;
    private final int maxBytes;
    private long leftBytes;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private int at;
    private int end;
    private boolean isAfterCr;
    private byte[] line = new byte[1024];
    private long lengthBytes;

    BoundedLines(InputStream in, int maxBytes) {
        this(in, maxBytes, Long.MAX_VALUE);
    }

    /** @param lengthBytes of the stream, after which it is not read */
    BoundedLines(InputStream in, int maxBytes, long lengthBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
        this.leftBytes = lengthBytes;
    }

    /** Reads the next line; false at the end of the stream. */
    boolean next() throws IOException {
        lengthBytes = 0;
        boolean isLine = false;
        while (at < end || fill()) {
            if (isAfterCr) {
                isAfterCr = false;
                if (chunk[at] == '\n') {
                    at++;
                    continue;
                }
            }
            isLine = true;
            int from = at;
            while (at < end && chunk[at] != '\n' && chunk[at] != '\r') {
                at++;
            }
            append(from);
            if (at < end) {
                isAfterCr = chunk[at++] == '\r';
                return true;
            }
        }
        return isLine;
    }

    private boolean fill() throws IOException {
        at = 0;
        end = Math.max(0, in.read(chunk, 0, (int) Math.min(chunk.length, leftBytes)));
        leftBytes -= end;
        return end > 0;
    }

    private void append(int from) {
        int added = at - from;
        if (lengthBytes + added <= maxBytes) {
            int length = (int) lengthBytes;
            if (length + added > line.length) {
                line = Arrays.copyOf(line, (int) Math.min(maxBytes, Math.max(length + added, 2L * line.length)));
            }
            System.arraycopy(chunk, from, line, length, added);
        }
        lengthBytes += added;
    }

    /** The length of the line without its end. */
    long lengthBytes() {
        return lengthBytes;
    }

    boolean isTooLong() {
        return lengthBytes > maxBytes;
    }

    /** @throws CharacterCodingException if the line is not UTF-8 */
    String text() throws CharacterCodingException {
        int length = Math.toIntExact(lengthBytes);
        String text = new String(line, 0, length, StandardCharsets.UTF_8);
        if (text.indexOf('\ufffd') >= 0) {
            // It may replace invalid bytes, which this decoder refuses.
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line, 0, length));
        }
        return text;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
