package io.rankfeed.spark.source.format.arrow;

import io.rankfeed.spark.source.format.arrow.ArrowField.FixedValue;
import io.rankfeed.spark.source.format.arrow.ArrowField.Layout;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.arrow.flatbuf.Date;
import org.apache.arrow.flatbuf.DateUnit;
import org.apache.arrow.flatbuf.Decimal;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FixedSizeBinary;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.TimeUnit;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Union;
import org.apache.arrow.flatbuf.UnionMode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;

/** The types of fields: their layout, and what they are in Spark. Nested values are nullable in Spark whatever the schema says. */
record ArrowTypes(Field stored, String name, List<ArrowField> children) {
    private static final String[] UNITS = {"s", "ms", "us", "ns"};
    private static final int MAX_FIXED_BYTES = 1 << 24;

    /** The field without its dictionary. A runtime exception is damage: the number of children is wrong, or bytes are missing. */
    static ArrowField of(Field stored, String name, List<ArrowField> children) {
        return new ArrowTypes(stored, name, children).field();
    }

    private ArrowField field() {
        return switch (stored.typeType()) {
            case Type.Null -> other(Layout.NULL, 0, "null", DataTypes.NullType);
            case Type.Bool -> fixed(1, "bool", DataTypes.BooleanType, FixedValues.BOOL);
            case Type.Int -> integer();
            case Type.FloatingPoint -> floating();
            case Type.Decimal -> decimal();
            case Type.Date ->
                type(new Date()).unit() == DateUnit.DAY
                        ? fixed(32, "date32", DataTypes.DateType, FixedValues.DATE32)
                        : fixed(64, "date64", null, null);
            case Type.Timestamp -> timestamp();
            case Type.Utf8 -> other(Layout.VARIABLE, 0, "string", DataTypes.StringType);
            case Type.LargeUtf8 -> other(Layout.LARGE_VARIABLE, 0, "large_string", DataTypes.StringType);
            case Type.Binary -> other(Layout.VARIABLE, 0, "binary", DataTypes.BinaryType);
            case Type.LargeBinary -> other(Layout.LARGE_VARIABLE, 0, "large_binary", DataTypes.BinaryType);
            case Type.FixedSizeBinary -> fixedBytes();
            case Type.List -> list(Layout.LIST, 0, "list<" + one().words() + ">");
            case Type.LargeList -> list(Layout.LARGE_LIST, 0, "large_list<" + one().words() + ">");
            case Type.FixedSizeList -> {
                int size = positive(type(new FixedSizeList()).listSize());
                yield list(Layout.FIXED_LIST, size, "fixed_size_list<" + one().words() + ">[" + size + "]");
            }
            case Type.Struct_ -> struct();
            case Type.Map -> map();
            default -> unsupported();
        };
    }

    private ArrowField integer() {
        Int type = type(new Int());
        FixedValue value = integer(type.bitWidth(), type.isSigned());
        DataType spark =
                switch (type.bitWidth() + (type.isSigned() ? 0 : 1)) {
                    case 8 -> DataTypes.ByteType;
                    case 9, 16 -> DataTypes.ShortType;
                    case 17, 32 -> DataTypes.IntegerType;
                    case 33, 64 -> DataTypes.LongType;
                    case 65 -> DataTypes.createDecimalType(20, 0);
                    default -> throw new IllegalArgumentException("an integer of " + type.bitWidth() + " bits");
                };
        return fixed(type.bitWidth(), (type.isSigned() ? "int" : "uint") + type.bitWidth(), spark, value);
    }

    /** Returns the storage of an integer type; null if Spark has no such type. */
    static @Nullable FixedValue integer(int bits, boolean isSigned) {
        return switch (bits) {
            case 8 -> isSigned ? FixedValues.INT8 : FixedValues.UINT8;
            case 16 -> isSigned ? FixedValues.INT16 : FixedValues.UINT16;
            case 32 -> isSigned ? FixedValues.INT32 : FixedValues.UINT32;
            case 64 -> isSigned ? FixedValues.INT64 : FixedValues.UINT64;
            default -> null;
        };
    }

    private ArrowField floating() {
        short precision = type(new FloatingPoint()).precision();
        return switch (precision) {
            case Precision.HALF -> fixed(16, "float16", DataTypes.FloatType, FixedValues.FLOAT16);
            case Precision.SINGLE -> fixed(32, "float", DataTypes.FloatType, FixedValues.FLOAT32);
            case Precision.DOUBLE -> fixed(64, "double", DataTypes.DoubleType, FixedValues.FLOAT64);
            default -> throw new IllegalArgumentException("a float of precision " + precision);
        };
    }

    private ArrowField decimal() {
        Decimal type = type(new Decimal());
        int precision = type.precision();
        int scale = type.scale();
        boolean isReadable = type.bitWidth() == 128
                && 0 < precision
                && precision <= DecimalType.MAX_PRECISION()
                && 0 <= scale
                && scale <= precision;
        return fixed(
                positive(type.bitWidth()),
                "decimal" + type.bitWidth() + "(" + precision + ", " + scale + ")",
                isReadable ? DataTypes.createDecimalType(precision, scale) : null,
                FixedValues.decimal128(precision, scale));
    }

    private ArrowField timestamp() {
        Timestamp type = type(new Timestamp());
        short unit = type.unit();
        if (unit < TimeUnit.SECOND || unit > TimeUnit.NANOSECOND) {
            throw new IllegalArgumentException("a timestamp of unit " + unit);
        }
        String zone = Objects.requireNonNullElse(type.timezone(), "");
        return zone.isEmpty()
                ? fixed(64, "timestamp[" + UNITS[unit] + "]", DataTypes.TimestampNTZType, FixedValues.local(unit))
                : fixed(
                        64,
                        "timestamp[" + UNITS[unit] + ", tz=" + zone + "]",
                        DataTypes.TimestampType,
                        FixedValues.instant(unit));
    }

    private ArrowField fixedBytes() {
        int width = positive(type(new FixedSizeBinary()).byteWidth());
        if (width > MAX_FIXED_BYTES) {
            throw new IllegalArgumentException("binary values of " + width + " bytes");
        }
        return fixed(8 * width, "fixed_size_binary[" + width + "]", DataTypes.BinaryType, FixedValues.bytes(width));
    }

    private ArrowField list(Layout layout, int width, String words) {
        DataType item = one().spark();
        return other(layout, width, words, item == null ? null : DataTypes.createArrayType(item, true));
    }

    private ArrowField struct() {
        String words = children.stream()
                .map(child -> child.name() + ": " + child.words())
                .collect(Collectors.joining(", ", "struct<", ">"));
        return other(Layout.STRUCT, 0, words, children.isEmpty() ? null : structType(children));
    }

    private static @Nullable DataType structType(List<ArrowField> fields) {
        StructField[] types = new StructField[fields.size()];
        for (int i = 0; i < types.length; i++) {
            DataType type = fields.get(i).spark();
            if (type == null) {
                return null;
            }
            types[i] = DataTypes.createStructField(fields.get(i).name(), type, true);
        }
        return DataTypes.createStructType(types);
    }

    private ArrowField map() {
        List<ArrowField> entry = one().children();
        if (entry.size() != 2 || one().layout() != Layout.STRUCT || one().dictionary() != null) {
            throw new IllegalArgumentException("a map without a key and a value");
        }
        DataType key = entry.get(0).spark();
        DataType value = entry.get(1).spark();
        return other(
                Layout.LIST,
                0,
                "map<" + entry.get(0).words() + ", " + entry.get(1).words() + ">",
                key == null || value == null ? null : DataTypes.createMapType(key, value, true));
    }

    private ArrowField unsupported() {
        byte type = stored.typeType();
        String words = Type.name(type).toLowerCase(Locale.ROOT);
        return switch (type) {
            case Type.Time, Type.Duration, Type.Interval -> fixed(64, words, null, null);
            case Type.Utf8View, Type.BinaryView -> other(Layout.VIEW, 0, words, null);
            case Type.ListView, Type.LargeListView -> other(Layout.LIST_VIEW, 0, words, null);
            case Type.RunEndEncoded -> other(Layout.RUN_ENDS, 0, words, null);
            case Type.Union ->
                other(
                        type(new Union()).mode() == UnionMode.Dense ? Layout.DENSE_UNION : Layout.SPARSE_UNION,
                        0,
                        words,
                        null);
            default -> throw new IllegalArgumentException("a field of type " + type);
        };
    }

    private <T extends com.google.flatbuffers.Table> T type(T table) {
        @SuppressWarnings("unchecked") // Flatbuffers return their argument.
        T type = (T) Objects.requireNonNull(stored.type(table));
        return type;
    }

    private ArrowField one() {
        if (children.size() != 1) {
            throw new IllegalArgumentException("a list with " + children.size() + " children");
        }
        return children.get(0);
    }

    private static int positive(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("a size of " + number);
        }
        return number;
    }

    private ArrowField fixed(int bits, String words, @Nullable DataType spark, @Nullable FixedValue value) {
        return new ArrowField(name, stored.nullable(), Layout.FIXED, bits, words, spark, value, children, null);
    }

    private ArrowField other(Layout layout, int width, String words, @Nullable DataType spark) {
        return new ArrowField(name, stored.nullable(), layout, width, words, spark, null, children, null);
    }
}
