package io.rankfeed.spark.prepare.write;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Local files that are written again and again: those that are given back are handed out again, as long as they were and
 * with what was in them, since pages that a machine has are far cheaper than new ones. For several threads.
 */
final class ScratchFiles implements AutoCloseable {
    private final Path folder;
    private final List<Path> all = new ArrayList<>();
    private final ArrayDeque<Path> idle = new ArrayDeque<>();

    /** @param folder a local one */
    ScratchFiles(Path folder) {
        this.folder = folder;
    }

    Path folder() {
        return folder;
    }

    synchronized Path take() throws IOException {
        if (!idle.isEmpty()) {
            return idle.removeLast();
        }
        Path file = Files.createTempFile(folder, "rankfeed-", ".tmp");
        all.add(file);
        return file;
    }

    /** Once for each {@link #take}. */
    synchronized void giveBack(Path file) {
        idle.addLast(file);
    }

    /** Removes every file, whoever has it. */
    @Override
    public synchronized void close() {
        idle.clear();
        try {
            while (!all.isEmpty()) {
                Files.deleteIfExists(all.remove(all.size() - 1));
            }
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot remove a file in " + folder, e), e);
        }
    }
}
