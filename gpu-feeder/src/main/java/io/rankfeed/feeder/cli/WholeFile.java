package io.rankfeed.feeder.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files that readers see as they were before, or complete. */
final class WholeFile {
    private WholeFile() {}

    /** Writes a file, and replaces the one that exists. */
    static void write(Path file, byte[] bytes) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Path temporary = file.resolveSibling(
                "." + file.getFileName() + "." + ProcessHandle.current().pid());
        Files.write(temporary, bytes);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
