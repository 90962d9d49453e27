package io.rankfeed.spark.source.format;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.importing.tar.ForwardBytes;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.spark.source.jsonl.GzipMembers;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The content of a file, read forward; of a file {@code .gz} or {@code .tgz} its decompressed content. */
public final class StoredStream implements ForwardBytes, Closeable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final String file;
    private final InputStream in;
    private final long lengthBytes;
    private long at;

    private StoredStream(String file, InputStream in, long lengthBytes) {
        this.file = file;
        this.in = new BufferedInputStream(in, BUFFER_BYTES);
        this.lengthBytes = lengthBytes;
    }

    /** @throws EnvironmentException if the file cannot be opened */
    public static StoredStream open(String file, Configuration conf) {
        Path path = new Path(file);
        FileSystem fs = Storage.of(path, conf);
        try {
            if (file.endsWith(".gz") || file.endsWith(".tgz")) {
                return new StoredStream(file, new GzipMembers(fs.open(path)), Long.MAX_VALUE);
            }
            long lengthBytes = fs.getFileStatus(path).getLen();
            return new StoredStream(file, fs.open(path), lengthBytes);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + file, e), e);
        }
    }

    public String file() {
        return file;
    }

    @Override
    public long lengthBytes() {
        return lengthBytes;
    }

    private boolean isZipped() {
        return lengthBytes == Long.MAX_VALUE;
    }

    @Override
    public boolean isEnd(long offset) {
        if (!isZipped()) {
            return offset >= lengthBytes;
        }
        try {
            skipTo(offset);
            in.mark(1);
            boolean isEnd = in.read() < 0;
            in.reset();
            return isEnd;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public byte[] read(long offset, long bytes, String what) {
        if (bytes < 0 || bytes > lengthBytes - offset) {
            throw damage(offset, what + " of " + bytes + " bytes does not fit into the file of " + lengthBytes);
        } else if (bytes > StoredBytes.MAX_BYTES) {
            throw new ConfigException(file + ", byte " + offset + ": " + what + " of " + bytes + " bytes, at most "
                    + StoredBytes.MAX_BYTES + " are read; write the file again with smaller values");
        }
        try {
            skipTo(offset);
            // Of a length that is only stated, memory grows with the bytes that there are.
            byte[] read = in.readNBytes((int) bytes);
            at += read.length;
            if (read.length < bytes) {
                throw damage(offset, what + " of " + bytes + " bytes is cut off");
            }
            return read;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void skipTo(long offset) throws IOException {
        while (at < offset) {
            long skipped = in.skip(offset - at);
            if (skipped <= 0) {
                skipped = in.read() < 0 ? 0 : 1;
            }
            if (skipped == 0) {
                throw damage(at, "the file ends here, " + (offset - at) + " bytes are missing");
            }
            at += skipped;
        }
    }

    /** Reads what follows the last value: the checksum of a gzip file is at its end. */
    public void end() {
        try {
            if (isZipped()) {
                in.transferTo(OutputStream.nullOutputStream());
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public CorruptDataException damage(long offset, String what) {
        return isZipped()
                ? new CorruptDataException(file, "byte " + offset + " of its decompressed content: " + what)
                : new CorruptDataException(file, offset, what);
    }

    private RankfeedException failed(IOException e) {
        return e instanceof GzipMembers.CorruptedException
                ? new CorruptDataException(file, String.valueOf(e.getMessage()), e)
                : new EnvironmentException(IoReason.of("cannot read " + file, e), e);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
