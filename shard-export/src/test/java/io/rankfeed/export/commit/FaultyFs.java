package io.rankfeed.export.commit;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** Local files under {@code faulty:/…}, on a disk that may be full and with renames that may fail; for all of this JVM. */
public final class FaultyFs extends RawLocalFileSystem {
    /** How a rename may go wrong. */
    public enum Rename {
        GOOD,
        /** It is done, and then no answer comes. */
        UNANSWERED,
        /** The first two of each file are refused. */
        REFUSED_AT_FIRST,
        NEVER
    }

    /** Bytes that the disk still takes. */
    public static final AtomicLong FREE_BYTES = new AtomicLong(Long.MAX_VALUE);

    public static final AtomicInteger RENAMES = new AtomicInteger();
    public static volatile Rename rename = Rename.GOOD;

    public static void heal() {
        FREE_BYTES.set(Long.MAX_VALUE);
        RENAMES.set(0);
        rename = Rename.GOOD;
    }

    static Configuration conf() {
        Configuration conf = new Configuration();
        conf.set("fs.faulty.impl", FaultyFs.class.getName());
        return conf;
    }

    @Override
    public URI getUri() {
        return URI.create("faulty:///");
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        int count = RENAMES.incrementAndGet();
        switch (rename) {
            case NEVER -> {
                return false;
            }
            case REFUSED_AT_FIRST -> {
                return count % 3 == 0 && super.rename(from, to);
            }
            case UNANSWERED -> {
                if (super.rename(from, to)) {
                    throw new SocketTimeoutException("no answer from the name node");
                }
                return false;
            }
            default -> {
                return super.rename(from, to);
            }
        }
    }

    @Override
    public FSDataOutputStream create(
            Path file, boolean overwrite, int buffer, short replication, long block, Progressable progress)
            throws IOException {
        return limited(super.create(file, overwrite, buffer, replication, block, progress));
    }

    @Override
    public FSDataOutputStream create(
            Path file,
            FsPermission permission,
            boolean overwrite,
            int buffer,
            short replication,
            long block,
            Progressable progress)
            throws IOException {
        return limited(super.create(file, overwrite, buffer, replication, block, progress));
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        return bare(super.getFileStatus(path));
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        return Arrays.stream(super.listStatus(path)).map(FaultyFs::bare).toArray(FileStatus[]::new);
    }

    /** Hadoop's own looks up rights by the path, whose scheme must then be {@code file}. */
    private static FileStatus bare(FileStatus status) {
        return new FileStatus(
                status.getLen(),
                status.isDirectory(),
                1,
                status.getBlockSize(),
                status.getModificationTime(),
                status.getPath());
    }

    private static FSDataOutputStream limited(OutputStream out) throws IOException {
        return new FSDataOutputStream(new Limited(out), null);
    }

    private static final class Limited extends FilterOutputStream {
        Limited(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            long free = FREE_BYTES.addAndGet(-count) + count;
            out.write(bytes, from, (int) Math.max(0, Math.min(free, count)));
            if (free < count) {
                throw new IOException("No space left on device");
            }
        }
    }
}
