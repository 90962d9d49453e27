package io.rankfeed.spark.source.format;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.StorageFailures;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A file that is read at positions. It allocates at most as many bytes as the file has; each failure names the file. */
public final class StoredBytes implements Closeable {
    /** The maximum length of an array on all Java virtual machines. */
    public static final int MAX_BYTES = Integer.MAX_VALUE - 8;

    private final String file;
    private final long lengthBytes;
    private final FSDataInputStream in;

    private StoredBytes(String file, long lengthBytes, FSDataInputStream in) {
        this.file = file;
        this.lengthBytes = lengthBytes;
        this.in = in;
    }

    /** @throws EnvironmentException if the file cannot be opened */
    public static StoredBytes open(Path path, Configuration conf) {
        FileSystem fs = Storage.of(path, conf);
        try {
            return new StoredBytes(path.toString(), fs.getFileStatus(path).getLen(), fs.open(path));
        } catch (IOException e) {
            throw unreadable(path.toString(), e);
        }
    }

    public String file() {
        return file;
    }

    public long lengthBytes() {
        return lengthBytes;
    }

    /**
     * Reads a range.
     *
     * @param what it is, for messages
     * @throws CorruptDataException if the range is not in the file
     * @throws ConfigException if it is longer than an array
     */
    public byte[] read(long offset, long length, String what) {
        if (offset < 0 || length < 0 || offset > lengthBytes - length) {
            throw damage(offset, what + " of " + length + " bytes does not fit into the file of " + lengthBytes);
        } else if (length > MAX_BYTES) {
            throw new ConfigException(file + ", byte " + offset + ": " + what + " of " + length + " bytes, at most "
                    + MAX_BYTES + " are read; write the file again with fewer rows per batch");
        }
        byte[] bytes = new byte[(int) length];
        try {
            in.readFully(offset, bytes);
        } catch (EOFException e) {
            throw damage(offset, what + " of " + length + " bytes is cut off");
        } catch (IOException e) {
            throw unreadable(file, e);
        }
        return bytes;
    }

    public CorruptDataException damage(long offset, String what) {
        return new CorruptDataException(file, offset, what);
    }

    private static EnvironmentException unreadable(String file, IOException e) {
        return new EnvironmentException("cannot read " + file + ": " + StorageFailures.firstLine(e), e);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
