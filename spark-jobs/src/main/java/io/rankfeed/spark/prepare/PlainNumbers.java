package io.rankfeed.spark.prepare;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.values.ValuesWriter;
import org.apache.parquet.column.values.factory.DefaultV1ValuesWriterFactory;
import org.apache.parquet.column.values.factory.ValuesWriterFactory;
import org.jspecify.annotations.Nullable;

/**
 * Parquet's plain encoding of numbers, little-endian one behind the other, into one array that pages share; the library's
 * own, which writes the same, passes each value on byte by byte.
 */
final class PlainNumbers extends ValuesWriter {
    private static final int FIRST_BYTES = 1 << 10;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Gives these for columns of numbers without a dictionary, and the library's own for all others. */
    static final class Factory implements ValuesWriterFactory {
        private final ValuesWriterFactory others = new DefaultV1ValuesWriterFactory();
        private @Nullable ParquetProperties properties;

        @Override
        public void initialize(ParquetProperties wanted) {
            properties = wanted;
            others.initialize(wanted);
        }

        @Override
        public ValuesWriter newValuesWriter(ColumnDescriptor column) {
            boolean number =
                    switch (column.getPrimitiveType().getPrimitiveTypeName()) {
                        case INT32, INT64, FLOAT, DOUBLE -> true;
                        default -> false;
                    };
            return number && !Objects.requireNonNull(properties).isDictionaryEnabled(column)
                    ? new PlainNumbers()
                    : others.newValuesWriter(column);
        }
    }

    private byte[] bytes = new byte[FIRST_BYTES];
    private int used;

    @Override
    public void writeInteger(int value) {
        int at = room(Integer.BYTES);
        INTS.set(bytes, at, value);
    }

    @Override
    public void writeLong(long value) {
        int at = room(Long.BYTES);
        LONGS.set(bytes, at, value);
    }

    @Override
    public void writeFloat(float value) {
        writeInteger(Float.floatToIntBits(value));
    }

    @Override
    public void writeDouble(double value) {
        writeLong(Double.doubleToLongBits(value));
    }

    /** Where the next value goes; there is room for it then, perhaps in another array than before. */
    private int room(int lengthBytes) {
        int at = used;
        used = at + lengthBytes;
        if (used > bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        return at;
    }

    @Override
    public long getBufferedSize() {
        return used;
    }

    /** The page's bytes, good until the next {@link #reset}. */
    @Override
    public BytesInput getBytes() {
        return BytesInput.from(bytes, 0, used);
    }

    @Override
    public Encoding getEncoding() {
        return Encoding.PLAIN;
    }

    @Override
    public void reset() {
        used = 0;
    }

    @Override
    public long getAllocatedSize() {
        return bytes.length;
    }

    @Override
    public String memUsageString(String prefix) {
        return prefix + " plain numbers, " + used + " of " + bytes.length + " bytes";
    }
}
