package io.rankfeed.spark.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.spark.util.Utils;

/** Tables of several tests: the first test of this JVM has a table written, and each test gets a copy that it may change. */
public final class SharedTables {
    private static final Map<String, Path> WRITTEN = new HashMap<>();

    private SharedTables() {}

    /**
     * Puts a table into a folder, in place of what is there.
     *
     * @param name equal names are equal tables
     * @param write writes the table to a folder that does not exist yet
     */
    public static synchronized Path put(String name, Path folder, Consumer<Path> write) {
        Path table = WRITTEN.get(name);
        if (table == null) {
            table = temporary().resolve("table");
            write.accept(table);
            WRITTEN.put(name, table);
        }
        Utils.deleteRecursively(folder.toFile());
        copy(table, folder);
        return folder;
    }

    /** Copies every file below a folder; the others of the target stay. */
    public static void copy(Path from, Path to) {
        try (Stream<Path> walk = Files.walk(from)) {
            List<Path> files = walk.filter(Files::isRegularFile).toList();
            for (Path file : files) {
                Path target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path temporary() {
        try {
            Path folder = Files.createTempDirectory("shared-table");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> Utils.deleteRecursively(folder.toFile())));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
