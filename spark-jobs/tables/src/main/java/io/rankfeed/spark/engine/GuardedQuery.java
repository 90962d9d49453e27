package io.rankfeed.spark.engine;

import io.rankfeed.spark.file.RowAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.View;
import org.apache.spark.sql.execution.LogicalRDD;
import org.apache.spark.sql.execution.LogicalRDD$;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * A query cut in two: what Spark computes as ever, and the SELECT lists at its top, which are computed row by row, so that
 * one that fails takes its row alone with it.
 *
 * @param below the rows that Spark computes
 * @param steps what gives the query's rows
 * @param content gives each row of {@code below} as JSON, in one column, its address left out
 */
public record GuardedQuery(Dataset<Row> below, RowSteps steps, RowSteps content) {
    /** @throws io.rankfeed.schema.failure.ConfigException if the lists at the top cannot be computed row by row */
    public static GuardedQuery of(SparkSession spark, Dataset<Row> rows) {
        List<LogicalPlan> chain = new ArrayList<>();
        int depth = 0;
        LogicalPlan at = rows.queryExecution().analyzed();
        LogicalPlan bottom = at;
        while (at instanceof Project || at instanceof Filter || at instanceof SubqueryAlias || at instanceof View) {
            if (at instanceof Project project && givesAddress(project)) {
                break;
            }
            LogicalPlan child = at.children().head();
            if (at instanceof Project || at instanceof Filter) {
                chain.add(at);
            }
            if (at instanceof Project project && mayFail(project)) {
                depth = chain.size();
                bottom = child;
            }
            at = child;
        }
        Dataset<Row> below = InternalRows.query(spark, depth == 0 ? bottom : read(bottom, chain.get(depth - 1)));
        return new GuardedQuery(below, steps(spark, below, chain.subList(0, depth)), content(spark, below));
    }

    /**
     * @param chain SELECT lists and conditions over {@code below}, the last one first
     * @throws io.rankfeed.schema.failure.ConfigException if they cannot be computed row by row
     */
    static RowSteps steps(SparkSession spark, Dataset<Row> below, List<LogicalPlan> chain) {
        LogicalPlan plan = leaf(spark, below);
        for (int i = chain.size() - 1; i >= 0; i--) {
            plan = chain.get(i)
                    .withNewChildren(CollectionConverters.asScala(List.of(plan)).toSeq());
        }
        return steps(spark, plan);
    }

    private static RowSteps content(SparkSession spark, Dataset<Row> rows) {
        return content(
                spark,
                rows,
                Arrays.stream(rows.columns())
                        .filter(name -> !name.equals(RowAddress.FILE) && !name.equals(RowAddress.ROW))
                        .toList());
    }

    /** Returns the steps that convert the user's columns of packed rows to JSON, in one column. */
    public static RowSteps content(SparkSession spark, StructType packed, List<String> columns) {
        return content(spark, InternalRows.query(spark, none(spark).toJavaRDD(), packed), columns);
    }

    /** Returns the steps that drop packed rows for which a condition over the user's columns is false. */
    public static RowSteps condition(SparkSession spark, StructType packed, String where, String condition) {
        Dataset<Row> rows = InternalRows.query(
                spark, leaf(spark, InternalRows.query(spark, none(spark).toJavaRDD(), packed)));
        return steps(
                spark,
                Condition.filtered(where, rows, condition).queryExecution().analyzed());
    }

    private static RowSteps content(SparkSession spark, Dataset<Row> rows, List<String> columns) {
        Column[] named = columns.stream().map(Columns::named).toArray(Column[]::new);
        Dataset<Row> json = InternalRows.query(spark, leaf(spark, rows))
                .select(functions.to_json(functions.struct(named)).as("content"));
        return steps(spark, json.queryExecution().analyzed());
    }

    private static RowSteps steps(SparkSession spark, LogicalPlan plan) {
        return RowSteps.of(InternalRows.query(spark, plan).queryExecution().sparkPlan());
    }

    private static LogicalRDD leaf(SparkSession spark, Dataset<Row> rows) {
        return LogicalRDD$.MODULE$.fromDataset(none(spark), (org.apache.spark.sql.classic.Dataset<?>) rows, false);
    }

    private static RDD<InternalRow> none(SparkSession spark) {
        return spark.sparkContext().emptyRDD(ClassTag$.MODULE$.apply(InternalRow.class));
    }

    /** Selects those of the plan's columns that another plan reads. */
    private static LogicalPlan read(LogicalPlan plan, LogicalPlan reader) {
        AttributeSet wanted = reader.references();
        List<NamedExpression> columns = new ArrayList<>();
        for (Attribute attribute : CollectionConverters.asJava(plan.output())) {
            if (wanted.contains(attribute)) {
                columns.add(attribute);
            }
        }
        return new Project(CollectionConverters.asScala(columns).toSeq(), plan);
    }

    /** Whether it is a source's own, which knows where its rows are. */
    static boolean givesAddress(Project project) {
        return CollectionConverters.asJava(project.projectList()).stream()
                .anyMatch(column -> column instanceof Alias && column.name().equals(RowAddress.FILE));
    }

    private static boolean mayFail(Project project) {
        return CollectionConverters.asJava(project.projectList()).stream()
                .anyMatch(expression -> mayFail((Expression) expression));
    }

    private static boolean mayFail(Expression expression) {
        boolean plain = expression instanceof Attribute
                || expression instanceof Literal
                || expression instanceof Alias
                || expression instanceof GetStructField;
        return !plain
                || CollectionConverters.asJava(expression.children()).stream().anyMatch(GuardedQuery::mayFail);
    }
}
