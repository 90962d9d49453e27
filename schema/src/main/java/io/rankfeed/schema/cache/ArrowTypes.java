package io.rankfeed.schema.cache;

import com.google.flatbuffers.FlatBufferBuilder;
import io.rankfeed.schema.DType;
import org.apache.arrow.flatbuf.Binary;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.List;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Utf8;

/** The Arrow type of a column (docs/format/cache.md, section 2): written, and recognized. */
final class ArrowTypes {
    private static final String ITEM = "item";
    private static final int NO_CHILDREN = 0;

    private ArrowTypes() {}

    /** Writes the Arrow field of a column. @return its offset */
    static int write(CacheColumn column, int metadata, FlatBufferBuilder builder) {
        DType dtype = column.dtype();
        int[] children = new int[NO_CHILDREN];
        byte typeType;
        int type;
        if (column.isScalar()) {
            typeType = itemType(dtype);
            type = item(dtype, builder);
        } else {
            children = new int[] {itemField(dtype, builder)};
            boolean variable = column.shape().isVariable();
            typeType = variable ? Type.List : Type.FixedSizeList;
            type = variable
                    ? list(builder)
                    : FixedSizeList.createFixedSizeList(builder, column.shape().elements());
        }
        int name = builder.createString(column.name());
        int childVector = Field.createChildrenVector(builder, children);
        return Field.createField(builder, name, false, typeType, type, 0, childVector, metadata);
    }

    /** Whether this is the Arrow field that {@link #write} gives the column, metadata aside. */
    static boolean matches(CacheColumn column, Field field) {
        if (field.nullable() || field.dictionary() != null) {
            return false;
        }
        DType dtype = column.dtype();
        if (column.isScalar()) {
            return field.childrenLength() == 0 && isItem(dtype, field);
        } else if (field.childrenLength() != 1) {
            return false;
        }
        Field item = field.children(0);
        boolean wrapped = column.shape().isVariable() ? field.typeType() == Type.List : isFixedList(column, field);
        return wrapped
                && !item.nullable()
                && item.dictionary() == null
                && item.childrenLength() == 0
                && isItem(dtype, item);
    }

    private static boolean isFixedList(CacheColumn column, Field field) {
        return field.typeType() == Type.FixedSizeList
                && field.type(new FixedSizeList()) instanceof FixedSizeList list
                && list.listSize() == column.shape().elements();
    }

    private static boolean isItem(DType dtype, Field field) {
        if (field.typeType() != itemType(dtype)) {
            return false;
        } else if (dtype.isBytes()) {
            return true;
        }
        if (isFloat(dtype)) {
            return field.type(new FloatingPoint()) instanceof FloatingPoint type
                    && type.precision() == precision(dtype);
        }
        return field.type(new Int()) instanceof Int type
                && type.bitWidth() == dtype.sizeBytes() * 8
                && type.isSigned() == isSigned(dtype);
    }

    private static int itemField(DType dtype, FlatBufferBuilder builder) {
        int type = item(dtype, builder);
        int name = builder.createString(ITEM);
        int children = Field.createChildrenVector(builder, new int[NO_CHILDREN]);
        return Field.createField(builder, name, false, itemType(dtype), type, 0, children, 0);
    }

    private static byte itemType(DType dtype) {
        if (dtype.isBytes()) {
            return dtype == DType.STRING ? Type.Utf8 : Type.Binary;
        }
        return isFloat(dtype) ? Type.FloatingPoint : Type.Int;
    }

    private static int item(DType dtype, FlatBufferBuilder builder) {
        if (dtype.isBytes()) {
            return dtype == DType.STRING ? utf8(builder) : binary(builder);
        }
        return isFloat(dtype)
                ? FloatingPoint.createFloatingPoint(builder, precision(dtype))
                : Int.createInt(builder, dtype.sizeBytes() * 8, isSigned(dtype));
    }

    private static boolean isFloat(DType dtype) {
        return dtype == DType.FLOAT16 || dtype == DType.FLOAT32 || dtype == DType.FLOAT64;
    }

    private static short precision(DType dtype) {
        return switch (dtype) {
            case FLOAT16 -> Precision.HALF;
            case FLOAT32 -> Precision.SINGLE;
            case FLOAT64 -> Precision.DOUBLE;
            default -> throw new IllegalArgumentException(dtype + " is not stored as floating point");
        };
    }

    /** Whether a type that is stored as an integer is signed; bool and bfloat16 are stored unsigned. */
    private static boolean isSigned(DType dtype) {
        return switch (dtype) {
            case INT8, INT16, INT32, INT64 -> true;
            default -> false;
        };
    }

    private static int utf8(FlatBufferBuilder builder) {
        Utf8.startUtf8(builder);
        return Utf8.endUtf8(builder);
    }

    private static int binary(FlatBufferBuilder builder) {
        Binary.startBinary(builder);
        return Binary.endBinary(builder);
    }

    private static int list(FlatBufferBuilder builder) {
        List.startList(builder);
        return List.endList(builder);
    }
}
