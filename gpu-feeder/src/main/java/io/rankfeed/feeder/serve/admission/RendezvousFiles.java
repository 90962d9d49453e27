package io.rankfeed.feeder.serve.admission;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Deletes the files of a rendezvous directory; only the holder of its lock may call this. */
final class RendezvousFiles {
    private RendezvousFiles() {}

    /** Removes sockets, temporary files and feeder.json. */
    static void clear(Rendezvous rendezvous) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(rendezvous.directory())) {
            for (Path entry : entries) {
                if (isOurs(entry.getFileName().toString())) {
                    Files.deleteIfExists(entry);
                }
            }
        } catch (NoSuchFileException e) {
            // Nothing there, nothing to remove.
        } catch (IOException e) {
            throw new EnvironmentException(
                    IoReason.of("old files in " + rendezvous.directory() + " cannot be removed", e), e);
        }
    }

    private static boolean isOurs(String name) {
        return name.equals(Rendezvous.READY_FILE)
                || (name.startsWith("rank-") && name.endsWith(".sock"))
                || name.startsWith(Rendezvous.TEMPORARY_PREFIX);
    }

    /** Removes the run's directory if it is empty; the next feeder of the run may be in it already. */
    static void removeDirectory(Rendezvous rendezvous) {
        try {
            Files.deleteIfExists(rendezvous.directory());
        } catch (DirectoryNotEmptyException e) {
            // Somebody's: not ours to remove.
        } catch (IOException e) {
            throw new EnvironmentException(
                    IoReason.of(rendezvous.directory() + " cannot be removed", e) + "; remove it by hand", e);
        }
    }
}
