package io.rankfeed.spark.function;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.V2ExpressionUtils;
import scala.jdk.javaapi.CollectionConverters;

/** Makes the functions known to a session, by names that every query and condition finds. */
public final class SqlFunctions {
    private static final String SOURCE = "java_udf";

    private SqlFunctions() {}

    /** Those that need nothing of the job. Registering them again changes nothing. */
    public static void register(SparkSession spark) {
        register(spark, List.of(new HashFunction(), new SplitFunction()));
    }

    private static void register(SparkSession spark, List<SqlFunction> functions) {
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
