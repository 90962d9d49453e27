package io.rankfeed.spark.prepare.write;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Rows that wait to be encoded, perhaps several times, as {@link RowReader} reads them. Kept in memory up to a limit, then
 * in a local file, and what comes behind in memory again until it is much.
 */
public final class RowLog implements AutoCloseable {
    /** Rows that are read to fill what the first ones leave. */
    private static final int MAX_PACKED = 1 << 14;

    /** Rows of a cut that may stay behind where others fill the block better. */
    private static final int MAX_GIVEN_BACK = 2;

    /** What is kept in memory of rows that go to a file. */
    private static final int FLUSH_BYTES = 4 << 20;

    private final int fields;
    private final Path scratch;
    private final int memoryBytes;
    private RowMemory memory = new RowMemory();
    private @Nullable Path spilled;
    private @Nullable OutputStream spill;
    private int rows;
    private long lengthBytes;

    /**
     * @param fields columns of each row
     * @param scratch a local folder
     * @param memoryBytes beyond this the rows go to a file
     */
    public RowLog(int fields, Path scratch, int memoryBytes) {
        this.fields = fields;
        this.scratch = scratch;
        this.memoryBytes = memoryBytes;
    }

    public int rows() {
        return rows;
    }

    public long lengthBytes() {
        return lengthBytes;
    }

    public void append(UnsafeRow row) {
        if (!memory.append(row, spilled == null ? memoryBytes : FLUSH_BYTES)) {
            flush();
            memory.append(row, FLUSH_BYTES);
        }
        rows++;
        lengthBytes += RowReader.HEAD_BYTES + row.getSizeInBytes();
    }

    /** Gives the rows of a cut in order; the row object is reused from one to the next. */
    void replay(GroupRows cut, Consumer<UnsafeRow> each) {
        try (RowReader in = open()) {
            UnsafeRow row = new UnsafeRow(fields);
            for (int i = 0; i < cut.first(); i++) {
                in.next(row);
                each.accept(row);
            }
            int at = cut.first();
            for (int number : cut.apart()) {
                in.skip(number - at);
                in.next(row);
                each.accept(row);
                at = number + 1;
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Forgets the rows of a cut. */
    void drop(GroupRows cut) {
        if (spilled == null) {
            memory.drop(cut);
            rows -= cut.rows();
            lengthBytes -= cut.rawBytes();
            return;
        }
        try (RowLog rest = new RowLog(fields, scratch, memoryBytes);
                RowReader in = open()) {
            UnsafeRow row = new UnsafeRow(fields);
            in.skip(cut.first());
            Iterator<Integer> apart = cut.apart().iterator();
            int dropped = apart.hasNext() ? apart.next() : -1;
            for (int at = cut.first(); at < rows; at++) {
                if (at == dropped) {
                    in.skip();
                    dropped = apart.hasNext() ? apart.next() : -1;
                } else {
                    in.next(row);
                    rest.append(row);
                }
            }
            close();
            memory = rest.memory;
            spilled = rest.spilled;
            spill = rest.spill;
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
    public GroupRows first(long rawBytes, int least, int most) {
        try (RowReader in = open()) {
            long taken = 0;
            for (int row = 0; row < rows; row++) {
                int length = RowReader.HEAD_BYTES + in.skip();
                long after = taken + length;
                if (row >= most || (row >= least && after > rawBytes)) {
                    return new GroupRows(row, List.of(), taken, length);
                }
                taken = after;
            }
            return new GroupRows(rows, List.of(), taken, 0);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * The cut, perhaps without its last few rows, and of those after it what fills {@code rawBytes} best. The log's first
     * row is always among them.
     */
    GroupRows packed(GroupRows cut, long rawBytes) {
        boolean few = rows - cut.first() <= GapFill.FEW;
        int from = few ? Math.max(1, cut.first() - MAX_GIVEN_BACK) : cut.first();
        int[] lengths = new int[Math.min(rows - from, MAX_PACKED)];
        try (RowReader in = open()) {
            in.skip(from);
            for (int i = 0; i < lengths.length; i++) {
                lengths[i] = RowReader.HEAD_BYTES + in.skip();
            }
        } catch (IOException e) {
            throw failed(e);
        }
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
        if (spilled != null) {
            flush();
            Files.copy(spilled, target);
        } else {
            memory.writeTo(target);
        }
    }

    /** Gives the rows that {@link #writeTo} wrote, to the end of the stream. */
    static void readAll(InputStream source, int fields, Consumer<UnsafeRow> each) throws IOException {
        UnsafeRow row = new UnsafeRow(fields);
        try (RowReader in = new RowReader(source)) {
            while (in.hasNext()) {
                in.next(row);
                each.accept(row);
            }
        }
    }

    /** Moves what is in memory to the file. */
    private void flush() {
        try {
            if (spill == null) {
                spilled = Files.createTempFile(scratch, "rankfeed-rows-", ".tmp");
                spill = Files.newOutputStream(spilled);
            }
            memory.flush(spill, FLUSH_BYTES);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private RowReader open() throws IOException {
        if (spilled == null) {
            return new RowReader(memory.chunks());
        }
        flush();
        return new RowReader(Files.newInputStream(spilled));
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
        return new EnvironmentException(IoReason.of("cannot keep rows in " + scratch, scratch, e), e);
    }
}
