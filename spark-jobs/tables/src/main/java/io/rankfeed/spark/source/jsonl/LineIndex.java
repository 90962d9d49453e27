package io.rankfeed.spark.source.jsonl;

import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The offset of each line of a file, and the digest of the file. Both are found in one pass and are small enough to
 * keep. A line ends as in {@link java.io.BufferedReader#readLine}: by LF, CR, or both.
 *
 * <pre>
 *   u32 magic "RFLI"  u64 length of the file  u64 its modification time (ms)  32 bytes SHA-256  u32 lines n
 *   n × varint: bytes of the line with its end  u32 CRC32C of all before          (numbers big-endian)
 * </pre>
 */
public final class LineIndex {
    /** The maximum number of lines of a file, which limits the memory of the index; longer files must be split. */
    private static final int MAX_LINES = 1 << 27;

    /** Maximum bytes of a line with its end. */
    private static final int MAX_BYTES_WITH_END = JsonlLines.MAX_LINE_BYTES + 2;

    private static final int MAGIC = 0x52464C49;
    private static final int HEAD_BYTES = 4 + 8 + 8 + 32 + 4;
    private static final int CHUNK_BYTES = 1 << 17;

    private final String sha256;
    private final long[] starts;

    /** @param starts of the lines, then the file's length */
    private LineIndex(String sha256, long[] starts) {
        this.sha256 = sha256;
        this.starts = starts;
    }

    /** Returns the SHA-256 of the file, in hexadecimal. */
    public String sha256() {
        return sha256;
    }

    /** Returns the number of lines, blank ones included. */
    public int lines() {
        return starts.length - 1;
    }

    /** Returns the offset of a line; for the number of lines, the length of the file. */
    long start(int line) {
        return starts[line];
    }

    /**
     * Reads a file to its end.
     *
     * @param name for messages
     * @throws CorruptDataException if a line is longer than lines may be
     */
    static LineIndex scan(String name, InputStream file) throws IOException {
        MessageDigest digest = Sha256.digest();
        byte[] chunk = new byte[CHUNK_BYTES];
        long[] starts = new long[1024];
        int lines = 0;
        long at = 0;
        byte before = '\n';
        for (int n = file.read(chunk); n >= 0; n = file.read(chunk)) {
            digest.update(chunk, 0, n);
            for (int i = 0; i < n; i++) {
                byte now = chunk[i];
                boolean begins = before == '\n' || (before == '\r' && now != '\n');
                if (begins) {
                    if (lines == MAX_LINES) {
                        throw new ConfigException(name + " has more than " + MAX_LINES + " lines; split it");
                    }
                    if (lines + 1 == starts.length) {
                        starts = Arrays.copyOf(starts, 2 * starts.length);
                    }
                    starts[lines++] = at + i;
                }
                if (now == '\r' || (now == '\n' && before != '\r')) {
                    refuseTooLong(name, lines, at + i - starts[lines - 1]);
                }
                before = now;
            }
            at += n;
        }
        starts = Arrays.copyOf(starts, lines + 1);
        starts[lines] = at;
        if (before != '\n' && before != '\r') {
            refuseTooLong(name, lines, at - starts[lines - 1]);
        }
        return new LineIndex(Sha256.hexOf(digest.digest()), starts);
    }

    private static void refuseTooLong(String name, int number, long lengthBytes) {
        if (lengthBytes > JsonlLines.MAX_LINE_BYTES) {
            throw JsonlLines.Line.tooLong(name + ":" + number, lengthBytes);
        }
    }

    byte[] toBytes(long modifiedMillis) {
        ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES + 5 * lines() + 4);
        out.putInt(MAGIC).putLong(starts[lines()]).putLong(modifiedMillis);
        out.put(HexFormat.of().parseHex(sha256)).putInt(lines());
        for (int i = 0; i < lines(); i++) {
            int bytes = (int) (starts[i + 1] - starts[i]);
            while (bytes > 0x7f) {
                out.put((byte) (bytes | 0x80));
                bytes >>>= 7;
            }
            out.put((byte) bytes);
        }
        return Arrays.copyOf(out.putInt(crc(out.array(), out.position())).array(), out.position());
    }

    /** The index of a file of this length and time, or nothing where the bytes are another's, or damaged. */
    static Optional<LineIndex> parse(byte[] bytes, long lengthBytes, long modifiedMillis) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int end = bytes.length - 4;
        if (end < HEAD_BYTES
                || in.getInt(end) != crc(bytes, end)
                || in.getInt() != MAGIC
                || in.getLong() != lengthBytes
                || in.getLong() != modifiedMillis) {
            return Optional.empty();
        }
        byte[] sha256 = new byte[32];
        in.get(sha256);
        int lines = in.getInt();
        if (lines < 0 || lines > end - HEAD_BYTES) {
            return Optional.empty();
        }
        long[] starts = new long[lines + 1];
        for (int i = 0; i < lines; i++) {
            int length = 0;
            byte part = (byte) 0x80;
            for (int shift = 0; part < 0 && shift < 35 && in.position() < end; shift += 7) {
                part = in.get();
                length |= (part & 0x7f) << shift;
            }
            if (length < 0 || length > MAX_BYTES_WITH_END) {
                return Optional.empty();
            }
            starts[i + 1] = starts[i] + length;
        }
        return starts[lines] == lengthBytes && in.position() == end
                ? Optional.of(new LineIndex(Sha256.hexOf(sha256), starts))
                : Optional.empty();
    }

    private static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
