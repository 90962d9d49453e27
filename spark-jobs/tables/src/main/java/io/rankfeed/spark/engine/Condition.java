package io.rankfeed.spark.engine;

import io.rankfeed.export.commit.StorageFailures;
import io.rankfeed.schema.failure.ConfigException;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import scala.jdk.javaapi.CollectionConverters;

/** The SQL of a job file that is about a row: a {@code where:}, or an expression. */
public final class Condition {
    private Condition() {}

    /**
     * The rows for which it holds.
     *
     * @param where it is in the job file, for the message
     * @throws ConfigException if it is not a condition on these rows alone, or may hold for others in the next run
     */
    public static Dataset<Row> filtered(String where, Dataset<Row> rows, String condition) {
        try {
            Dataset<Row> filtered = rows.where(condition);
            Expression analysed = condition(filtered);
            refuseSubquery(where, analysed);
            Determinism.check(where, analysed);
            return filtered;
        } catch (Exception e) {
            // Spark's Scala throws AnalysisException, a checked one, without declaring them.
            if (e instanceof AnalysisException) {
                throw new ConfigException(where + ": " + StorageFailures.firstLine(e) + hint(e, rows), e);
            }
            throw e;
        }
    }

    /** The names of the columns of a condition. @throws ConfigException as {@link #filtered} does */
    public static List<String> columns(String where, Dataset<Row> rows, String condition) {
        Expression analysed = condition(filtered(where, rows, condition));
        return CollectionConverters.asJava(analysed.references().toSeq()).stream()
                .map(Attribute::name)
                .toList();
    }

    private static Expression condition(Dataset<Row> filtered) {
        LogicalPlan plan = filtered.queryExecution().analyzed();
        while (!(plan instanceof Filter)) {
            // If the condition uses hidden columns, Spark adds a projection above it that drops them.
            plan = plan.children().head();
        }
        return ((Filter) plan).condition();
    }

    /** Lists are packed to binary: which columns a condition can use instead. */
    private static String hint(Exception e, Dataset<Row> rows) {
        boolean isBinary = String.valueOf(e.getMessage()).contains("\"BINARY\"");
        List<String> usable = Arrays.stream(rows.schema().fields())
                .filter(field -> !field.dataType().equals(DataTypes.BinaryType))
                .map(StructField::name)
                .filter(name -> !name.startsWith("_"))
                .toList();
        return isBinary ? "; lists are binary in a prepared table, use " + String.join(", ", usable) : "";
    }

    /** {@link #value} of a condition: true, false or null. */
    public static Column holds(String where, Dataset<Row> rows, String condition) {
        Column holds = value(where, rows, condition);
        if (!rows.select(holds).schema().apply(0).dataType().equals(DataTypes.BooleanType)) {
            throw new ConfigException(where + ": '" + condition + "' is not a condition, which is true or false");
        }
        return holds;
    }

    /**
     * The value of an expression of each row.
     *
     * @param where it is in the job file, for the message
     * @throws ConfigException if it is not an expression of a row of these alone, or may give others in the next run
     */
    public static Column value(String where, Dataset<Row> rows, String expression) {
        try {
            Column value = functions.expr(expression);
            LogicalPlan plan = rows.select(value.as("value")).queryExecution().analyzed();
            if (!(plan instanceof Project project)
                    || !project.child().equals(rows.queryExecution().analyzed())) {
                throw new ConfigException(where + ": '" + expression
                        + "' is not an expression of one row; aggregates and windows belong in prepare.sql");
            }
            Expression analysed = (Expression) project.projectList().head();
            refuseSubquery(where, analysed);
            Determinism.check(where, analysed);
            return value;
        } catch (Exception e) {
            // Spark's Scala throws AnalysisException, a checked one, without declaring them.
            if (e instanceof AnalysisException) {
                throw new ConfigException(where + ": " + StorageFailures.firstLine(e) + hint(e, rows), e);
            }
            throw e;
        }
    }

    private static void refuseSubquery(String where, Expression expression) {
        if (expression instanceof PlanExpression) {
            throw new ConfigException(where + ": " + expression.sql()
                    + " reads more than the row; join the tables in prepare.sql and write the condition on a column");
        }
        CollectionConverters.asJava(expression.children()).forEach(part -> refuseSubquery(where, part));
    }
}
