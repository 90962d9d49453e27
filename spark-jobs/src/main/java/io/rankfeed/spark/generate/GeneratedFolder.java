package io.rankfeed.spark.generate;

import io.rankfeed.export.commit.Claim;
import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a generated set: it appears by one rename, complete, or not at all. Until then the set is made in a
 * folder next to it, which one job at a time has, and which goes away with the JVM; what a killed job left in it goes
 * when the next one begins.
 */
final class GeneratedFolder {
    private static final long MAX_MARKER_BYTES = 1 << 16;

    private final Path target;
    private final Path attempt;
    /** A folder in {@code attempt} that only this job uses: a job that stopped and lost its claim must not delete its successor's files. */
    private final Path staging;

    private final FileSystem fs;
    private final GeneratedSet set;
    private final String application;
    private @Nullable Claim claim;

    /** @throws ConfigException if a set cannot be put there */
    GeneratedFolder(String target, GeneratedSet set, String application, Configuration conf) {
        this.set = set;
        this.application = application;
        try {
            Path path = new Path(target);
            fs = Storage.of(path, conf);
            this.target = fs.makeQualified(path);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("'" + target + "' is not a path: " + e.getMessage(), e);
        }
        Path parent = this.target.getParent();
        if (parent == null) {
            throw new ConfigException("--out " + target + " is the root of a file system; name a folder below it");
        }
        this.attempt = new Path(parent, "_" + this.target.getName() + ".attempt");
        this.staging = new Path(attempt, UUID.randomUUID().toString());
    }

    /** The final path of the set. */
    Path path() {
        return target;
    }

    /**
     * Whether this very set exists already.
     *
     * @throws ConfigException if something else does
     */
    boolean exists() {
        Optional<byte[]> found = Storage.read(fs, new Path(target, GeneratedSet.MARKER), MAX_MARKER_BYTES);
        if (found.isPresent()) {
            if (Arrays.equals(found.get(), set.marker())) {
                return true;
            }
            throw new ConfigException(target + " holds another generated set, "
                    + new String(found.get(), StandardCharsets.UTF_8).replaceAll("\\s+", " ")
                    + "; remove it, or choose another --out");
        }
        try {
            FileStatus[] entries = fs.getFileStatus(target).isFile() ? new FileStatus[1] : fs.listStatus(target);
            if (entries.length > 0) {
                throw new ConfigException(target + " is there and no generated set; choose another --out");
            }
        } catch (FileNotFoundException e) {
            return false;
        } catch (IOException e) {
            throw Storage.failed("look at", target, e);
        }
        return false;
    }

    /**
     * Makes the folder to which Spark may write, and removes files of an earlier attempt.
     *
     * @throws EnvironmentException if another job that lives makes a set of this name
     */
    Path attempt() {
        try {
            claim = Claim.take(fs, attempt, application);
            for (FileStatus left : fs.listStatus(attempt, path -> !Claim.isClaim(path))) {
                fs.delete(left.getPath(), true);
            }
            fs.deleteOnExit(staging);
        } catch (IOException e) {
            throw Storage.failed("prepare", target, e);
        }
        return new Path(staging, "rows");
    }

    /** Gives the parts that Spark wrote their fixed names, adds the marker, and renames the folder to its final path. */
    void commit() {
        Path written = new Path(staging, "rows");
        try {
            Path complete = set.format() == GeneratedSet.Format.DELTA ? written : named(written);
            try (OutputStream marker = fs.create(new Path(complete, GeneratedSet.MARKER), true)) {
                marker.write(set.marker());
            }
            if (fs.exists(target) && fs.listStatus(target).length == 0) {
                fs.delete(target, false);
            }
            // Renaming onto a folder would move into it.
            if (fs.exists(target) || !fs.rename(complete, target)) {
                if (!exists()) {
                    throw new IOException("the file system refused to rename " + complete);
                }
            }
        } catch (IOException e) {
            throw Storage.failed("write", target, e);
        } finally {
            discard();
        }
    }

    /** Removes what is not published. */
    void discard() {
        if (claim == null) {
            return;
        }
        try {
            fs.delete(staging, true);
            fs.cancelDeleteOnExit(staging);
        } catch (IOException e) {
            throw Storage.failed("clean beside", target, e);
        } finally {
            claim.close();
            claim = null;
        }
    }

    /** The data files of the complete set, by name. */
    List<FileStatus> files() {
        try {
            return visible(target);
        } catch (IOException e) {
            throw Storage.failed("list", target, e);
        }
    }

    private Path named(Path written) throws IOException {
        Path named = new Path(staging, "named");
        fs.mkdirs(named);
        int number = 0;
        for (FileStatus part : visible(written)) {
            Path name = new Path(named, set.format().fileName(number++));
            if (!fs.rename(part.getPath(), name)) {
                throw new IOException("the file system refused to rename " + part.getPath());
            }
        }
        return named;
    }

    /** Spark numbers its parts; their order by name is the order of the rows. */
    private List<FileStatus> visible(Path folder) throws IOException {
        return Stream.of(fs.listStatus(folder))
                .filter(FileStatus::isFile)
                .filter(status -> !status.getPath().getName().startsWith("_")
                        && !status.getPath().getName().startsWith("."))
                .sorted(Comparator.comparing(FileStatus::getPath))
                .toList();
    }
}
