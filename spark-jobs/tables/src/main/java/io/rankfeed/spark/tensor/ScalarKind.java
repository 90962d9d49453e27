package io.rankfeed.spark.tensor;

import io.rankfeed.schema.DType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** The Spark types that a scalar column, or an element of a list, can have: what they are in a cache and in Parquet. */
@SuppressWarnings("ImmutableEnumChecker") // Spark's and Parquet's types are immutable.
public enum ScalarKind {
    BOOLEAN(DataTypes.BooleanType, DType.BOOL, PrimitiveTypeName.BOOLEAN, null),
    BYTE(DataTypes.ByteType, DType.INT8, PrimitiveTypeName.INT32, LogicalTypeAnnotation.intType(8, true)),
    SHORT(DataTypes.ShortType, DType.INT16, PrimitiveTypeName.INT32, LogicalTypeAnnotation.intType(16, true)),
    INTEGER(DataTypes.IntegerType, DType.INT32, PrimitiveTypeName.INT32, null),
    LONG(DataTypes.LongType, DType.INT64, PrimitiveTypeName.INT64, null),
    FLOAT(DataTypes.FloatType, DType.FLOAT32, PrimitiveTypeName.FLOAT, null),
    DOUBLE(DataTypes.DoubleType, DType.FLOAT64, PrimitiveTypeName.DOUBLE, null),
    STRING(DataTypes.StringType, DType.STRING, PrimitiveTypeName.BINARY, LogicalTypeAnnotation.stringType()),
    BINARY(DataTypes.BinaryType, DType.BINARY, PrimitiveTypeName.BINARY, null);

    private static final Map<String, ScalarKind> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toMap(kind -> kind.type.typeName(), Function.identity()));

    private final DataType type;
    private final DType dtype;
    private final PrimitiveTypeName primitive;
    private final @Nullable LogicalTypeAnnotation annotation;

    ScalarKind(DataType type, DType dtype, PrimitiveTypeName primitive, @Nullable LogicalTypeAnnotation annotation) {
        this.type = type;
        this.dtype = dtype;
        this.primitive = primitive;
        this.annotation = annotation;
    }

    /** Returns the kind of a type; empty for a type that no column can have. */
    public static Optional<ScalarKind> of(DataType type) {
        return Optional.ofNullable(BY_NAME.get(type.typeName()));
    }

    /** The smallest kind that holds every value of a dtype; unsigned 64-bit integers keep their bits. */
    public static ScalarKind holding(DType dtype) {
        return switch (dtype) {
            case UINT8 -> SHORT;
            case UINT16 -> INTEGER;
            case UINT32, UINT64 -> LONG;
            case FLOAT16, BFLOAT16 -> FLOAT;
            default ->
                Arrays.stream(values())
                        .filter(kind -> kind.dtype == dtype)
                        .findFirst()
                        .orElseThrow();
        };
    }

    public DataType type() {
        return type;
    }

    public DType dtype() {
        return dtype;
    }

    /** An optional column of a Parquet schema. */
    public Type parquet(String name) {
        return Types.optional(primitive).as(annotation).named(name);
    }

    public boolean isReal() {
        return this == FLOAT || this == DOUBLE;
    }

    /** Strings and binary. */
    public boolean isBytes() {
        return this == STRING || this == BINARY;
    }

    /** A boolean or an integer as a number, and the bits of a float or double. */
    public long bits(SpecializedGetters values, int at) {
        return switch (this) {
            case BOOLEAN -> values.getBoolean(at) ? 1 : 0;
            case BYTE -> values.getByte(at);
            case SHORT -> values.getShort(at);
            case INTEGER -> values.getInt(at);
            case LONG -> values.getLong(at);
            case FLOAT -> Float.floatToRawIntBits(values.getFloat(at));
            case DOUBLE -> Double.doubleToRawLongBits(values.getDouble(at));
            case STRING, BINARY -> throw new IllegalStateException(this + " has no number");
        };
    }

    /** The number; a 64-bit integer as the nearest double. */
    public double number(SpecializedGetters values, int at) {
        return switch (this) {
            case FLOAT -> values.getFloat(at);
            case DOUBLE -> values.getDouble(at);
            default -> bits(values, at);
        };
    }

    /** Copies a value that is not null. */
    public void copy(SpecializedGetters from, int at, UnsafeRowWriter to) {
        switch (this) {
            case BOOLEAN -> to.write(at, from.getBoolean(at));
            case BYTE -> to.write(at, from.getByte(at));
            case SHORT -> to.write(at, from.getShort(at));
            case INTEGER -> to.write(at, from.getInt(at));
            case LONG -> to.write(at, from.getLong(at));
            case FLOAT -> to.write(at, from.getFloat(at));
            case DOUBLE -> to.write(at, from.getDouble(at));
            case STRING -> to.write(at, from.getUTF8String(at));
            case BINARY -> to.write(at, from.getBinary(at));
        }
    }

    /** Appends all values of a list of numbers that has no nulls. */
    void append(ArrayData from, ByteBuffer to) {
        switch (this) {
            case BYTE -> to.duplicate().put(from.toByteArray());
            case SHORT -> to.asShortBuffer().put(from.toShortArray());
            case INTEGER -> to.asIntBuffer().put(from.toIntArray());
            case LONG -> to.asLongBuffer().put(from.toLongArray());
            case FLOAT -> to.asFloatBuffer().put(from.toFloatArray());
            case DOUBLE -> to.asDoubleBuffer().put(from.toDoubleArray());
            case BOOLEAN, STRING, BINARY -> throw new IllegalStateException(this + " is no number");
        }
        to.position(to.position() + from.numElements() * dtype.sizeBytes());
    }

    /** An integer as Spark's object of this kind; null if it is out of range. */
    public @Nullable Object boxed(long value) {
        return switch (this) {
            case BYTE -> value == (byte) value ? (Object) (byte) value : null;
            case SHORT -> value == (short) value ? (Object) (short) value : null;
            case INTEGER -> value == (int) value ? (Object) (int) value : null;
            case LONG -> (Object) value;
            default -> null;
        };
    }
}
