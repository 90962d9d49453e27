package io.rankfeed.feeder.cache;

import io.rankfeed.feeder.external.ExternalFiles;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A column in which some blocks, or all, have references to values in external files. Checks each reference before a byte is read. Safe
 * for use by several threads.
 */
public final class References {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final String name;
    private final LaneCache cache;
    private final MappedColumn column;
    private final MappedColumn sources;
    private final @Nullable MappedColumn valid;
    private final long fixedBytes;
    private final ThreadLocal<Buffer> buffers = ThreadLocal.withInitial(Buffer::new);

    /**
     * @param valid whether a row has a value; null if each has one
     * @param fixedBytes length of each value; 0 if references have lengths
     */
    References(
            String name,
            LaneCache cache,
            MappedColumn column,
            MappedColumn sources,
            @Nullable MappedColumn valid,
            long fixedBytes) {
        this.name = name;
        this.cache = cache;
        this.column = column;
        this.sources = sources;
        this.valid = valid;
        this.fixedBytes = fixedBytes;
    }

    /** Whether the rows of a block have references; otherwise they have values. */
    public boolean isIn(int block) {
        return column.referenced(block) != null;
    }

    /** Whether a row has no value. */
    public boolean isMissing(int block, int row) {
        return valid != null && valid.file(block).get(ValueLayout.JAVA_BYTE, valid.values(block) + row) == 0;
    }

    /**
     * The length of a row's value, in bytes; 0 if the row has no value.
     *
     * @throws io.rankfeed.schema.failure.CorruptDataException if the value would not be inside of its file
     */
    public long lengthBytes(int block, int row) {
        if (isMissing(block, row)) {
            return 0;
        }
        ReferencedFiles of = files(block);
        int source = source(block, row);
        long offset = offset(block, row);
        long length = length(block, row);
        if (source < 0 || source >= of.files().count() - of.after()) {
            throw damage(
                    block,
                    row,
                    "refers to file " + source + " + " + of.after() + " of "
                            + of.files().count());
        }
        int file = source + of.after();
        if (length > Integer.MAX_VALUE) {
            throw damage(block, row, "refers to " + length + " bytes; a value has at most 2 GiB");
        }
        if (offset < 0 || length < 0 || length > of.files().bytes(file) - offset) {
            throw damage(
                    block,
                    row,
                    "refers to " + length + " bytes from byte " + offset + " of "
                            + of.files().path(file) + ", which has "
                            + of.files().bytes(file));
        }
        return length;
    }

    /**
     * The memory that has a row's value. It is valid until the same thread calls this again.
     *
     * @throws io.rankfeed.schema.failure.CorruptDataException if the value would not be inside of its file, or the file has changed
     */
    public MemorySegment bytes(int block, int row) {
        long length = lengthBytes(block, row);
        if (length == 0) {
            return MemorySegment.NULL;
        }
        return memory(block, row, length);
    }

    /** The offset of a row's value in its {@link #bytes}. */
    public long position(int block, int row) {
        boolean isInFile = files(block).files().areMapped() && lengthBytes(block, row) > 0;
        return isInFile ? offset(block, row) : 0;
    }

    /**
     * Copies the value of a row, or zeros if the row has no value, as lanes that store values have them. The reference is checked once;
     * {@link #bytes} and {@link #position} each check it. Only for columns of fixed length.
     *
     * @throws io.rankfeed.schema.failure.CorruptDataException as {@link #bytes}
     */
    public void copy(int block, int row, MemorySegment to, long at) {
        if (lengthBytes(block, row) == 0) {
            to.asSlice(at, fixedBytes).fill((byte) 0);
            return;
        }
        long position = files(block).files().areMapped() ? offset(block, row) : 0;
        MemorySegment.copy(memory(block, row, fixedBytes), position, to, at, fixedBytes);
    }

    /** The file that has a value which was checked, or a buffer that the value was read to. */
    private MemorySegment memory(int block, int row, long length) {
        ReferencedFiles of = files(block);
        int file = source(block, row) + of.after();
        return of.files().areMapped()
                ? of.files().mapped(file)
                : buffers.get().read(of.files(), file, offset(block, row), length);
    }

    /** Returns the exception for a row whose reference is damaged. */
    public RuntimeException damage(int block, int row, String what) {
        return cache.damage(
                block, reference(block, row), "column '" + name + "': row " + row + " of the record batch " + what);
    }

    private ReferencedFiles files(int block) {
        return Objects.requireNonNull(column.referenced(block));
    }

    private int source(int block, int row) {
        return sources.file(block).get(INT, sources.values(block) + 4L * row);
    }

    private long reference(int block, int row) {
        return column.values(block) + (fixedBytes > 0 ? 8L : 16L) * row;
    }

    private long offset(int block, int row) {
        return column.file(block).get(LONG, reference(block, row));
    }

    private long length(int block, int row) {
        return fixedBytes > 0 ? fixedBytes : column.file(block).get(LONG, reference(block, row) + 8);
    }

    /** The memory of one thread for values of files that are not mapped. */
    private static final class Buffer {
        private MemorySegment memory = MemorySegment.NULL;

        MemorySegment read(ExternalFiles files, int file, long offset, long length) {
            if (memory.byteSize() < length) {
                memory = Arena.ofAuto().allocate(Math.clamp(2 * memory.byteSize(), length, Integer.MAX_VALUE));
            }
            files.read(file, offset, memory.asSlice(0, length).asByteBuffer());
            return memory;
        }
    }
}
