package io.rankfeed.spark.prune;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;

/**
 * Files that processes of this machine have open or map, such as lanes that a feeder reads in place: as far as this user
 * may see them. Read from {@code /proc}; elsewhere there are none.
 */
final class OpenFiles {
    private static final Path PROC = Path.of("/proc");

    /** Processes by the file. */
    private final TreeMap<String, String> processes = new TreeMap<>();

    private OpenFiles() {}

    static OpenFiles find(FileSystem fs) {
        OpenFiles open = new OpenFiles();
        if (!fs.getUri().getScheme().equals("file")) {
            return open;
        }
        String own = Long.toString(ProcessHandle.current().pid());
        for (Path process : entries(PROC)) {
            String pid = process.getFileName().toString();
            if (pid.chars().allMatch(Character::isDigit) && !pid.equals(own)) {
                entries(process.resolve("fd")).forEach(file -> open.add(target(file), pid));
                lines(process.resolve("maps"))
                        .forEach(line -> open.add(line.substring(Math.max(0, line.indexOf('/'))), pid));
            }
        }
        return open;
    }

    private void add(String file, String pid) {
        if (file.startsWith("/")) {
            processes.put(file, pid);
        }
    }

    /** A process that has a file below a folder. */
    Optional<String> process(org.apache.hadoop.fs.Path folder) {
        String prefix = real(Path.of(folder.toUri().getPath())) + "/";
        Map.Entry<String, String> next = processes.ceilingEntry(prefix);
        return next != null && next.getKey().startsWith(prefix) ? Optional.of(next.getValue()) : Optional.empty();
    }

    private static Path real(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException e) {
            return folder;
        }
    }

    private static Collection<Path> entries(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        } catch (IOException | UncheckedIOException e) {
            // A process of another user, or one that has ended.
            return List.of();
        }
    }

    private static Collection<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException | InvalidPathException e) {
            return "";
        }
    }
}
