package io.rankfeed.spark.engine;

import java.util.Arrays;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.expressions.V2ExpressionUtils;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/** Columns by their names, whatever is in those, and columns that a function gives. */
public final class Columns {
    private Columns() {}

    /** The column of that very name: no dot in it is a field's, no star all columns. */
    public static Column named(String name) {
        return functions.col(quoted(name));
    }

    /** A name as SQL has it. */
    public static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    /** Returns the column of a function of columns, computed row by row without a conversion to types of Scala. */
    public static Column computed(ScalarFunction<?> function, Column... arguments) {
        return ExpressionUtils.column(V2ExpressionUtils.resolveScalarFunction(
                function,
                CollectionConverters.asScala(Arrays.stream(arguments)
                                .map(ExpressionUtils::expression)
                                .toList())
                        .toSeq()));
    }

    /** SQL for a value of this type as JSON; timestamps have microseconds, by default they would have milliseconds. */
    public static String json(String value, DataType type) {
        return hasTimestamps(type)
                ? "to_json(" + value + ", map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat',"
                        + " 'yyyy-MM-dd HH:mm:ss.SSSSSS'))"
                : "to_json(" + value + ")";
    }

    private static boolean hasTimestamps(DataType type) {
        if (type instanceof ArrayType list) {
            return hasTimestamps(list.elementType());
        } else if (type instanceof MapType map) {
            return hasTimestamps(map.keyType()) || hasTimestamps(map.valueType());
        } else if (type instanceof StructType struct) {
            return Arrays.stream(struct.fields()).anyMatch(field -> hasTimestamps(field.dataType()));
        }
        return type.typeName().startsWith("timestamp");
    }
}
