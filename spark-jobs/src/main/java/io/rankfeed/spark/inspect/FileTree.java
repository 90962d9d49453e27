package io.rankfeed.spark.inspect;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** The file system around a path, its failures in the project's kinds. */
record FileTree(FileSystem fs, Configuration conf) {
    private static final Set<String> WITH_BLOCKS = Set.of("hdfs", "webhdfs", "swebhdfs", "viewfs");

    static FileTree of(Path path, Configuration conf) {
        return new FileTree(Storage.of(path, conf), conf);
    }

    /** True if files are in blocks of a size that each of them has, and that its readers go by. */
    boolean hasBlocks() {
        return WITH_BLOCKS.contains(fs.getUri().getScheme());
    }

    Optional<FileStatus> status(Path path) {
        try {
            return Optional.of(fs.getFileStatus(path));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw failed(path, e);
        }
    }

    /** What a folder holds by name, but for names that no reader of tables looks at; nothing where there is no folder. */
    List<FileStatus> entries(Path folder) {
        try {
            return Stream.of(fs.listStatus(folder))
                    .filter(status -> !isHidden(status.getPath()))
                    .sorted(Comparator.comparing(FileStatus::getPath))
                    .toList();
        } catch (FileNotFoundException e) {
            return List.of();
        } catch (IOException e) {
            throw failed(folder, e);
        }
    }

    /** All files below a folder, by path. */
    List<FileStatus> files(Path folder) {
        List<FileStatus> files = new ArrayList<>();
        Deque<Path> folders = new ArrayDeque<>(List.of(folder));
        while (!folders.isEmpty()) {
            for (FileStatus entry : entries(folders.pop())) {
                if (entry.isDirectory()) {
                    folders.push(entry.getPath());
                } else {
                    files.add(entry);
                }
            }
        }
        files.sort(Comparator.comparing(FileStatus::getPath));
        return files;
    }

    /** A file that must be there, whole. @throws CorruptDataException if it is not, or is longer than {@code maxBytes} */
    byte[] read(Path file, long maxBytes) {
        refuseLink(file);
        FileStatus status = status(file)
                .filter(FileStatus::isFile)
                .orElseThrow(() -> new CorruptDataException(name(file), "does not exist"));
        if (status.getLen() > maxBytes) {
            throw new CorruptDataException(
                    name(file), "has " + status.getLen() + " bytes; at most " + maxBytes + " are read");
        }
        try (InputStream in = fs.open(file)) {
            return in.readNBytes((int) status.getLen());
        } catch (IOException e) {
            throw failed(file, e);
        }
    }

    /** An artifact has no symbolic links: where they lead is not under its folder. */
    private void refuseLink(Path file) {
        if (fs instanceof RawLocalFileSystem
                && Files.isSymbolicLink(java.nio.file.Path.of(file.toUri().getPath()))) {
            throw new CorruptDataException(name(file), "is a symbolic link; an artifact has none");
        }
    }

    /** A path as people write it: local files without their scheme. */
    static String name(Path path) {
        String scheme = path.toUri().getScheme();
        return scheme == null || scheme.equals("file") ? path.toUri().getPath() : path.toString();
    }

    static EnvironmentException failed(Path path, IOException e) {
        return new EnvironmentException(IoReason.of("cannot read " + name(path), e), e);
    }

    private static boolean isHidden(Path path) {
        return path.getName().startsWith("_") || path.getName().startsWith(".");
    }
}
