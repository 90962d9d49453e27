package io.rankfeed.feeder.sync;

import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Manifest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Records which files of a version were hashed, with the file's identity and digest: one line each, appended after
 * hashing; the last line of a path counts. An incomplete line after a crash is ignored. The log only saves work: a file
 * whose identity or expected digest differs is hashed again. It is written under the sync's lock.
 */
final class VerifiedLog {
    /** The log of files that are read in place; {@link Manifest#COPY_LOG_FILE_NAME} is that of copies. */
    private static final String IN_PLACE_NAME = "_verified-in-place";

    private static final long MAX_BYTES = 256L << 20;
    private static final int WORDS = 6;

    private final Optional<Path> file;
    private final Map<String, Entry> entries = new HashMap<>();
    private final Set<String> paths = new HashSet<>();

    private record Entry(FileIdentity identity, String sha256) {}

    private VerifiedLog(Optional<Path> file) {
        this.file = file;
    }

    /** Returns an empty log that is kept in memory only. */
    static VerifiedLog inMemory() {
        return new VerifiedLog(Optional.empty());
    }

    /** Reads the log of the copies in a folder; a log that cannot be read counts as empty. */
    static VerifiedLog in(Path folder) {
        return read(folder.resolve(Manifest.COPY_LOG_FILE_NAME));
    }

    /** Reads the log of a version that is read elsewhere, from the folder of its copy. */
    static VerifiedLog ofInPlace(Path folder) {
        return read(folder.resolve(IN_PLACE_NAME));
    }

    private static VerifiedLog read(Path file) {
        VerifiedLog log = new VerifiedLog(Optional.of(file));
        try {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) <= MAX_BYTES) {
                String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                int end = text.lastIndexOf('\n') + 1;
                text.substring(0, end).lines().forEach(log::parse);
            }
        } catch (IOException e) {
            log.entries.clear();
        }
        return log;
    }

    /** Whether no file is recorded. */
    boolean isEmpty() {
        return paths.isEmpty();
    }

    /** Whether a file was recorded, also if its line is damaged or the file was changed since. */
    boolean names(ArtifactFile file) {
        return paths.contains(file.path().value());
    }

    /** Whether the file at {@code local} was hashed to this digest and is unchanged since. */
    synchronized boolean covers(ArtifactFile file, Path local) {
        Entry entry = entries.get(file.path().value());
        if (entry == null
                || !entry.sha256().equals(file.sha256())
                || entry.identity().bytes() != file.bytes()) {
            return false;
        }
        return identity(local).map(entry.identity()::equals).orElse(false);
    }

    /** Records that the file at {@code local} was just hashed to this digest. */
    synchronized void add(ArtifactFile hashed, Path local) throws IOException {
        String path = hashed.path().value();
        String sha256 = hashed.sha256();
        FileIdentity identity = FileIdentity.of(local);
        if (file.isPresent()) {
            append(file.get(), identity, sha256, path);
        }
        entries.put(path, new Entry(identity, sha256));
    }

    private static void append(Path file, FileIdentity identity, String sha256, String path) throws IOException {
        String line = identity.device() + " " + identity.inode() + " " + identity.bytes() + " "
                + identity.modifiedNanos() + " " + sha256 + " " + path + "\n";
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS)) {
            ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.ISO_8859_1));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }

    private static Optional<FileIdentity> identity(Path local) {
        try {
            return Optional.of(FileIdentity.of(local));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private void parse(String line) {
        String[] words = line.split(" ", WORDS);
        if (words.length < WORDS) {
            return;
        }
        paths.add(words[5]);
        try {
            FileIdentity identity = new FileIdentity(
                    Long.parseLong(words[0]),
                    Long.parseLong(words[1]),
                    Long.parseLong(words[2]),
                    Long.parseLong(words[3]));
            entries.put(words[5], new Entry(identity, words[4]));
        } catch (NumberFormatException e) {
            entries.remove(words[5]);
        }
    }
}
