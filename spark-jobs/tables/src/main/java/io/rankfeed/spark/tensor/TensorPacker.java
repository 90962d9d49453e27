package io.rankfeed.spark.tensor;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.HalfFloats;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.Platform;

/**
 * Packs lists of numbers to little-endian bytes, row-major, and checks their shape; lists of strings or binary become a
 * {@link PackedList}. One object per column and task.
 */
public final class TensorPacker {
    /** A value that does not fit its tensor. The message says what is wrong; the caller adds the row. */
    public static final class Unfit extends Exception {
        private static final long serialVersionUID = 1L;

        Unfit(String message) {
            super(message);
        }
    }

    private final String name;
    private final DataType source;
    private final DType dtype;
    private final Shape shape;
    private final int[] dims;
    private ByteBuffer bytes = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);

    /**
     * @param name of the column, for messages
     * @param source a list of numbers, perhaps of lists, or binary that holds a tensor already
     * @param shape of one value, of rank 1 or more
     */
    public TensorPacker(String name, DataType source, DType dtype, Shape shape) {
        this.name = name;
        this.source = source;
        this.dtype = dtype;
        this.shape = shape;
        this.dims = shape.dims().stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * Nested lists need a shape of as many dimensions; a flat list fits any.
     *
     * @param what has the type, for the message
     * @param where its shape is given, for the message
     * @throws ConfigException if the shape has another number of dimensions
     */
    public static void requireShape(String what, ArrayType type, Shape shape, String where) {
        int depth = 1;
        for (DataType at = type.elementType(); at instanceof ArrayType inner; at = inner.elementType()) {
            depth++;
        }
        int dims = shape.dims().size();
        if (depth > 1 && dims != depth) {
            throw new ConfigException(what + " has lists nested " + depth + " deep, and its shape " + shape + " has "
                    + (dims == 1 ? "1 dimension" : dims + " dimensions") + "; give " + depth + " dimensions (" + where
                    + "), of which the first may be null for any length");
        }
    }

    /** @throws Unfit if a value is null, out of the dtype's range, or the shape is another */
    public byte[] pack(ArrayData list) throws Unfit {
        if (dtype.isBytes()) {
            return items(list);
        }
        bytes.clear();
        boolean nested = ((ArrayType) source).elementType() instanceof ArrayType;
        if (nested) {
            append(list, (ArrayType) source, 0);
        } else {
            values(list, ((ArrayType) source).elementType());
            checkElements(list.numElements());
        }
        byte[] packed = new byte[bytes.position()];
        bytes.get(0, packed);
        return packed;
    }

    /** Checks bytes that hold a tensor already. */
    public byte[] checked(byte[] raw) throws Unfit {
        if (dtype.isBytes()) {
            return checkedItems(raw);
        }
        int size = dtype.sizeBytes();
        if (raw.length % size != 0) {
            throw new Unfit(raw.length + " bytes are no whole number of " + dtype.id());
        }
        checkElements(raw.length / size);
        return raw;
    }

    private byte[] items(ArrayData list) throws Unfit {
        List<byte[]> items = new ArrayList<>(list.numElements());
        for (int i = 0; i < list.numElements(); i++) {
            requireItem(list, i);
            items.add(dtype == DType.STRING ? list.getUTF8String(i).getBytes() : list.getBinary(i));
        }
        try {
            return PackedList.of(items);
        } catch (ArithmeticException e) {
            throw new Unfit("exceeds 2 GiB");
        }
    }

    private static byte[] checkedItems(byte[] raw) throws Unfit {
        try {
            return new PackedList(raw, 0, raw.length).array();
        } catch (CorruptDataException e) {
            throw new Unfit("is not a packed list: " + e.getMessage());
        }
    }

    private static void requireItem(ArrayData list, int i) throws Unfit {
        if (list.isNullAt(i)) {
            throw new Unfit("has a null inside the list; replace it with transform and coalesce, or filter the row");
        }
    }

    /** Looks at 64 elements at once, which follow the list's length in Spark's own layout; false means that it is not known. */
    private static boolean hasNoNullBit(ArrayData list) {
        if (!(list instanceof UnsafeArrayData rows)) {
            return false;
        }
        long set = 0;
        for (int i = 0; i < rows.numElements(); i += Long.SIZE) {
            set |= Platform.getLong(rows.getBaseObject(), rows.getBaseOffset() + Long.BYTES + i / Byte.SIZE);
        }
        return set == 0;
    }

    private void checkElements(int elements) throws Unfit {
        boolean variable = dims[0] < 0;
        int step = 1;
        for (int dim : dims) {
            step *= Math.max(dim, 1);
        }
        if (variable ? elements % step != 0 : elements != step) {
            throw new Unfit(elements + " elements do not fit the shape " + shape);
        }
    }

    private void append(ArrayData list, ArrayType type, int depth) throws Unfit {
        int length = list.numElements();
        if (depth >= dims.length) {
            throw new Unfit(
                    "lists nest deeper than the shape " + shape + "; give its shape under prepare.tensors." + name);
        }
        if (dims[depth] >= 0 && dims[depth] != length) {
            throw new Unfit("has " + length + " in dimension " + depth + " of the shape " + shape);
        }
        if (!(type.elementType() instanceof ArrayType inner)) {
            if (depth != dims.length - 1) {
                throw new Unfit("lists nest less deep than the shape " + shape);
            }
            values(list, type.elementType());
            return;
        }
        for (int i = 0; i < length; i++) {
            if (list.isNullAt(i)) {
                throw new Unfit("has a null inside the list; replace it with coalesce or filter the row");
            }
            append(list.getArray(i), inner, depth + 1);
        }
    }

    private void values(ArrayData list, DataType element) throws Unfit {
        int length = list.numElements();
        if (!hasNoNullBit(list)) {
            for (int i = 0; i < length; i++) {
                requireItem(list, i);
            }
        }
        room((long) length * dtype.sizeBytes());
        ScalarKind kind = ScalarKind.of(element).orElseThrow();
        if (kind.dtype() == dtype && kind != ScalarKind.BOOLEAN) {
            kind.append(list, bytes);
        } else if (kind.isReal()) {
            for (int i = 0; i < length; i++) {
                real(kind.number(list, i));
            }
        } else {
            for (int i = 0; i < length; i++) {
                integer(kind.bits(list, i));
            }
        }
    }

    private void integer(long value) throws Unfit {
        switch (dtype) {
            case BOOL -> bytes.put((byte) within(value, 0, 1));
            case INT8 -> bytes.put((byte) within(value, Byte.MIN_VALUE, Byte.MAX_VALUE));
            case UINT8 -> bytes.put((byte) within(value, 0, 0xFF));
            case INT16 -> bytes.putShort((short) within(value, Short.MIN_VALUE, Short.MAX_VALUE));
            case UINT16 -> bytes.putShort((short) within(value, 0, 0xFFFF));
            case INT32 -> bytes.putInt((int) within(value, Integer.MIN_VALUE, Integer.MAX_VALUE));
            case UINT32 -> bytes.putInt((int) within(value, 0, 0xFFFFFFFFL));
            case INT64 -> bytes.putLong(value);
            case UINT64 -> bytes.putLong(within(value, 0, Long.MAX_VALUE));
            default -> real((double) value);
        }
    }

    private void real(double value) throws Unfit {
        switch (dtype) {
            case FLOAT64 -> bytes.putDouble(value);
            case FLOAT32 -> {
                if (Float.isInfinite((float) value) && !Double.isInfinite(value)) {
                    throw tooLarge(value);
                }
                bytes.putFloat((float) value);
            }
            case FLOAT16 -> half(value, HalfFloats.float16((float) value), HalfFloats.INFINITE_FLOAT16);
            case BFLOAT16 -> half(value, HalfFloats.bfloat16((float) value), HalfFloats.INFINITE_BFLOAT16);
            default -> {
                if (value != Math.rint(value) || Math.abs(value) > (1L << 53)) {
                    throw new Unfit("holds " + value + ", which is not a valid " + dtype.id());
                }
                integer((long) value);
            }
        }
    }

    private void half(double value, short bits, int infinite) throws Unfit {
        if ((bits & 0x7FFF) == infinite && !Double.isInfinite(value)) {
            throw tooLarge(value);
        }
        bytes.putShort(bits);
    }

    private Unfit tooLarge(double value) {
        return new Unfit("holds " + value + ", out of the range of " + dtype.id()
                + "; take a wider dtype under prepare.tensors, or clip it in the job's SQL");
    }

    private long within(long value, long min, long max) throws Unfit {
        if (value < min || value > max) {
            throw new Unfit("holds " + value + ", out of the range of " + dtype.id() + " (" + min + " to " + max + ")");
        }
        return value;
    }

    private void room(long wanted) throws Unfit {
        long needed = bytes.position() + wanted;
        if (needed > Integer.MAX_VALUE - 8) {
            throw new Unfit("exceeds 2 GiB");
        }
        if (needed > bytes.capacity()) {
            int size = (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, 2L * bytes.capacity()));
            ByteBuffer larger = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
            bytes.flip();
            bytes = larger.put(bytes);
        }
    }
}
