package io.rankfeed.spark.engine;

import io.rankfeed.schema.failure.ConfigException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Predicate$;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection$;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.RDDScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.MapType;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Projections and conditions as Spark has planned them, to be carried out for one row at a time. */
public final class RowSteps implements Serializable {
    private static final long serialVersionUID = 1L;

    /**
     * @param expressions of a projection, or one condition
     * @param input what they are computed from
     */
    private record Step(boolean condition, ArrayList<Expression> expressions, ArrayList<Attribute> input)
            implements Serializable {}

    private final ArrayList<Step> steps;

    private RowSteps(List<Step> steps) {
        this.steps = new ArrayList<>(steps);
    }

    /** Leaves rows as they are. */
    public static RowSteps none() {
        return new RowSteps(new ArrayList<>());
    }

    /** @throws ConfigException if the plan is more than projections and conditions over an RDD's rows */
    static RowSteps of(SparkPlan plan) {
        ArrayList<Step> steps = new ArrayList<>();
        SparkPlan at = plan;
        while (!(at instanceof RDDScanExec)) {
            List<Expression> expressions;
            if (at instanceof ProjectExec project) {
                expressions = CollectionConverters.asJava(project.projectList()).stream()
                        .map(Expression.class::cast)
                        .toList();
            } else if (at instanceof FilterExec filter) {
                expressions = List.of(filter.condition());
            } else {
                throw refused(at.nodeName());
            }
            if (expressions.stream().anyMatch(RowSteps::hasSubquery)) {
                throw refused("a subquery");
            }
            SparkPlan child = at.children().head();
            steps.add(
                    0,
                    new Step(
                            at instanceof FilterExec,
                            new ArrayList<>(expressions),
                            new ArrayList<>(CollectionConverters.asJava(child.output()))));
            at = child;
        }
        return new RowSteps(steps);
    }

    private static boolean hasSubquery(Expression expression) {
        return SubqueryExpression.hasSubquery(expression);
    }

    private static ConfigException refused(String what) {
        return new ConfigException("prepare.on-bad-row: the outermost SELECT has " + what
                + ", which cannot be computed row by row; move it to a subquery, or remove"
                + " on-bad-row");
    }

    /** Opens the steps for one task. */
    public Run open() {
        return new Run(steps);
    }

    public static final class Run {
        private interface Stage {
            @Nullable
            InternalRow of(InternalRow row);
        }

        private final List<Step> steps;
        private final boolean buildsMaps;
        private List<Stage> stages;

        private Run(List<Step> steps) {
            this.steps = steps;
            this.buildsMaps =
                    steps.stream().flatMap(step -> step.expressions().stream()).anyMatch(Run::buildsMap);
            this.stages = stages(steps);
        }

        private static boolean buildsMap(Expression expression) {
            return expression.dataType() instanceof MapType
                    || CollectionConverters.asJava(expression.children()).stream()
                            .anyMatch(Run::buildsMap);
        }

        private static List<Stage> stages(List<Step> steps) {
            List<Stage> stages = new ArrayList<>();
            for (Step step : steps) {
                Seq<Attribute> input =
                        CollectionConverters.asScala(step.input()).toSeq();
                // Copies: an expression that builds maps keeps the entries of the row at which it failed.
                List<Expression> expressions =
                        step.expressions().stream().map(Expression::clone).toList();
                if (step.condition()) {
                    BasePredicate predicate = Predicate$.MODULE$.create(expressions.get(0), input);
                    stages.add(row -> predicate.eval(row) ? row : null);
                } else {
                    UnsafeProjection projection = UnsafeProjection$.MODULE$.create(
                            CollectionConverters.asScala(expressions).toSeq(), input);
                    stages.add(projection::apply);
                }
            }
            return stages;
        }

        /** Returns the row after all steps, valid until the next one; null if a condition leaves it out. */
        @Nullable
        public InternalRow of(InternalRow row) {
            try {
                return computed(row);
            } catch (RuntimeException e) {
                if (buildsMaps) {
                    stages = stages(steps);
                }
                throw e;
            }
        }

        private @Nullable InternalRow computed(InternalRow row) {
            InternalRow at = row;
            for (Stage stage : stages) {
                InternalRow next = stage.of(at);
                if (next == null) {
                    return null;
                }
                at = next;
            }
            return at;
        }
    }
}
