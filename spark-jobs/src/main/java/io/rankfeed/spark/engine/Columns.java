package io.rankfeed.spark.engine;

import java.util.Arrays;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.expressions.V2ExpressionUtils;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.functions;
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

    /** What a function gives of these columns, row by row, without a detour over Scala's types. */
    public static Column computed(ScalarFunction<?> function, Column... arguments) {
        return ExpressionUtils.column(V2ExpressionUtils.resolveScalarFunction(
                function,
                CollectionConverters.asScala(Arrays.stream(arguments)
                                .map(ExpressionUtils::expression)
                                .toList())
                        .toSeq()));
    }
}
