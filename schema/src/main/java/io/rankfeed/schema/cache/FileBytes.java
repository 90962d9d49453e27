package io.rankfeed.schema.cache;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.failure.RankfeedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Supplier;

/** A file of known length, read by offset; nothing is allocated for bytes that it does not have. */
public final class FileBytes {
    private final CacheSource source;
    private final String file;
    private final long lengthBytes;

    /** @param file for messages */
    public FileBytes(CacheSource source, String file) {
        this.source = source;
        this.file = file;
        try {
            this.lengthBytes = source.size();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    public String file() {
        return file;
    }

    public long lengthBytes() {
        return lengthBytes;
    }

    /** Returns the little-endian bytes at an offset. @throws CorruptDataException if the file does not have them all */
    public ByteBuffer read(long offset, long bytes, String what) {
        if (offset < 0 || bytes < 0 || bytes > lengthBytes - offset || bytes > Integer.MAX_VALUE - 8) {
            throw damage(offset, what + " of " + bytes + " bytes does not fit into the file's " + lengthBytes);
        }
        ByteBuffer buffer = ByteBuffer.allocate((int) bytes).order(ByteOrder.LITTLE_ENDIAN);
        readInto(buffer, offset);
        return buffer.flip();
    }

    /** Fills what remains of the buffer. */
    public void readInto(ByteBuffer buffer, long offset) {
        long at = offset;
        try {
            while (buffer.hasRemaining()) {
                int n = source.read(buffer, at);
                if (n < 0) {
                    throw damage(at, "the file ends here; it was " + lengthBytes + " bytes long when it was opened");
                }
                at += n;
            }
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** The exception for bytes that are not what they must be. */
    public CorruptDataException damage(long offset, String what) {
        return new CorruptDataException(file, offset, what);
    }

    /**
     * Reads a flatbuffer that was not verified: its buffer checks the bounds of every access. An access outside of it, or an invalid text,
     * is damage.
     *
     * @param offset of the flatbuffer in the file
     */
    public <T> T flatbuffer(long offset, String what, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (RankfeedException e) {
            throw e;
        } catch (IndexOutOfBoundsException
                | IllegalArgumentException
                | ArithmeticException
                | NegativeArraySizeException
                | NullPointerException e) {
            throw damage(offset, "the " + what + " is not a valid flatbuffer");
        }
    }

    private EnvironmentException unreadable(IOException e) {
        return new EnvironmentException(IoReason.of(file + ": cannot be read", e), e);
    }
}
