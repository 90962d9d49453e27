package io.rankfeed.spark.engine.parquet;

import java.util.List;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.Float16LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.GeographyLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.GeometryLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UUIDLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/** Logical types whose values are read as the numbers and bytes that are stored, because Spark does not have the type. */
public final class PlainTypes {
    private PlainTypes() {}

    /**
     * A column, or the elements of a list, without such a type; an equal type if there is none.
     *
     * @param byColumn whether Spark's vectorized reader reads the file; its reader of rows does not read such lists
     */
    static Type of(Type field, boolean byColumn) {
        if (field.isPrimitive()) {
            return isPlain(field.getLogicalTypeAnnotation()) ? plain(field.asPrimitiveType()) : field;
        }
        if (!byColumn || !isList(field)) {
            return field;
        }
        GroupType repeated = field.asGroupType().getType(0).asGroupType();
        Type element = repeated.getType(0);
        Type plain = of(element, byColumn);
        return plain.equals(element)
                ? field
                : field.asGroupType().withNewFields(List.of(repeated.withNewFields(List.of(plain))));
    }

    /** Whether a column has such a type. */
    public static boolean isIn(Type field) {
        return !of(field, true).equals(field);
    }

    /** Whether a column is 16-bit floats, as bytes. */
    public static boolean isHalf(Type field) {
        return field.isPrimitive() && field.getLogicalTypeAnnotation() instanceof Float16LogicalTypeAnnotation;
    }

    /** Whether a column is lists of 16-bit floats, as bytes. */
    public static boolean isListOfHalves(Type field) {
        return !field.isPrimitive()
                && isList(field)
                && isHalf(field.asGroupType().getType(0).asGroupType().getType(0));
    }

    /** Of three levels, as the format's specification has it; elements of others may be groups. */
    private static boolean isList(Type field) {
        return field.getLogicalTypeAnnotation() instanceof ListLogicalTypeAnnotation
                && field.asGroupType().getFieldCount() == 1
                && !field.asGroupType().getType(0).isPrimitive()
                && field.asGroupType().getType(0).isRepetition(Type.Repetition.REPEATED)
                && field.asGroupType().getType(0).asGroupType().getFieldCount() == 1;
    }

    /** Geometries are bytes: as Spark's own type they would have to be valid, and of a coordinate system that it knows. */
    private static boolean isPlain(@Nullable LogicalTypeAnnotation type) {
        return type instanceof Float16LogicalTypeAnnotation
                || type instanceof UUIDLogicalTypeAnnotation
                || type instanceof GeometryLogicalTypeAnnotation
                || type instanceof GeographyLogicalTypeAnnotation
                || type instanceof TimeLogicalTypeAnnotation
                || (type instanceof TimestampLogicalTypeAnnotation timestamp && timestamp.getUnit() == TimeUnit.NANOS);
    }

    private static Type plain(PrimitiveType type) {
        return Types.primitive(type.getPrimitiveTypeName(), type.getRepetition())
                .length(type.getTypeLength())
                .named(type.getName());
    }
}
