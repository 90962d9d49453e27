package io.rankfeed.feeder.text;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reads integers of any type but uint64 as longs. Confined to one thread. */
public final class IntegerReader {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final DType dtype;
    private final byte[] bytes;
    private final short[] shorts;
    private final int[] ints;

    /** @param max maximum number of integers that are read at once */
    public IntegerReader(DType dtype, int max) {
        this.dtype = dtype;
        bytes = new byte[dtype.sizeBytes() == 1 ? max : 0];
        shorts = new short[dtype.sizeBytes() == 2 ? max : 0];
        ints = new int[dtype.sizeBytes() == 4 ? max : 0];
    }

    /** Whether a field has integers that can be read. */
    public static boolean reads(Field field) {
        return switch (field.dtype()) {
            case INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64 -> true;
            default -> false;
        };
    }

    /** Reads {@code count} integers from a byte of the file on. */
    public void read(MemorySegment file, long at, int count, long[] out) {
        switch (dtype) {
            case INT8, UINT8 -> {
                MemorySegment.copy(file, ValueLayout.JAVA_BYTE, at, bytes, 0, count);
                long mask = dtype == DType.UINT8 ? 0xFF : -1;
                for (int i = 0; i < count; i++) {
                    out[i] = bytes[i] & mask;
                }
            }
            case INT16, UINT16 -> {
                MemorySegment.copy(file, SHORT, at, shorts, 0, count);
                long mask = dtype == DType.UINT16 ? 0xFFFF : -1;
                for (int i = 0; i < count; i++) {
                    out[i] = shorts[i] & mask;
                }
            }
            case INT32, UINT32 -> {
                MemorySegment.copy(file, INT, at, ints, 0, count);
                long mask = dtype == DType.UINT32 ? 0xFFFF_FFFFL : -1;
                for (int i = 0; i < count; i++) {
                    out[i] = ints[i] & mask;
                }
            }
            default -> MemorySegment.copy(file, LONG, at, out, 0, count);
        }
    }

    /** Reads one integer. */
    public static long one(DType dtype, MemorySegment file, long at) {
        return switch (dtype) {
            case INT8 -> file.get(ValueLayout.JAVA_BYTE, at);
            case UINT8 -> file.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
            case INT16 -> file.get(SHORT, at);
            case UINT16 -> file.get(SHORT, at) & 0xFFFF;
            case INT32 -> file.get(INT, at);
            case UINT32 -> file.get(INT, at) & 0xFFFF_FFFFL;
            default -> file.get(LONG, at);
        };
    }
}
