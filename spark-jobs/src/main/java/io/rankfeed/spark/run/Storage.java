package io.rankfeed.spark.run;

import io.rankfeed.schema.failure.EnvironmentException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.StreamCapabilities;

/** The few file system operations that commits need, with their failures as {@link EnvironmentException}. */
public final class Storage {
    private Storage() {}

    /** The file system of a path; the local one without Hadoop's {@code .crc} sidecars, which other readers trip over. */
    public static FileSystem of(Path path, Configuration conf) {
        try {
            FileSystem fs = path.getFileSystem(conf);
            return fs instanceof LocalFileSystem local ? local.getRawFileSystem() : fs;
        } catch (IOException | IllegalArgumentException e) {
            throw new EnvironmentException("cannot reach the file system of " + path + ": " + e.getMessage(), e);
        }
    }

    /** The content of a small file, or nothing where there is none. */
    public static Optional<byte[]> read(FileSystem fs, Path path, long maxBytes) {
        try {
            FileStatus status = fs.getFileStatus(path);
            if (status.getLen() > maxBytes) {
                throw new EnvironmentException(
                        path + " has " + status.getLen() + " bytes, more than the " + maxBytes + " expected");
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
    static void replace(FileSystem fs, Path path, byte[] bytes, String attempt) {
        Path staged = new Path(path.getParent(), "_" + attempt + "-" + path.getName());
        try {
            try (FSDataOutputStream out = fs.create(staged, true)) {
                out.write(bytes);
                sync(out);
            }
            if (!fs.rename(staged, path)) {
                fs.delete(path, false);
                if (!fs.rename(staged, path)) {
                    throw new IOException("rename from " + staged + " was refused");
                }
            }
        } catch (IOException e) {
            throw failed("write", path, e);
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
                Files.write(local.pathToFile(path).toPath(), bytes, StandardOpenOption.CREATE_NEW);
                return true;
            } catch (FileAlreadyExistsException e) {
                return false;
            }
        }
        try (FSDataOutputStream out = fs.create(path, false)) {
            out.write(bytes);
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

    static EnvironmentException failed(String verb, Path path, IOException e) {
        return new EnvironmentException("cannot " + verb + " " + path + ": " + e.getMessage(), e);
    }
}
