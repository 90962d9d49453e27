package io.rankfeed.export.parquet;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * The end of a Parquet file: a footer, its length in four bytes, the magic. Parquet's own reader trusts it; here it is
 * compared with the file first.
 *
 * @param name of the file, for messages
 * @param footerStart the footer's first byte
 * @param footerEnd the byte behind it
 */
public record ParquetTail(String name, long footerStart, long footerEnd) {
    private static final int TRAILER_BYTES = 8;
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ENCRYPTED_MAGIC = "PARE".getBytes(StandardCharsets.US_ASCII);
    private static final int THREADS = 8;

    /** Reads a part of a file. */
    @FunctionalInterface
    public interface Input {
        /** Fills an array with the bytes from an offset. */
        void readFully(long fromByte, byte[] bytes) throws IOException;
    }

    /**
     * Looks where the footer is.
     *
     * @throws CorruptDataException if the file has no footer within itself
     * @throws ConfigException if the footer is encrypted
     */
    public static ParquetTail of(Input in, String name, long lengthBytes) throws IOException {
        if (lengthBytes < MAGIC.length + TRAILER_BYTES) {
            throw new CorruptDataException(
                    name,
                    lengthBytes,
                    "ends here; " + lengthBytes + " bytes are too few for a Parquet file" + ifOther(name));
        }
        byte[] trailer = new byte[TRAILER_BYTES];
        in.readFully(lengthBytes - TRAILER_BYTES, trailer);
        if (Arrays.equals(trailer, 4, 8, ENCRYPTED_MAGIC, 0, 4)) {
            throw new ConfigException(
                    name
                            + ": unsupported: an encrypted Parquet footer (PARE); decrypt the file, or write it with a plain one");
        }
        if (!Arrays.equals(trailer, 4, 8, MAGIC, 0, 4)) {
            throw new CorruptDataException(
                    name,
                    lengthBytes - 4,
                    "does not end with PAR1; the file is truncated, or no Parquet" + ifOther(name));
        }
        long footerBytes = Integer.toUnsignedLong(
                ByteBuffer.wrap(trailer).order(ByteOrder.LITTLE_ENDIAN).getInt());
        long start = lengthBytes - TRAILER_BYTES - footerBytes;
        if (start < MAGIC.length) {
            throw new CorruptDataException(
                    name, lengthBytes - TRAILER_BYTES, "states a footer of " + footerBytes + " bytes");
        }
        return new ParquetTail(name, start, lengthBytes - TRAILER_BYTES);
    }

    /** What to do with a file that may not be of the table, such as a README in its folder. */
    private static String ifOther(String name) {
        return name.endsWith(".parquet")
                ? ""
                : "; if it is not of the table, move it out of the folder, or begin its name with _";
    }

    /**
     * Checks the position of a column chunk.
     *
     * @throws CorruptDataException if it is where no data is
     */
    public void refuseOutside(String column, long start, long bytes) {
        // Subtraction: a start and a size out of damage may overflow together.
        if (start < MAGIC.length || start > footerStart || bytes < 0 || bytes > footerStart - start) {
            throw new CorruptDataException(
                    name,
                    footerStart,
                    "column " + column + " has the position " + start + " with " + bytes
                            + " bytes, outside the file's data");
        }
    }

    /**
     * Reads files by a few threads.
     *
     * @param read may throw
     * @return in the order of the files; what the first of them throws, in that order, is thrown
     */
    public static <F, T> List<T> ofEach(List<F> files, Function<F, T> read) {
        ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, Math.min(THREADS, files.size())));
        try {
            List<Future<T>> reading = files.stream()
                    .map(file -> threads.submit(() -> read.apply(file)))
                    .toList();
            List<T> all = new ArrayList<>();
            for (Future<T> one : reading) {
                all.add(one.get());
            }
            return all;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while reading footers", e);
        } finally {
            threads.shutdownNow();
        }
    }
}
