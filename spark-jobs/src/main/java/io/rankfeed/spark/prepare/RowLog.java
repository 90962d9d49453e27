package io.rankfeed.spark.prepare;

import io.rankfeed.schema.failure.EnvironmentException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;

/**
 * Rows that wait to be encoded, perhaps several times. Kept in memory up to a limit, then in a local file. Each row is
 * its length (i32) and its bytes.
 */
final class RowLog implements AutoCloseable {
    /** Rows that are looked at to fill what the first ones leave. */
    private static final int MAX_PACKED = 1 << 14;

    private final int fields;
    private final Path scratch;
    private final int memoryBytes;
    private final byte[] copyBuffer = new byte[1 << 13];
    private Memory memory = new Memory();
    private @Nullable Path spilled;
    private @Nullable OutputStream spill;
    private DataOutputStream out = new DataOutputStream(memory);
    private int rows;
    private long lengthBytes;

    /** Bytes that are read where they lie. */
    private static final class Memory extends ByteArrayOutputStream {
        InputStream view() {
            return new ByteArrayInputStream(buf, 0, count);
        }
    }

    /**
     * @param fields columns of each row
     * @param scratch a local folder
     * @param memoryBytes beyond this the rows go to a file
     */
    RowLog(int fields, Path scratch, int memoryBytes) {
        this.fields = fields;
        this.scratch = scratch;
        this.memoryBytes = memoryBytes;
    }

    int rows() {
        return rows;
    }

    long lengthBytes() {
        return lengthBytes;
    }

    void append(UnsafeRow row) {
        try {
            if (spill == null && lengthBytes + row.getSizeInBytes() > memoryBytes) {
                spill();
            }
            out.writeInt(row.getSizeInBytes());
            row.writeToStream(out, copyBuffer);
            rows++;
            lengthBytes += Integer.BYTES + row.getSizeInBytes();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Gives the rows of a cut in order; the row object is reused from one to the next. */
    void replay(Cut cut, Consumer<UnsafeRow> each) {
        try (DataInputStream in = open()) {
            read(in, cut.first(), fields, each);
            int at = cut.first();
            for (int number : cut.apart()) {
                skip(in, number - at);
                read(in, 1, fields, each);
                at = number + 1;
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Forgets the rows of a cut. */
    void drop(Cut cut) {
        try (RowLog rest = new RowLog(fields, scratch, memoryBytes);
                DataInputStream in = open()) {
            skip(in, cut.first());
            int at = cut.first();
            for (int number : cut.apart()) {
                read(in, number - at, fields, rest::append);
                skip(in, 1);
                at = number + 1;
            }
            read(in, rows - at, fields, rest::append);
            close();
            memory = rest.memory;
            spilled = rest.spilled;
            spill = rest.spill;
            out = rest.out;
            rows = rest.rows;
            lengthBytes = rest.lengthBytes;
            rest.spilled = null;
            rest.spill = null;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * The most rows from the beginning that have at most {@code rawBytes}, but no fewer than {@code least} and no more
     * than {@code most}, as far as there are.
     */
    Cut first(long rawBytes, int least, int most) {
        try (DataInputStream in = open()) {
            long taken = 0;
            for (int row = 0; row < rows; row++) {
                int length = in.readInt();
                long after = taken + Integer.BYTES + length;
                if (row >= most || (row >= least && after > rawBytes)) {
                    return new Cut(row, List.of(), taken, Integer.BYTES + length);
                }
                taken = after;
                in.skipNBytes(length);
            }
            return new Cut(rows, List.of(), taken, 0);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** The cut, and of the rows behind it one after the other that which fills {@code rawBytes} best. */
    Cut packed(Cut cut, long rawBytes) {
        int[] lengths = new int[Math.min(rows - cut.first(), MAX_PACKED)];
        try (DataInputStream in = open()) {
            skip(in, cut.first());
            for (int i = 0; i < lengths.length; i++) {
                lengths[i] = in.readInt();
                in.skipNBytes(lengths[i]);
            }
        } catch (IOException e) {
            throw failed(e);
        }
        List<Integer> apart = new ArrayList<>();
        long taken = cut.rawBytes();
        // The largest that fits, again and again, the first of equals: one pass from the largest down.
        int[] byLength = IntStream.range(0, lengths.length)
                .boxed()
                .sorted(Comparator.comparingInt(i -> -lengths[i]))
                .mapToInt(i -> i)
                .toArray();
        for (int i : byLength) {
            if (taken + Integer.BYTES + lengths[i] <= rawBytes) {
                taken += Integer.BYTES + lengths[i];
                apart.add(cut.first() + i);
            }
        }
        return new Cut(cut.first(), apart.stream().sorted().toList(), taken, cut.nextBytes());
    }

    /** Writes all rows, for {@link #readAll}. */
    void writeTo(OutputStream target) throws IOException {
        try (InputStream in = open()) {
            in.transferTo(target);
        }
    }

    /** Gives the rows that {@link #writeTo} wrote, to the end of the stream. */
    static void readAll(InputStream source, int fields, Consumer<UnsafeRow> each) throws IOException {
        read(new DataInputStream(source), Integer.MAX_VALUE, fields, each);
    }

    private static void skip(DataInputStream in, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            in.skipNBytes(in.readInt());
        }
    }

    private static void read(DataInputStream in, int count, int fields, Consumer<UnsafeRow> each) throws IOException {
        UnsafeRow row = new UnsafeRow(fields);
        byte[] bytes = new byte[1 << 12];
        for (int i = 0; i < count; i++) {
            if (count == Integer.MAX_VALUE) {
                in.mark(1);
                if (in.read() < 0) {
                    return;
                }
                in.reset();
            }
            int length = in.readInt();
            if (length > bytes.length) {
                bytes = new byte[Math.max(length, Math.min(2 * bytes.length, 1 << 26))];
            }
            in.readFully(bytes, 0, length);
            row.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, length);
            each.accept(row);
        }
    }

    private void spill() throws IOException {
        spilled = Files.createTempFile(scratch, "rankfeed-rows-", ".tmp");
        spill = new BufferedOutputStream(Files.newOutputStream(spilled), 1 << 16);
        memory.writeTo(spill);
        memory = new Memory();
        out = new DataOutputStream(spill);
    }

    private DataInputStream open() throws IOException {
        if (spill == null || spilled == null) {
            return new DataInputStream(memory.view());
        }
        spill.flush();
        return new DataInputStream(new BufferedInputStream(Files.newInputStream(spilled), 1 << 16));
    }

    @Override
    public void close() {
        try {
            if (spill != null) {
                spill.close();
            }
            if (spilled != null) {
                Files.deleteIfExists(spilled);
            }
            spill = null;
            spilled = null;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private EnvironmentException failed(IOException e) {
        return new EnvironmentException(
                "cannot keep rows in " + scratch + ": " + e.getMessage() + "; check the space there", e);
    }
}
