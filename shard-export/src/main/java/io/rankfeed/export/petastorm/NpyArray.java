package io.rankfeed.export.petastorm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** An array out of {@code np.save}'s bytes: its type and size are compared with its field before it is read. */
public final class NpyArray {
    private static final int CODE_POINT_BYTES = 4;
    /** Items of no byte, as empty lists are, that a value may have however few bytes it has. */
    private static final int MAX_EMPTY = 1 << 10;

    private static final Charset UTF_32LE = Charset.forName("UTF-32LE");

    private final NumpyType type;
    private final NpyHeader header;
    private final byte[] npy;
    private final int[] shape;
    private final int itemBytes;
    private final int count;

    private NpyArray(NumpyType type, NpyHeader header, byte[] npy, int itemBytes, int count) {
        this.type = type;
        this.header = header;
        this.npy = npy;
        this.shape = header.shape().stream().mapToInt(Integer::intValue).toArray();
        this.itemBytes = itemBytes;
        this.count = count;
    }

    /**
     * The field of arrays of the type and the number of dimensions of one.
     *
     * @param begin its bytes, or the first ones with the header
     */
    public static UnischemaField declared(byte[] begin) throws Unfit {
        NpyHeader header = NpyHeader.parse(begin);
        for (NumpyType type : NumpyType.values()) {
            boolean same = type.isText()
                    ? header.code().startsWith(type.code())
                    : header.code().equals(type.code());
            if (same) {
                List<Integer> open = Collections.nCopies(header.shape().size(), UnischemaField.ANY);
                return new UnischemaField("", type, open, new UnischemaCodec.Ndarray(), false);
            }
        }
        throw new Unfit("is an array of " + header.code());
    }

    /** @throws Unfit if it is not an array of the field's type and shape, or has other bytes than its shape wants */
    public static NpyArray of(UnischemaField field, byte[] npy) throws Unfit {
        NpyHeader header = NpyHeader.parse(npy);
        String code = header.code();
        boolean same = field.type().isText()
                ? code.startsWith(field.type().code())
                : code.equals(field.type().code());
        int[] shape = header.shape().stream().mapToInt(Integer::intValue).toArray();
        if (!same || !field.fits(shape)) {
            throw new Unfit("is an array of " + code + " " + header.shape() + ", where the Unischema says "
                    + field.type().id() + " " + field.shape());
        }
        int width = Integer.parseInt(code.substring(1));
        long itemBytes = field.type() == NumpyType.STR ? (long) width * CODE_POINT_BYTES : width;
        long count = 1;
        for (int dim : shape) {
            count *= dim;
            if (count > Integer.MAX_VALUE) {
                throw new Unfit("is an array of more than 2^31 elements");
            }
        }
        if (itemBytes > Integer.MAX_VALUE || count * itemBytes != npy.length - header.lengthBytes()) {
            throw new Unfit("has " + (npy.length - header.lengthBytes()) + " bytes of elements where " + count + " of "
                    + itemBytes + " are due");
        }
        return new NpyArray(field.type(), header, npy, (int) itemBytes, (int) count);
    }

    /** The elements, little-endian, row-major. */
    public byte[] packed() {
        byte[] elements = Arrays.copyOfRange(npy, header.lengthBytes(), npy.length);
        int unit = type == NumpyType.STR ? CODE_POINT_BYTES : itemBytes;
        if (header.order() == '>' && type != NumpyType.BYTES) {
            for (int i = 0; i < elements.length; i += unit) {
                reverse(elements, i, unit);
            }
        }
        return header.fortran() && shape.length > 1 ? rowMajor(elements) : elements;
    }

    /** The elements as lists of lists. @throws Unfit if an element has no value in Spark */
    public Object nested() throws Unfit {
        long items = 1;
        for (int dim : shape) {
            items *= dim;
            if (items > Math.max(npy.length, MAX_EMPTY)) {
                throw new Unfit("is an array of the shape " + header.shape() + " in " + npy.length + " bytes");
            }
        }
        return nested(ByteBuffer.wrap(packed()).order(ByteOrder.LITTLE_ENDIAN), 0);
    }

    private Object nested(ByteBuffer elements, int depth) throws Unfit {
        if (depth == shape.length) {
            return element(elements);
        }
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < shape[depth]; i++) {
            list.add(nested(elements, depth + 1));
        }
        return list;
    }

    private Object element(ByteBuffer in) throws Unfit {
        return switch (type) {
            case BOOL -> in.get() != 0;
            case INT8 -> in.get();
            case UINT8 -> (short) (in.get() & 0xFF);
            case INT16 -> in.getShort();
            case UINT16 -> in.getShort() & 0xFFFF;
            case INT32 -> in.getInt();
            case UINT32 -> in.getInt() & 0xFFFFFFFFL;
            case INT64 -> in.getLong();
            case UINT64 -> notNegative(in.getLong());
            case FLOAT16 -> half(in.getShort());
            case FLOAT32 -> in.getFloat();
            case FLOAT64 -> in.getDouble();
            case BYTES -> trimmed(in, 1);
            case STR -> new String(trimmed(in, CODE_POINT_BYTES), UTF_32LE);
            default -> throw new Unfit("holds " + type.id() + ", which Spark has no value for");
        };
    }

    /** numpy fills text up with zeros and does not count those at its end. */
    private byte[] trimmed(ByteBuffer in, int unit) {
        byte[] item = new byte[itemBytes];
        in.get(item);
        int length = item.length;
        while (length > 0 && item[length - 1] == 0) {
            length--;
        }
        return Arrays.copyOf(item, (length + unit - 1) / unit * unit);
    }

    private byte[] rowMajor(byte[] columnMajor) {
        byte[] out = new byte[columnMajor.length];
        int[] index = new int[shape.length];
        for (int to = 0; to < count; to++) {
            long from = 0;
            for (int axis = shape.length - 1; axis >= 0; axis--) {
                from = from * shape[axis] + index[axis];
            }
            System.arraycopy(columnMajor, (int) from * itemBytes, out, to * itemBytes, itemBytes);
            for (int axis = shape.length - 1; axis >= 0 && ++index[axis] == shape[axis]; axis--) {
                index[axis] = 0;
            }
        }
        return out;
    }

    private static void reverse(byte[] bytes, int from, int length) {
        for (int i = 0; i < length / 2; i++) {
            byte swapped = bytes[from + i];
            bytes[from + i] = bytes[from + length - 1 - i];
            bytes[from + length - 1 - i] = swapped;
        }
    }

    /** IEEE 754 binary16, exactly. */
    private static float half(short bits) {
        int exponent = (bits >> 10) & 0x1F;
        int fraction = bits & 0x3FF;
        float magnitude =
                switch (exponent) {
                    case 0 -> fraction * 0x1p-24f;
                    case 0x1F -> fraction == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
                    default -> Math.scalb(1 + fraction * 0x1p-10f, exponent - 15);
                };
        return bits < 0 ? -magnitude : magnitude;
    }

    private static long notNegative(long value) throws Unfit {
        if (value < 0) {
            throw new Unfit("holds " + Long.toUnsignedString(value) + ", which no Spark integer holds");
        }
        return value;
    }
}
