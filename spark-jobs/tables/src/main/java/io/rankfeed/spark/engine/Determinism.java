package io.rankfeed.spark.engine;

import io.rankfeed.schema.failure.ConfigException;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.ArrayContains;
import org.apache.spark.sql.catalyst.expressions.ArrayMax;
import org.apache.spark.sql.catalyst.expressions.ArrayMin;
import org.apache.spark.sql.catalyst.expressions.ArraySort;
import org.apache.spark.sql.catalyst.expressions.CurrentDate;
import org.apache.spark.sql.catalyst.expressions.CurrentTime;
import org.apache.spark.sql.catalyst.expressions.CurrentTimestampLike;
import org.apache.spark.sql.catalyst.expressions.CurrentUser;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.LocalTimestamp;
import org.apache.spark.sql.catalyst.expressions.Nondeterministic;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.RuntimeReplaceable;
import org.apache.spark.sql.catalyst.expressions.Size;
import org.apache.spark.sql.catalyst.expressions.SortArray;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.BitAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.CentralMomentAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.Collect;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.Covariance;
import org.apache.spark.sql.catalyst.expressions.aggregate.HyperLogLogPlusPlus;
import org.apache.spark.sql.catalyst.expressions.aggregate.ListAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.MaxMinBy;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Mode;
import org.apache.spark.sql.catalyst.expressions.aggregate.PearsonCorrelation;
import org.apache.spark.sql.catalyst.expressions.aggregate.PercentileBase;
import org.apache.spark.sql.catalyst.expressions.aggregate.PivotFirst;
import org.apache.spark.sql.catalyst.expressions.aggregate.Product;
import org.apache.spark.sql.catalyst.expressions.aggregate.RegrIntercept;
import org.apache.spark.sql.catalyst.expressions.aggregate.RegrSlope;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.catalyst.plans.logical.Sample;
import scala.jdk.javaapi.CollectionConverters;

/** Finds what makes a query's result depend on partitions, time or chance. See docs/job-file/query.md. */
public final class Determinism {
    /** Aggregates whose result does not depend on the order of their rows; the others are refused. */
    private static final List<Class<? extends AggregateFunction>> ORDERLESS = List.of(
            Count.class,
            Sum.class,
            Average.class,
            Product.class,
            Min.class,
            Max.class,
            MaxMinBy.class,
            BitAggregate.class,
            CentralMomentAgg.class,
            Covariance.class,
            PearsonCorrelation.class,
            RegrSlope.class,
            RegrIntercept.class,
            PercentileBase.class,
            HyperLogLogPlusPlus.class,
            PivotFirst.class);

    /** Functions of a list that do not depend on its order. */
    private static final List<Class<? extends Expression>> OVER_ANY_ORDER =
            List.of(ArraySort.class, SortArray.class, Size.class, ArrayMax.class, ArrayMin.class, ArrayContains.class);

    private static final List<Class<? extends Expression>> SURROUNDINGS = List.of(
            CurrentTimestampLike.class, CurrentDate.class, CurrentTime.class, LocalTimestamp.class, CurrentUser.class);

    private final String where;

    private Determinism(String where) {
        this.where = where;
    }

    /**
     * Looks at a plan and its subqueries.
     *
     * @param where in the job file, for the message
     * @throws ConfigException if the result may differ from run to run
     */
    public static void check(String where, Dataset<Row> query) {
        check(where, query.queryExecution().analyzed());
    }

    static void check(String where, LogicalPlan analysed) {
        new Determinism(where).plan(analysed);
    }

    /** Checks one expression. */
    static void check(String where, Expression analysed) {
        new Determinism(where).expression(analysed);
    }

    private void plan(LogicalPlan plan) {
        if (plan instanceof GlobalLimit || plan instanceof LocalLimit || plan instanceof Offset) {
            throw refused("LIMIT and OFFSET keep arbitrary rows; use a WHERE condition");
        } else if (plan instanceof Sample) {
            throw refused("TABLESAMPLE depends on the partitions; use a WHERE condition or the plan's rows");
        }
        CollectionConverters.asJava(plan.expressions()).forEach(this::expression);
        CollectionConverters.asJava(plan.children()).forEach(this::plan);
    }

    private void expression(Expression expression) {
        if (isOfChance(expression) || isOneOf(SURROUNDINGS, expression)) {
            throw refused(expression.sql() + " gives another value each time; write a constant, or hash a key");
        } else if (expression instanceof RuntimeReplaceable replaceable) {
            expression(replaceable.replacement());
        } else if (expression instanceof AggregateFunction aggregate) {
            refuseOrdered(aggregate);
        } else if (expression instanceof PlanExpression<?> subquery && subquery.plan() instanceof LogicalPlan plan) {
            plan(plan);
        }
        for (Expression part : CollectionConverters.asJava(expression.children())) {
            AggregateFunction function = part instanceof AggregateExpression wrapped
                    ? wrapped.aggregateFunction()
                    : part instanceof AggregateFunction bare ? bare : null;
            if (function == null || !settlesOrder(expression, function)) {
                expression(part);
            } else {
                CollectionConverters.asJava(function.children()).forEach(this::expression);
            }
        }
    }

    private static boolean isOfChance(Expression expression) {
        boolean ofItself = !expression.deterministic()
                && CollectionConverters.asJava(expression.children()).stream().allMatch(Expression::deterministic);
        return expression instanceof Nondeterministic
                || (ofItself && !(expression instanceof PlanExpression) && !(expression instanceof AggregateFunction));
    }

    /** Whether it gives the function's rows an order, or asks for none. Whether an order is a total one cannot be decided. */
    private static boolean settlesOrder(Expression expression, AggregateFunction function) {
        return expression instanceof WindowExpression window
                ? !window.windowSpec().orderSpec().isEmpty()
                : isOneOf(OVER_ANY_ORDER, expression) && function instanceof Collect;
    }

    private void refuseOrdered(AggregateFunction aggregate) {
        boolean ordered =
                (aggregate instanceof ListAgg list && !list.orderExpressions().isEmpty())
                        || (aggregate instanceof Mode mode && mode.reverseOpt().isDefined());
        if (ordered || isOneOf(ORDERLESS, aggregate)) {
            return;
        }
        String sql = aggregate.sql();
        if (aggregate instanceof Collect && !(aggregate instanceof ListAgg)) {
            throw refused(sql + " lists rows in arbitrary order; write array_sort(" + sql + ")");
        }
        throw refused(sql + " depends on the order in which rows come; write min_by(value, a unique column) for a first"
                + " value, percentile for approx_percentile, WITHIN GROUP (ORDER BY …) where a function takes it");
    }

    private static boolean isOneOf(List<? extends Class<?>> types, Object object) {
        return types.stream().anyMatch(type -> type.isInstance(object));
    }

    private ConfigException refused(String why) {
        return new ConfigException(where + ": the result differs between runs: " + why);
    }
}
