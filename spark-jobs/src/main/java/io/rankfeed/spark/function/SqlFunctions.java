package io.rankfeed.spark.function;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.V2ExpressionUtils;
import scala.jdk.javaapi.CollectionConverters;

/** Makes functions known to a session, by names that every query and condition finds. */
final class SqlFunctions {
    private static final String SOURCE = "java_udf";

    private SqlFunctions() {}

    /** Later ones take the place of earlier ones of their names. */
    static void register(SparkSession spark, List<SqlFunction> functions) {
        FunctionRegistry registry = ((org.apache.spark.sql.classic.SparkSession) spark)
                .sessionState()
                .functionRegistry();
        for (SqlFunction function : functions) {
            registry.createOrReplaceTempFunction(
                    function.name(), arguments -> expression(function, CollectionConverters.asJava(arguments)), SOURCE);
        }
    }

    private static Expression expression(SqlFunction function, List<Expression> expressions) {
        List<Argument> arguments = expressions.stream().map(Argument::of).toList();
        return V2ExpressionUtils.resolveScalarFunction(
                function.bind(arguments),
                CollectionConverters.asScala(new ArrayList<>(expressions)).toSeq());
    }
}
