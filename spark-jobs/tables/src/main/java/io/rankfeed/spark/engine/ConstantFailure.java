package io.rankfeed.spark.engine;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.ConditionalExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.LambdaFunction;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.jdk.javaapi.CollectionConverters;

/** An expression without columns that fails, as {@code 1/0}: a configuration error, because it fails for every row. */
public final class ConstantFailure {
    private ConstantFailure() {}

    /** The message of the first such expression that is computed for every row. */
    public static Optional<String> of(Dataset<Row> rows) {
        try {
            return of(rows.queryExecution().optimizedPlan());
        } catch (RuntimeException e) {
            return message(e);
        }
    }

    private static Optional<String> of(LogicalPlan plan) {
        return first(CollectionConverters.asJava(plan.expressions()))
                .or(() -> CollectionConverters.asJava(plan.children()).stream()
                        .flatMap(child -> of(child).stream())
                        .findFirst());
    }

    private static Optional<String> first(Collection<Expression> expressions) {
        return expressions.stream()
                .flatMap(expression -> of(expression).stream())
                .findFirst();
    }

    private static Optional<String> of(Expression expression) {
        if (expression instanceof Literal || expression instanceof LambdaFunction) {
            return Optional.empty();
        } else if (expression.foldable()) {
            try {
                expression.eval(null);
                return Optional.empty();
            } catch (RuntimeException e) {
                return message(e);
            }
        } else if (expression instanceof ConditionalExpression conditional) {
            return first(CollectionConverters.asJava(conditional.alwaysEvaluatedInputs()));
        }
        List<Expression> children = CollectionConverters.asJava(expression.children());
        boolean shortCircuit = expression instanceof And || expression instanceof Or;
        return first(shortCircuit ? children.subList(0, 1) : children);
    }

    private static Optional<String> message(RuntimeException e) {
        return SparkFailures.unfitValue(e).map(unfit -> unfit.getMessage());
    }
}
