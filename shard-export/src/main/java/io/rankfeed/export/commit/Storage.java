package io.rankfeed.export.commit;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.failure.MissingClient;
import io.rankfeed.schema.failure.RankfeedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.UnsupportedFileSystemException;

/**
 * The few file system operations that commits need. They throw {@link EnvironmentException}, and
 * {@link ConfigException} if the client is missing.
 */
public final class Storage {
    private static final int RENAME_ATTEMPTS = 4;
    private static final Duration RENAME_PAUSE = Duration.ofMillis(200);

    /** Instructions for adding the jars of a file system; part of messages. */
    public static final String JARS = "submit with --packages (./rankfeed --spark \"--packages …\")";

    private Storage() {}

    /** The file system of a path; the local one without Hadoop's {@code .crc} sidecars, which other readers trip over. */
    public static FileSystem of(Path path, Configuration conf) {
        try {
            FileSystem fs = path.getFileSystem(conf);
            return fs instanceof LocalFileSystem local ? local.getRawFileSystem() : fs;
        } catch (IOException | RuntimeException | LinkageError e) {
            throw failed("reach the file system of", path, e);
        }
    }

    /**
     * The content of a small file, or nothing where there is none.
     *
     * @throws CorruptDataException if it is longer than any such file
     */
    public static Optional<byte[]> read(FileSystem fs, Path path, long maxBytes) {
        try {
            FileStatus status = fs.getFileStatus(path);
            if (status.getLen() > maxBytes) {
                throw new CorruptDataException(
                        path.toString(), "has " + status.getLen() + " bytes; at most " + maxBytes + " are read");
            }
            try (InputStream in = fs.open(path)) {
                return Optional.of(in.readNBytes((int) status.getLen()));
            }
        } catch (FileNotFoundException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw failed("read", path, e);
        }
    }

    /** Puts bytes under a name in one step: an attempt name first, then a rename over what was there. */
    public static void replace(FileSystem fs, Path path, byte[] bytes, String attempt) {
        Path staged = new Path(path.getParent(), "_" + attempt + "-" + path.getName());
        try {
            try (FSDataOutputStream out = fs.create(staged, true)) {
                out.write(bytes);
                sync(out);
            }
            renameOver(fs, staged, path);
        } catch (IOException e) {
            throw failed("write", path, e);
        }
    }

    /**
     * A rename to where nothing was a moment ago. What it was refused, or the answer that was lost on its way, is asked
     * for again a few times, as long as the result is unknown.
     *
     * @return whether it was made here for certain; else something is there now, ours perhaps
     * @throws IOException if nothing is there in the end
     */
    static boolean renameNew(FileSystem fs, Path from, Path to) throws IOException {
        for (int attempt = 1; ; attempt++) {
            IOException failure;
            try {
                if (fs.rename(from, to)) {
                    return true;
                }
                failure = new IOException("the file system refused to rename " + from);
            } catch (IOException e) {
                failure = e;
            }
            if (fs.exists(to)) {
                return false;
            }
            if (attempt == RENAME_ATTEMPTS || !fs.exists(from)) {
                throw failure;
            }
            pause(RENAME_PAUSE.multipliedBy(attempt));
        }
    }

    private static void pause(Duration duration) throws InterruptedIOException {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted between two attempts to rename");
        }
    }

    /**
     * A rename over what is there; in one step on HDFS and local file systems, where a reader always finds the target. A
     * rename that is refused is retried a few times; one that succeeded but returned an error is recognized.
     *
     * @param from a file that no other process renames
     */
    static void renameOver(FileSystem fs, Path from, Path to) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                renameOverOnce(fs, from, to);
                return;
            } catch (IOException e) {
                boolean isRefused = fs.exists(from);
                if (!isRefused && fs.exists(to)) {
                    return;
                }
                if (!isRefused || attempt == RENAME_ATTEMPTS) {
                    throw e;
                }
            }
            pause(RENAME_PAUSE.multipliedBy(attempt));
        }
    }

    private static void renameOverOnce(FileSystem fs, Path from, Path to) throws IOException {
        if (fs.rename(from, to)) {
            return;
        }
        // HDFS and its like refuse where something is, and overwrite for this interface alone.
        try {
            FileContext.getFileContext(fs.getUri(), fs.getConf()).rename(from, to, Options.Rename.OVERWRITE);
        } catch (UnsupportedFileSystemException e) {
            fs.delete(to, false);
            if (!fs.rename(from, to)) {
                throw new IOException("the file system refused to rename " + from, e);
            }
        }
    }

    /** Removes a folder in which nothing is; never one in which something appears meanwhile. */
    static void removeIfEmpty(FileSystem fs, Path folder) throws IOException {
        if (fs.listStatus(folder).length > 0) {
            return;
        }
        if (fs instanceof RawLocalFileSystem local) {
            // Hadoop's own looks first and removes then whatever there is.
            Files.delete(local.pathToFile(folder).toPath());
        } else {
            fs.delete(folder, false);
        }
    }

    /**
     * Makes a file unless there is one. Of several that try at once one succeeds, on HDFS and local file systems.
     *
     * @return whether it was made here
     */
    static boolean createNew(FileSystem fs, Path path, byte[] bytes) throws IOException {
        if (fs instanceof RawLocalFileSystem local) {
            // Hadoop's own looks first and creates then.
            try {
                java.nio.file.Path file = local.pathToFile(path).toPath();
                Files.write(file, bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.DSYNC);
                return true;
            } catch (FileAlreadyExistsException e) {
                return false;
            } catch (NoSuchFileException e) {
                throw (IOException) new FileNotFoundException("its folder is gone").initCause(e);
            }
        }
        try (FSDataOutputStream out = fs.create(path, false)) {
            out.write(bytes);
            sync(out);
            return true;
        } catch (IOException e) {
            if (fs.exists(path)) {
                return false;
            }
            throw e;
        }
    }

    /** Writes a small file of which torn bytes do no harm. */
    static void overwrite(FileSystem fs, Path path, byte[] bytes) throws IOException {
        try (FSDataOutputStream out = fs.create(path, true)) {
            out.write(bytes);
        }
    }

    /** Asks for the bytes to be on disk, where the stream knows how. */
    static void sync(FSDataOutputStream out) throws IOException {
        if (out.hasCapability(StreamCapabilities.HSYNC)) {
            out.hsync();
        }
    }

    /** The failure of an operation on a path. */
    public static RankfeedException failed(String verb, Path path, Throwable e) {
        Optional<ConfigException> missing = MissingClient.of(path.toString(), e, JARS);
        return missing.isPresent()
                ? missing.get()
                : new EnvironmentException(reason("cannot " + verb + " " + path, path, e), e);
    }

    /** Describes why a file or folder cannot be written, as a message {@code what: why}. */
    public static String reason(String what, Path path, Throwable e) {
        if (e instanceof NamedStream.Failure) {
            return String.valueOf(e.getMessage());
        }
        String scheme = path.toUri().getScheme();
        boolean isLocal = path.isAbsolute() && (scheme == null || scheme.equals("file"));
        return isLocal ? IoReason.of(what, java.nio.file.Path.of(path.toUri().getPath()), e) : IoReason.of(what, e);
    }
}
