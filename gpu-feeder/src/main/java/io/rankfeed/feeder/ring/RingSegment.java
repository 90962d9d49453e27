package io.rankfeed.feeder.ring;

import static io.rankfeed.feeder.ring.RingHeader.INT;
import static io.rankfeed.feeder.ring.RingHeader.LONG;

import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.timing.StageTable;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/**
 * One ring's segment, made and written by the feeder. One thread fills; any thread may ask for the client's lock, unlink
 * or close. After {@link #close} nothing of it may be touched: the arena refuses, it does not crash.
 */
public final class RingSegment implements AutoCloseable {
    private static final int ZERO_CHUNK_BYTES = 1 << 20;

    private final Path file;
    private final FileChannel channel;
    private final Arena arena;
    private final MemorySegment memory;
    private final RingLayout layout;
    private final MemorySegment[] slots;

    private RingSegment(Path file, FileChannel channel, Arena arena, MemorySegment memory, RingLayout layout) {
        this.file = file;
        this.channel = channel;
        this.arena = arena;
        this.memory = memory;
        this.layout = layout;
        slots = new MemorySegment[layout.slots()];
        for (int slot = 0; slot < slots.length; slot++) {
            slots[slot] = memory.asSlice(layout.slotOffset(slot), layout.slotStrideBytes());
        }
    }

    /**
     * Makes the file exclusively (0600), fills it with zeros, maps it and writes header and tensor table.
     *
     * @throws EnvironmentException if it does not fit; nothing is left behind
     */
    public static RingSegment create(
            SharedMemory where, SegmentName name, RingLayout layout, RingIdentity identity, List<TensorSpec> tensors) {
        where.require(layout.lengthBytes(), claim(name.fileName()));
        Path file = where.directory().resolve(name.fileName());
        try {
            FileChannel channel = FileChannel.open(
                    file,
                    Set.of(
                            StandardOpenOption.CREATE_NEW,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            LinkOption.NOFOLLOW_LINKS),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            return filled(where, file, channel, layout, identity, tensors);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("segment " + file + " cannot be made", file, e), e);
        }
    }

    private static RingSegment filled(
            SharedMemory where,
            Path file,
            FileChannel channel,
            RingLayout layout,
            RingIdentity identity,
            List<TensorSpec> tensors)
            throws IOException {
        Arena arena = Arena.ofShared();
        try {
            writeZeros(where, file, channel, layout.lengthBytes());
            MemorySegment memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, layout.lengthBytes(), arena);
            RingHeader.write(memory, layout, identity, tensors);
            return new RingSegment(file, channel, arena, memory, layout);
        } catch (IOException | RuntimeException e) {
            arena.close();
            channel.close();
            Files.deleteIfExists(file);
            throw e;
        }
    }

    /** Pages that are written now cannot be missing later: a sparse file would end the process by SIGBUS instead. */
    private static void writeZeros(SharedMemory where, Path file, FileChannel channel, long lengthBytes) {
        long position = 0;
        try (Arena chunk = Arena.ofConfined()) {
            ByteBuffer zeros =
                    chunk.allocate(Math.min(ZERO_CHUNK_BYTES, lengthBytes)).asByteBuffer();
            while (position < lengthBytes) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), lengthBytes - position));
                while (zeros.hasRemaining()) {
                    position += channel.write(zeros, position);
                }
            }
        } catch (IOException e) {
            EnvironmentException full = where.full(
                    lengthBytes, position + where.availableBytes(), claim(String.valueOf(file.getFileName())));
            full.initCause(e);
            throw full;
        }
    }

    private static String claim(String fileName) {
        return "segment " + fileName + " needs";
    }

    public Path file() {
        return file;
    }

    public RingLayout layout() {
        return layout;
    }

    /** The data of a slot, {@code slotStrideBytes} long. Only the filler of a free slot may write it. */
    public MemorySegment slot(int slot) {
        return slots[slot];
    }

    /** The memory of the stage table, {@link StageTable#BYTES} long, which the feeder and the client write. */
    public MemorySegment stageTable() {
        return memory.asSlice(layout.stageTableOffset(), StageTable.BYTES);
    }

    /**
     * Reads the stage table, little-endian. It is read from the file: a mapping that the client truncated would end the thread. What is
     * missing is zeros.
     */
    public ByteBuffer readStageTable() {
        ByteBuffer table = ByteBuffer.allocate(StageTable.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try {
            int read = 0;
            while (table.hasRemaining() && read >= 0) {
                read = channel.read(table, layout.stageTableOffset() + table.position());
            }
        } catch (IOException e) {
            // A feed needs no times, so it goes on.
        }
        return table.clear();
    }

    /** Marks a slot as being filled: seqBegin is visible before any byte that is written after this call. */
    public void begin(int slot, long sequence) {
        long at = layout.descriptorOffset(slot);
        memory.set(LONG, at + RingBytes.SLOT_SEQUENCE_BEGIN, sequence);
        // Partner: the client reads seqEnd, then the batch, then seqBegin; a later fill is seen as a differing
        // seqBegin.
        VarHandle.storeStoreFence();
    }

    /** Completes a fill: everything written before is visible to whoever sees this seqEnd. */
    public void end(int slot, long sequence, SlotFacts facts, SlotSizes sizes) {
        long at = layout.descriptorOffset(slot);
        memory.set(LONG, at + RingBytes.SLOT_GLOBAL_STEP, facts.globalStep());
        memory.set(INT, at + RingBytes.SLOT_EPOCH, facts.epoch());
        memory.set(INT, at + RingBytes.SLOT_STEP_IN_EPOCH, facts.stepInEpoch());
        memory.set(INT, at + RingBytes.SLOT_VALID_ROWS, facts.validRows());
        memory.set(INT, at + RingBytes.SLOT_STREAM, facts.stream());
        memory.set(LONG, at + RingBytes.SLOT_TOKENS, sizes.tokens());
        memory.set(LONG, at + RingBytes.SLOT_PADDED_TOKENS, sizes.paddedTokens());
        for (int c = 0; c < layout.columns(); c++) {
            long column = at + RingBytes.SLOT_FIXED_BYTES + (long) c * RingBytes.SLOT_COLUMN_BYTES;
            memory.set(LONG, column + RingBytes.COLUMN_USED_BYTES, sizes.usedBytes(c));
            memory.set(LONG, column + RingBytes.COLUMN_WIDTH, sizes.width(c));
        }
        // Partner: the client's read of seqEnd after the READY frame that bears the same number.
        VarHandle.releaseFence();
        memory.set(LONG, at + RingBytes.SLOT_SEQUENCE_END, sequence);
    }

    /** Whether the file is shorter than the segment. */
    public boolean isTruncated() {
        try {
            return channel.size() < layout.lengthBytes();
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether a live process holds the client's lock on the file; the kernel releases it when that process ends. */
    public boolean isClientLocked() {
        try (FileLock probe = channel.tryLock()) {
            return probe == null;
        } catch (OverlappingFileLockException e) {
            return true;
        } catch (ClosedChannelException e) {
            return false;
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot test the lock of " + file, e), e);
        }
    }

    /** Removes the name; mappings on both sides stay. Calling it again does nothing. */
    public void unlink() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("segment " + file + " cannot be removed", e), e);
        }
    }

    /** Unmaps and closes; the name, if it is still there, stays. */
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
        try {
            channel.close();
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("segment " + file + " cannot be closed", e), e);
        }
    }
}
