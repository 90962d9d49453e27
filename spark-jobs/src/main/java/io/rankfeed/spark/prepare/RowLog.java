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
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;

/**
 * Rows that wait to be encoded, perhaps several times. Kept in memory up to a limit, then in a local file. Each row is
 * its length (i32) and its bytes.
 */
final class RowLog implements AutoCloseable {
    private final int fields;
    private final Path scratch;
    private final int memoryBytes;
    private final byte[] copyBuffer = new byte[1 << 13];
    private ByteArrayOutputStream memory = new ByteArrayOutputStream();
    private @Nullable Path spilled;
    private @Nullable OutputStream spill;
    private DataOutputStream out = new DataOutputStream(memory);
    private int rows;
    private long lengthBytes;

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

    /** Gives the first {@code count} rows in order; the row object is reused from one to the next. */
    void replay(int count, Consumer<UnsafeRow> each) {
        try (DataInputStream in = open()) {
            read(in, count, fields, each);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Forgets the first {@code count} rows. */
    void drop(int count) {
        try (RowLog rest = new RowLog(fields, scratch, memoryBytes);
                DataInputStream in = open()) {
            for (int i = 0; i < count; i++) {
                in.skipNBytes(in.readInt());
            }
            read(in, rows - count, fields, rest::append);
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
        memory = new ByteArrayOutputStream();
        out = new DataOutputStream(spill);
    }

    private DataInputStream open() throws IOException {
        if (spill == null || spilled == null) {
            return new DataInputStream(new ByteArrayInputStream(memory.toByteArray()));
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
