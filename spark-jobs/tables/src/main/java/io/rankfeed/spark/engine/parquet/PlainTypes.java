package io.rankfeed.spark.engine.parquet;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/** Logical types whose values are read as the numbers and bytes that are stored, because Spark does not have the type. */
public final class PlainTypes {
    private PlainTypes() {}

    /**
     * A column, or the elements of its lists, without such a type; an equal type if there is none; empty if Spark does not
     * read it as that.
     *
     * @param byColumn whether Spark's vectorized reader reads the file; its reader of rows does not read such lists
     */
    static Optional<Type> of(Type field, boolean byColumn) {
        if (field.isPrimitive()) {
            if (!isPlain(field.getLogicalTypeAnnotation())) {
                return Optional.of(field);
            }
            boolean isList = field.isRepetition(Repetition.REPEATED);
            return isList && (!byColumn || isHalf(field))
                    ? Optional.empty()
                    : Optional.of(plain(field.asPrimitiveType()));
        }
        if (!isList(field)) {
            return isListOfPlain(field) ? Optional.empty() : Optional.of(field);
        }
        Type element = element(field);
        return of(element, byColumn)
                .flatMap(plain -> plain.equals(element)
                        ? Optional.of(field)
                        : Optional.of(plain).filter(read -> byColumn).map(read -> withElement(field, read)));
    }

    /** Whether a column has such a type. */
    public static boolean isIn(Type field) {
        return !of(field, true).equals(Optional.of(field));
    }

    /** The number of lists around a column's 16-bit floats, which are bytes; empty for a column of another type. */
    public static OptionalInt depthOfHalves(Type field) {
        if (field.isPrimitive()) {
            return isHalf(field) ? OptionalInt.of(0) : OptionalInt.empty();
        }
        OptionalInt inner = isList(field) ? depthOfHalves(element(field)) : OptionalInt.empty();
        return inner.isPresent() ? OptionalInt.of(inner.getAsInt() + 1) : inner;
    }

    private static boolean isHalf(Type field) {
        return field.getLogicalTypeAnnotation() instanceof Float16LogicalTypeAnnotation;
    }

    /**
     * Whether a field is a list of three levels, as the format's specification defines it. Spark takes the elements of
     * other lists for groups.
     */
    private static boolean isList(Type field) {
        if (!(field.getLogicalTypeAnnotation() instanceof ListLogicalTypeAnnotation)
                || field.asGroupType().getFieldCount() != 1) {
            return false;
        }
        Type repeated = field.asGroupType().getType(0);
        return !repeated.isPrimitive()
                && repeated.isRepetition(Repetition.REPEATED)
                && repeated.asGroupType().getFieldCount() == 1
                && !repeated.getName().equals("array")
                && !repeated.getName().equals(field.getName() + "_tuple");
    }

    /** Whether a field is a list of two levels, in which the repeated field is the element, of plain values. */
    private static boolean isListOfPlain(Type field) {
        return field.getLogicalTypeAnnotation() instanceof ListLogicalTypeAnnotation
                && field.asGroupType().getFieldCount() == 1
                && field.asGroupType().getType(0).isPrimitive()
                && isPlain(field.asGroupType().getType(0).getLogicalTypeAnnotation());
    }

    private static Type element(Type list) {
        return list.asGroupType().getType(0).asGroupType().getType(0);
    }

    private static Type withElement(Type list, Type element) {
        GroupType repeated = list.asGroupType().getType(0).asGroupType();
        return list.asGroupType().withNewFields(List.of(repeated.withNewFields(List.of(element))));
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
