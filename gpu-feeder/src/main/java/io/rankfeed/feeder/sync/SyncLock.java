package io.rankfeed.feeder.sync;

import io.rankfeed.console.Log;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The right to write into one version's folder of a cache directory. The kernel takes it back from a dead process, so
 * it needs no age and no clean-up; the file stays.
 */
final class SyncLock implements AutoCloseable {
    private static final String NAME = "_sync.lock";
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final int MAX_NOTE_BYTES = 128;

    private final FileChannel channel;

    private SyncLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Whether this process may write the file of {@link #acquire}. */
    static boolean canTake(Path folder) {
        Path file = folder.resolve(NAME);
        return Files.isWritable(folder) && (Files.notExists(file) || Files.isWritable(file));
    }

    /** Waits until the lock is free; prints once which process holds it. */
    static SyncLock acquire(Path folder, Log log) {
        Path file = folder.resolve(NAME);
        try {
            FileChannel channel = FileChannel.open(
                    file,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);
            try {
                wait(channel, folder, log);
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
            return new SyncLock(channel);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot lock " + file, e), e);
        }
    }

    /** Writes the holder of the lock into the file, for processes that wait for it. */
    void sign() throws IOException {
        channel.truncate(0);
        String pid = ProcessHandle.current().pid() + "\n";
        channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
    }

    /** Closes the file, which releases the lock. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot unlock", e), e);
        }
    }

    private static void wait(FileChannel channel, Path folder, Log log) throws IOException {
        boolean reported = false;
        while (tryLock(channel) == null) {
            if (!reported) {
                log.info("waiting for process " + holder(channel) + ", which is syncing " + folder);
                reported = true;
            }
            try {
                Thread.sleep(RETRY);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new EnvironmentException("interrupted while process " + holder(channel) + " syncs " + folder, e);
            }
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Another sync of this very process.
            return null;
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer note = ByteBuffer.allocate(MAX_NOTE_BYTES);
        channel.read(note, 0);
        String text = new String(note.array(), 0, note.position(), StandardCharsets.US_ASCII).strip();
        return text.matches("[0-9]+") ? text : "(unknown)";
    }
}
