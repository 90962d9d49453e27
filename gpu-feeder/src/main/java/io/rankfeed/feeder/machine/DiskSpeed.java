package io.rankfeed.feeder.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalDouble;
import java.util.Random;

/** The speed at which a disk gives the bytes of a file, without the page cache. */
final class DiskSpeed {
    /** Bytes of the file that is written and read. */
    static final long BYTES = 128L << 20;

    private static final String PREFIX = ".rankfeed-doctor-";
    private static final int CHUNK_BYTES = 1 << 20;
    private static final long MAX_NANOS = 3_000_000_000L;
    private static final long SEED = 1;

    private DiskSpeed() {}

    /**
     * Writes a file, and reads it for at most 3 s. The file is deleted as soon as it is open, so nothing of it stays where a signal ends
     * this process.
     *
     * @return bytes per second; empty if the file system has no direct reads, or the file cannot be written
     */
    static OptionalDouble measure(Path folder) {
        Path file = folder.resolve(PREFIX + ProcessHandle.current().pid());
        try {
            deleteLeftovers(folder);
            try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                    FileChannel in = FileChannel.open(file, StandardOpenOption.READ, direct())) {
                Files.delete(file);
                write(out);
                return read(in, Math.toIntExact(Files.getFileStore(folder).getBlockSize()));
            }
        } catch (IOException | ReflectiveOperationException | UnsupportedOperationException e) {
            return OptionalDouble.empty();
        } finally {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                // The folder is gone or read-only: there is nothing that could be deleted.
            }
        }
    }

    /** Deletes the files of processes that were killed before they did. */
    private static void deleteLeftovers(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, PREFIX + "[0-9]*")) {
            for (Path file : files) {
                String pid = file.getFileName().toString().substring(PREFIX.length());
                if (pid.matches("\\d{1,18}")
                        && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static void write(FileChannel channel) throws IOException {
        byte[] noise = new byte[CHUNK_BYTES];
        new Random(SEED).nextBytes(noise);
        for (long at = 0; at < BYTES; at += CHUNK_BYTES) {
            ByteBuffer chunk = ByteBuffer.wrap(noise);
            while (chunk.hasRemaining()) {
                channel.write(chunk);
            }
        }
        channel.force(true);
    }

    /** Uses reflection, because the compiler warns of names of the module {@code jdk.unsupported}, and the warning cannot be suppressed. */
    private static OpenOption direct() throws ReflectiveOperationException {
        return (OpenOption) Class.forName("com.sun.nio.file.ExtendedOpenOption")
                .getField("DIRECT")
                .get(null);
    }

    private static OptionalDouble read(FileChannel channel, int blockBytes) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES + blockBytes)
                .alignedSlice(blockBytes)
                .limit(CHUNK_BYTES);
        long bytes = 0;
        long begun = System.nanoTime();
        long nanos = 0;
        while (bytes < BYTES && nanos < MAX_NANOS) {
            int read = channel.read(chunk.rewind());
            if (read <= 0) {
                break;
            }
            bytes += read;
            nanos = System.nanoTime() - begun;
        }
        return bytes == 0 ? OptionalDouble.empty() : OptionalDouble.of(bytes / (Math.max(1, nanos) / 1e9));
    }
}
