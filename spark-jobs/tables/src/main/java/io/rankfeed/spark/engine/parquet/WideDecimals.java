package io.rankfeed.spark.engine.parquet;

import java.util.Optional;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.types.Decimal;

/** Small decimals in more bytes than Spark 4.2's readers can hold: they give other numbers, and no error. */
public final class WideDecimals {
    private WideDecimals() {}

    /** Returns why the values of a column, at any depth, are not read; empty if they are. */
    public static Optional<String> why(Type field) {
        if (!field.isPrimitive()) {
            return field.asGroupType().getFields().stream()
                    .flatMap(inner -> why(inner).stream())
                    .findFirst();
        }
        PrimitiveType type = field.asPrimitiveType();
        boolean isSmall = type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation decimal
                && decimal.getPrecision() <= Decimal.MAX_LONG_DIGITS();
        return isSmall && isWide(type)
                ? Optional.of("type " + type + ", which Spark reads as another number; write INT32, INT64,"
                        + " FIXED_LEN_BYTE_ARRAY of at most 8 bytes, or a DECIMAL of more than "
                        + Decimal.MAX_LONG_DIGITS() + " digits")
                : Optional.empty();
    }

    /**
     * Spark's readers collect such bytes in a long and shift it by its free bits, modulo 64. Whole longs are shifted by 0,
     * and their last 8 bytes are the number. The length of a value in BYTE_ARRAY can be any.
     */
    private static boolean isWide(PrimitiveType type) {
        return type.getPrimitiveTypeName() == PrimitiveTypeName.BINARY
                || (type.getPrimitiveTypeName() == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY
                        && type.getTypeLength() > Long.BYTES
                        && type.getTypeLength() % Long.BYTES != 0);
    }
}
