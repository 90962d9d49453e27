package io.rankfeed.export.commit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;

/**
 * A file on a local disk whose bytes pass by the kernel's page cache. A page of memory for each of them costs several
 * times what the disk takes of the CPU, too much for files that the job does not read again. While one chunk is written
 * by another thread the next is filled.
 */
final class DirectFile extends OutputStream implements Syncable, StreamCapabilities {
    static final int CHUNK_BYTES = 1 << 20;

    /** A multiple of the block size of every supported disk; disks with other block sizes are not used. */
    private static final int ALIGNMENT_BYTES = 1 << 16;

    /** File systems of local disks: no round trip to a server, and what may be opened so can be written so. */
    private static final Set<String> LOCAL = Set.of("ext4", "xfs");

    /** Buffers of closed files, for reuse; at most two for each file that was open at the same time. */
    private static final Queue<ByteBuffer> SPARE = new ConcurrentLinkedQueue<>();

    private final FileChannel channel;
    private ByteBuffer filled = chunk();
    private ByteBuffer written = chunk();
    private CompletableFuture<Void> writing = CompletableFuture.completedFuture(null);
    private long positionBytes;
    private boolean isWhole;

    /** @param channel takes only whole blocks, at offsets that are multiples of their size */
    DirectFile(FileChannel channel) {
        this.channel = channel;
    }

    /** @return nothing where the file system is not one that is known to take this well, or refuses */
    static Optional<DirectFile> open(FileSystem fs, Path existing) {
        // A subclass may do more with what is written.
        if (fs.getClass() != RawLocalFileSystem.class) {
            return Optional.empty();
        }
        java.nio.file.Path path = ((RawLocalFileSystem) fs).pathToFile(existing).toPath();
        try {
            FileStore store = Files.getFileStore(path);
            if (!LOCAL.contains(store.type()) || ALIGNMENT_BYTES % store.getBlockSize() != 0) {
                return Optional.empty();
            }
            return Optional.of(new DirectFile(FileChannel.open(path, StandardOpenOption.WRITE, direct())));
        } catch (IOException | ReflectiveOperationException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }

    /** Uses reflection, because the compiler warns of names of the module {@code jdk.unsupported}, and the warning cannot be suppressed. */
    private static OpenOption direct() throws ReflectiveOperationException {
        return (OpenOption) Class.forName("com.sun.nio.file.ExtendedOpenOption")
                .getField("DIRECT")
                .get(null);
    }

    private static ByteBuffer chunk() {
        ByteBuffer spare = SPARE.poll();
        return spare != null
                ? spare.clear()
                : ByteBuffer.allocateDirect(CHUNK_BYTES + ALIGNMENT_BYTES)
                        .alignedSlice(ALIGNMENT_BYTES)
                        .limit(CHUNK_BYTES)
                        .slice();
    }

    @Override
    public void write(int value) throws IOException {
        makeRoom();
        filled.put((byte) value);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        int end = from + count;
        for (int at = from; at < end; ) {
            makeRoom();
            int part = Math.min(end - at, filled.remaining());
            filled.put(bytes, at, part);
            at += part;
        }
    }

    private void makeRoom() throws IOException {
        if (isWhole) {
            throw new IOException("the file is closed already");
        }
        if (!filled.hasRemaining()) {
            writeFilled();
        }
    }

    /** Writes the filled chunk, which must consist of whole blocks. */
    private void writeFilled() throws IOException {
        DiskThreads.await(writing);
        ByteBuffer full = filled.flip();
        filled = written.clear();
        written = full;
        long at = positionBytes;
        positionBytes += full.remaining();
        writing = DiskThreads.ask(() -> write(full, at));
    }

    private void write(ByteBuffer chunk, long from) throws IOException {
        for (long at = from; chunk.hasRemaining(); ) {
            at += channel.write(chunk, at);
        }
    }

    @Override
    public boolean hasCapability(String capability) {
        return capability.equals(StreamCapabilities.HSYNC);
    }

    @Override
    public void hflush() {}

    /** Ends the file: its last block is filled up, written and cut off. */
    @Override
    public void hsync() throws IOException {
        if (isWhole) {
            DiskThreads.await(writing);
            return;
        }
        isWhole = true;
        long lengthBytes = positionBytes + filled.position();
        int beyond = filled.position() % ALIGNMENT_BYTES;
        if (beyond > 0) {
            filled.put(new byte[ALIGNMENT_BYTES - beyond]);
        }
        writeFilled();
        DiskThreads.await(writing);
        // Not here: whoever interrupts a thread would close the file under it.
        writing = DiskThreads.ask(() -> {
            channel.truncate(lengthBytes);
            channel.force(true);
        });
        DiskThreads.await(writing);
    }

    @Override
    public void close() throws IOException {
        if (!channel.isOpen()) {
            return;
        }
        DiskThreads.settle(writing);
        isWhole = true;
        channel.close();
        SPARE.add(filled);
        SPARE.add(written);
    }
}
