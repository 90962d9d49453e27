package io.rankfeed.spark.prepare.write;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;

/**
 * Rows that wait to be encoded, perhaps several times. They are in chunks of consecutive rows; what a limit of memory has no room
 * for is in local files, one for each chunk.
 *
 * <pre>
 *   row           u64 length in bytes, native order, a multiple of 8 | the row's bytes
 * </pre>
 */
public final class RowLog implements AutoCloseable {
    private static final int HEAD_BYTES = 8;

    /** Large enough that G1 leaves a chunk where it is instead of copying it with the young objects. */
    private static final int CHUNK_BYTES = 4 << 20;

    /** Chunks for longer rows are multiples of this, so that one fits many of them. */
    private static final int STEP_BYTES = 1 << 20;

    /** What an array has in addition to its elements; with it a chunk fills regions. */
    private static final int ARRAY_HEAD_BYTES = 16;

    /** Rows that are read to fill what the first ones leave. */
    private static final int MAX_PACKED = 1 << 14;

    /** Rows of a cut that may stay behind where others fill the block better. */
    private static final int MAX_GIVEN_BACK = 2;

    /** Some rows, in an array from its first byte on, or in a file. */
    private static final class Chunk {
        private byte[] bytes;
        private @Nullable Path file;
        private int usedBytes;
        private int rows;

        private Chunk(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /** Takes a row where it is in the bytes; returns whether it takes the next row too. */
    private interface Visitor {
        boolean visit(int row, byte[] bytes, int offset, int length);
    }

    private static final byte[] NOTHING = new byte[0];

    private final int fields;
    private final ScratchFiles files;
    private final long memoryBytes;
    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
    /** Arrays of chunks that are empty now, since clearing new ones takes time. */
    private final ArrayDeque<byte[]> idle = new ArrayDeque<>();

    private byte[] buffer = NOTHING;
    private long heldBytes;
    private int rows;
    private long lengthBytes;

    /**
     * @param fields columns of each row
     * @param scratch a local folder
     * @param memoryBytes beyond this the rows go to files
     */
    public RowLog(int fields, Path scratch, long memoryBytes) {
        this.fields = fields;
        this.files = new ScratchFiles(scratch);
        this.memoryBytes = memoryBytes;
    }

    public int rows() {
        return rows;
    }

    public long lengthBytes() {
        return lengthBytes;
    }

    public void append(UnsafeRow row) {
        int length = row.getSizeInBytes();
        Chunk chunk = withRoom(HEAD_BYTES + length);
        long at = (long) Platform.BYTE_ARRAY_OFFSET + chunk.usedBytes;
        Platform.putLong(chunk.bytes, at, length);
        Platform.copyMemory(row.getBaseObject(), row.getBaseOffset(), chunk.bytes, at + HEAD_BYTES, length);
        chunk.usedBytes += HEAD_BYTES + length;
        chunk.rows++;
        rows++;
        lengthBytes += HEAD_BYTES + length;
    }

    private Chunk withRoom(int wanted) {
        Chunk last = chunks.peekLast();
        if (last != null && wanted <= last.bytes.length - last.usedBytes) {
            return last;
        }
        long needed = ((long) wanted + ARRAY_HEAD_BYTES + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
        int size = (int) Math.min(Math.max(CHUNK_BYTES, needed) - ARRAY_HEAD_BYTES, Integer.MAX_VALUE - 8);
        if (last != null && last.file == null && heldBytes + size > memoryBytes) {
            spill(last);
        }
        Chunk next = new Chunk(array(size));
        heldBytes += size;
        chunks.addLast(next);
        return next;
    }

    private byte[] array(int size) {
        for (Iterator<byte[]> each = idle.iterator(); each.hasNext(); ) {
            byte[] bytes = each.next();
            if (bytes.length == size) {
                each.remove();
                return bytes;
            }
        }
        idle.clear();
        return new byte[size];
    }

    private void spill(Chunk chunk) {
        try {
            chunk.file = files.take();
            write(chunk.file, chunk.bytes, chunk.usedBytes);
        } catch (IOException e) {
            throw failed(e);
        }
        letGo(chunk);
    }

    private void letGo(Chunk chunk) {
        idle.addLast(chunk.bytes);
        heldBytes -= chunk.bytes.length;
        chunk.bytes = NOTHING;
    }

    private static void write(Path file, byte[] bytes, int count) throws IOException {
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
            out.write(bytes, 0, count);
        }
    }

    /** The bytes of a chunk; those of one in a file are valid until the next ones are read. */
    private byte[] bytes(Chunk chunk) {
        if (chunk.file == null) {
            return chunk.bytes;
        }
        if (buffer.length < chunk.usedBytes) {
            buffer = new byte[Math.max(CHUNK_BYTES, chunk.usedBytes)];
        }
        try (InputStream in = Files.newInputStream(chunk.file)) {
            if (in.readNBytes(buffer, 0, chunk.usedBytes) < chunk.usedBytes) {
                throw new EOFException(chunk.file + " is truncated");
            }
            return buffer;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static int length(byte[] bytes, int at) {
        return (int) Platform.getLong(bytes, (long) Platform.BYTE_ARRAY_OFFSET + at);
    }

    /** Gives the rows from one number on, in order. */
    private void visit(int from, Visitor visitor) {
        int row = 0;
        for (Chunk chunk : chunks) {
            if (row + chunk.rows <= from) {
                row += chunk.rows;
                continue;
            }
            byte[] bytes = bytes(chunk);
            for (int at = 0; at < chunk.usedBytes; row++) {
                int length = length(bytes, at);
                if (row >= from && !visitor.visit(row, bytes, at + HEAD_BYTES, length)) {
                    return;
                }
                at += HEAD_BYTES + length;
            }
        }
    }

    /** Gives the rows of a cut in order; the row object is reused from one to the next. */
    void replay(GroupRows cut, Consumer<UnsafeRow> each) {
        UnsafeRow row = new UnsafeRow(fields);
        IntPredicate isTaken = cut.ascending();
        int end = cut.end();
        visit(0, (number, bytes, offset, length) -> {
            if (number < end && isTaken.test(number)) {
                row.pointTo(bytes, (long) Platform.BYTE_ARRAY_OFFSET + offset, length);
                each.accept(row);
            }
            return number + 1 < end;
        });
    }

    /** Forgets the rows of a cut. */
    void drop(GroupRows cut) {
        IntPredicate isDropped = cut.ascending();
        int row = 0;
        for (Iterator<Chunk> each = chunks.iterator(); each.hasNext() && row < cut.end(); ) {
            Chunk chunk = each.next();
            int end = row + chunk.rows;
            if (end > cut.first()) {
                drop(chunk, row, isDropped);
            } else {
                chunk.rows = 0;
            }
            row = end;
            if (chunk.rows == 0) {
                each.remove();
                if (chunk.file == null) {
                    letGo(chunk);
                } else {
                    files.giveBack(chunk.file);
                }
            }
        }
        rows -= cut.rows();
        lengthBytes -= cut.rawBytes();
    }

    private void drop(Chunk chunk, int firstRow, IntPredicate isDropped) {
        byte[] bytes = bytes(chunk);
        int kept = 0;
        int keptRows = 0;
        int row = firstRow;
        for (int at = 0; at < chunk.usedBytes; row++) {
            int length = HEAD_BYTES + length(bytes, at);
            if (!isDropped.test(row)) {
                System.arraycopy(bytes, at, bytes, kept, length);
                kept += length;
                keptRows++;
            }
            at += length;
        }
        try {
            if (chunk.file != null && kept < chunk.usedBytes) {
                write(chunk.file, bytes, kept);
            }
        } catch (IOException e) {
            throw failed(e);
        }
        chunk.usedBytes = kept;
        chunk.rows = keptRows;
    }

    /**
     * The most rows from the beginning that have at most {@code rawBytes}, but no fewer than {@code least} and no more
     * than {@code most}, as far as there are.
     */
    public GroupRows first(long rawBytes, int least, int most) {
        long taken = 0;
        int row = 0;
        for (Chunk chunk : chunks) {
            if (taken + chunk.usedBytes <= rawBytes && row + chunk.rows <= most) {
                taken += chunk.usedBytes;
                row += chunk.rows;
                continue;
            }
            byte[] bytes = bytes(chunk);
            for (int at = 0; at < chunk.usedBytes; row++) {
                int length = HEAD_BYTES + length(bytes, at);
                if (row >= most || (row >= least && taken + length > rawBytes)) {
                    return new GroupRows(row, List.of(), taken, length);
                }
                taken += length;
                at += length;
            }
        }
        return new GroupRows(rows, List.of(), taken, 0);
    }

    /**
     * The cut, perhaps without its last few rows, and of those after it what fills {@code rawBytes} best. The log's first
     * row is always among them.
     */
    GroupRows packed(GroupRows cut, long rawBytes) {
        boolean few = rows - cut.first() <= GapFill.FEW;
        int from = few ? Math.max(1, cut.first() - MAX_GIVEN_BACK) : cut.first();
        int[] lengths = new int[Math.min(rows - from, MAX_PACKED)];
        visit(from, (row, bytes, offset, length) -> {
            lengths[row - from] = HEAD_BYTES + length;
            return row + 1 - from < lengths.length;
        });
        GroupRows best = cut;
        long taken = cut.rawBytes();
        for (int first = cut.first(); first >= from; first--) {
            int[] behind = Arrays.copyOfRange(lengths, first - from, lengths.length);
            List<Integer> chosen = GapFill.chosen(behind, rawBytes - taken);
            long all = taken + chosen.stream().mapToLong(i -> behind[i]).sum();
            if (all > best.rawBytes()) {
                int kept = first;
                best = new GroupRows(first, chosen.stream().map(i -> kept + i).toList(), all, cut.nextBytes());
            }
            taken -= first > from ? lengths[first - 1 - from] : 0;
        }
        return best;
    }

    /** Writes all rows, for {@link #readAll}. */
    void writeTo(OutputStream target) throws IOException {
        for (Chunk chunk : chunks) {
            target.write(bytes(chunk), 0, chunk.usedBytes);
        }
    }

    /** Gives the rows that {@link #writeTo} wrote, to the end of the stream; the row object is reused. */
    static void readAll(InputStream source, int fields, Consumer<UnsafeRow> each) throws IOException {
        UnsafeRow row = new UnsafeRow(fields);
        byte[] head = new byte[HEAD_BYTES];
        byte[] bytes = NOTHING;
        while (hasNext(source, head)) {
            int length = length(head, 0);
            if (length > bytes.length) {
                bytes = new byte[length];
            }
            if (source.readNBytes(bytes, 0, length) < length) {
                throw new EOFException("a row is truncated");
            }
            row.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, length);
            each.accept(row);
        }
    }

    private static boolean hasNext(InputStream source, byte[] head) throws IOException {
        int read = source.readNBytes(head, 0, HEAD_BYTES);
        if (read > 0 && read < HEAD_BYTES) {
            throw new EOFException("the rows are truncated");
        }
        return read > 0;
    }

    @Override
    public void close() {
        files.close();
    }

    private EnvironmentException failed(IOException e) {
        return new EnvironmentException(IoReason.of("cannot keep rows in " + files.folder(), files.folder(), e), e);
    }
}
