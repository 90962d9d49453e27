package io.rankfeed.spark.engine;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.V2ExpressionUtils;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** Makes functions known to a session, by names that every query and condition finds. */
public final class SqlFunctions {
    private static final String SOURCE = "java_udf";

    private SqlFunctions() {}

    /** A function replaces an earlier one of the same name. */
    public static void register(SparkSession spark, List<SqlFunction> functions) {
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
        ScalarFunction<?> bound = function.bind(arguments);
        Expression call = V2ExpressionUtils.resolveScalarFunction(
                bound,
                CollectionConverters.asScala(new ArrayList<>(expressions)).toSeq());
        // A column keeps the metadata of a field that it is taken from, and no other expression's.
        return bound.resultType() instanceof StructType struct && struct.length() == 1
                ? new GetStructField(call, 0, Option.empty())
                : call;
    }

    /** The type of a function that gives a tensor's bytes: a struct of one field, which stands for that field. */
    public static DataType tensor(DType dtype, Shape shape) {
        return new StructType(new StructField[] {
            new StructField("tensor", DataTypes.BinaryType, true, new TensorMetadata(dtype, shape, 0).toMetadata())
        });
    }
}
