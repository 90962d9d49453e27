package io.rankfeed.spark.source.jsonl;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The content of a gzip file, all members after one another. Unlike {@link java.util.zip.GZIPInputStream}, which ends silently at
 * whatever follows the first member and is not a member, it refuses such bytes.
 */
public final class GzipMembers extends InputStream {
    /** Corrupted gzip data; the message says at which byte of the file. */
    public static final class CorruptedException extends IOException {
        private static final long serialVersionUID = 1L;

        private CorruptedException(String message, IOException cause) {
            super(message, cause);
        }
    }

    private static final int BUFFER_BYTES = 1 << 16;

    private final Counted raw;
    private final Positioned in;
    private @Nullable GzipCompressorInputStream member;
    private long memberStart;
    private boolean ended;

    public GzipMembers(InputStream file) {
        this.raw = new Counted(file);
        this.in = new Positioned(raw);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        try {
            while (!ended) {
                GzipCompressorInputStream open = member;
                if (open == null) {
                    ended = !nextMember();
                    continue;
                }
                int read = open.read(into, offset, length);
                if (read > 0) {
                    return read;
                }
                member = null;
            }
            return -1;
        } catch (IOException e) {
            if (raw.failed) {
                throw e;
            }
            throw new CorruptedException(
                    "invalid gzip data in the member that starts at byte " + memberStart + ": " + e.getMessage(), e);
        }
    }

    /** A file of no byte has no member; Hadoop and Spark read it as empty too. */
    private boolean nextMember() throws IOException {
        memberStart = in.position();
        in.mark(1);
        if (in.read() < 0) {
            return false;
        }
        in.reset();
        // One member: where a mark is supported the stream is left right after it.
        member = new GzipCompressorInputStream(GzipHeader.read(in));
        return true;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private static final class Counted extends InputStream {
        private final InputStream in;
        private long bytes;
        private boolean failed;

        Counted(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            try {
                int read = in.read(into, offset, length);
                bytes += Math.max(0, read);
                return read;
            } catch (IOException e) {
                failed = true;
                throw e;
            }
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    private static final class Positioned extends BufferedInputStream {
        private final Counted raw;

        Positioned(Counted raw) {
            super(raw, BUFFER_BYTES);
            this.raw = raw;
        }

        /** The offset of the next byte in the file. */
        long position() {
            return raw.bytes - (count - pos);
        }
    }
}
