package io.rankfeed.spark.source.format.mds;

import io.rankfeed.schema.HalfFloats;
import io.rankfeed.spark.source.format.BadValue;
import io.rankfeed.spark.source.format.Utf8;
import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * A column of a shard.
 *
 * @param encoding as in {@code ndarray:float32:2,3}
 * @param size in bytes of each value; 0 if values have different sizes
 */
record MdsColumn(String name, String encoding, int size) implements Serializable {
    private static final String ARRAY = "ndarray";
    private static final int MAX_DIMS = 16;

    private enum NumberType {
        INT8(1, DataTypes.ByteType),
        UINT8(1, DataTypes.ShortType),
        INT16(2, DataTypes.ShortType),
        UINT16(2, DataTypes.IntegerType),
        INT32(4, DataTypes.IntegerType),
        UINT32(4, DataTypes.LongType),
        INT64(8, DataTypes.LongType),
        UINT64(8, DataTypes.createDecimalType(20, 0)),
        FLOAT16(2, DataTypes.FloatType),
        FLOAT32(4, DataTypes.FloatType),
        FLOAT64(8, DataTypes.DoubleType);

        private final int width;

        @SuppressWarnings("ImmutableEnumChecker") // Spark's types are immutable.
        private final DataType type;

        NumberType(int width, DataType type) {
            this.width = width;
            this.type = type;
        }

        static @Nullable NumberType named(String encoding) {
            String name = encoding.equals("int") ? "int64" : encoding;
            return Arrays.stream(values())
                    .filter(number -> number.name().toLowerCase(Locale.ROOT).equals(name))
                    .findFirst()
                    .orElse(null);
        }

        Object read(ByteBuffer in) {
            return switch (this) {
                case INT8 -> in.get();
                case UINT8 -> (short) (in.get() & 0xff);
                case INT16 -> in.getShort();
                case UINT16 -> in.getShort() & 0xffff;
                case INT32 -> in.getInt();
                case UINT32 -> in.getInt() & 0xffff_ffffL;
                case INT64 -> in.getLong();
                case UINT64 -> new BigDecimal(Long.toUnsignedString(in.getLong()));
                case FLOAT16 -> HalfFloats.fromFloat16(in.getShort());
                case FLOAT32 -> in.getFloat();
                case FLOAT64 -> in.getDouble();
            };
        }
    }

    /** The type in Spark; null if it has none. Arrays without a fixed shape are lists of all their elements. */
    @Nullable
    DataType type() {
        NumberType number = NumberType.named(encoding);
        if (number != null) {
            return number.type;
        } else if (encoding.startsWith(ARRAY)) {
            NumberType item = item();
            int[] dims = dims();
            if (item == null || dims == null) {
                return null;
            }
            DataType type = item.type;
            for (int i = 0; i < Math.max(1, dims.length); i++) {
                type = DataTypes.createArrayType(type, false);
            }
            return type;
        }
        return switch (encoding) {
            case "str", "json", "str_int", "str_float", "str_decimal" -> DataTypes.StringType;
            case "bytes", "jpeg", "png" -> DataTypes.BinaryType;
            default -> null;
        };
    }

    private String part(int number) {
        String[] parts = encoding.split(":", -1);
        return parts.length > number ? parts[number] : "";
    }

    private @Nullable NumberType item() {
        return part(0).equals(ARRAY) ? NumberType.named(part(1)) : null;
    }

    /** The fixed shape; empty if there is none, null if it is not one. */
    private int @Nullable [] dims() {
        String text = part(2);
        if (text.isEmpty()) {
            return new int[0];
        }
        String[] dims = text.split(",", -1);
        return dims.length <= MAX_DIMS && Arrays.stream(dims).allMatch(dim -> dim.matches("[0-9]{1,9}"))
                ? Arrays.stream(dims).mapToInt(Integer::parseInt).toArray()
                : null;
    }

    /** Reads a value of a column that has a type. @throws BadValue if the bytes are not one */
    Object value(ByteBuffer in) {
        NumberType number = NumberType.named(encoding);
        if (number != null) {
            requireBytes(in, number.width);
            return number.read(in);
        }
        NumberType item = item();
        int[] dims = dims();
        if (item != null && dims != null) {
            return dims.length == 0 ? list(item, in) : nested(item, dims, in);
        }
        byte[] bytes = new byte[in.remaining()];
        in.get(bytes);
        return DataTypes.StringType.equals(type()) ? Utf8.text(bytes, 0, bytes.length) : bytes;
    }

    private static Object nested(NumberType item, int[] dims, ByteBuffer in) {
        requireBytes(in, elements(Arrays.stream(dims).asLongStream().toArray()) * item.width);
        return nested(item, dims, 0, in);
    }

    private static Object nested(NumberType item, int[] dims, int depth, ByteBuffer in) {
        if (depth == dims.length) {
            return item.read(in);
        }
        Object[] items = new Object[dims[depth]];
        for (int i = 0; i < items.length; i++) {
            items[i] = nested(item, dims, depth + 1, in);
        }
        return items;
    }

    /** A byte with the number of dimensions and their width, the dimensions, the elements. */
    private static Object list(NumberType item, ByteBuffer in) {
        if (!in.hasRemaining()) {
            throw BadValue.damaged("an array without dimensions");
        }
        int head = in.get() & 0xff;
        int width = 1 << (head & 3);
        if ((head >> 2) * width > in.remaining()) {
            throw BadValue.damaged("an array with " + (head >> 2) + " dimensions in " + in.remaining() + " bytes");
        }
        long[] dims = new long[head >> 2];
        for (int i = 0; i < dims.length; i++) {
            dims[i] = switch (width) {
                case 1 -> in.get() & 0xff;
                case 2 -> in.getShort() & 0xffff;
                case 4 -> in.getInt() & 0xffff_ffffL;
                default -> in.getLong();
            };
        }
        long elements = elements(dims);
        requireBytes(in, elements > in.remaining() ? Long.MAX_VALUE : elements * item.width);
        Object[] items = new Object[(int) elements];
        for (int i = 0; i < items.length; i++) {
            items[i] = item.read(in);
        }
        return items;
    }

    private static long elements(long[] dims) {
        long elements = 1;
        for (long dim : dims) {
            if (dim == 0) {
                return 0;
            } else if (dim < 0 || elements > Integer.MAX_VALUE / dim) {
                throw BadValue.damaged("an array of 2^31 elements or more");
            }
            elements *= dim;
        }
        return elements;
    }

    private static void requireBytes(ByteBuffer in, long bytes) {
        if (in.remaining() != bytes) {
            throw BadValue.damaged("a value has " + in.remaining() + " bytes, its type and shape require others");
        }
    }
}
