package io.rankfeed.spark.prepare;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.source.RowAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Nondeterministic;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.optimizer.InlineCTE;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Generate;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Sample;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.View;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.classic.Dataset$;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The job's query with the address of the driving source's row carried to its result. A projection gets the two
 * columns appended; filters, aliases, views, sorts, windows, generators and the driving side of joins let them pass;
 * aggregates and set operations end them.
 *
 * @param rows the user's columns and, where {@code source} is known, those of {@link RowAddress}
 * @param source name of the driving source
 * @param narrow whether each row comes from one row of the source by projection and filter alone
 */
record Provenance(Dataset<Row> rows, Optional<String> source, boolean narrow) {

    /** @throws ConfigException if the query's result may differ from run to run */
    static Provenance of(SparkSession spark, String query) {
        Dataset<Row> result = spark.sql(query);
        LogicalPlan analysed = result.queryExecution().analyzed();
        Determinism.check(analysed);
        LogicalPlan inlined = new InlineCTE(true, false).apply(analysed);
        Walk walk = new Walk();
        Carried carried = walk.carry(inlined);
        if (carried == null) {
            return new Provenance(result, Optional.empty(), false);
        }
        List<NamedExpression> columns = new ArrayList<>(CollectionConverters.asJava(inlined.output()));
        columns.add(carried.file());
        columns.add(carried.row());
        LogicalPlan plan = new Project(CollectionConverters.asScala(columns).toSeq(), carried.plan());
        Dataset<Row> rows = Dataset$.MODULE$.ofRows((org.apache.spark.sql.classic.SparkSession) spark, plan);
        return new Provenance(rows, Optional.ofNullable(walk.source), walk.narrow);
    }

    /** A plan whose output has the address. */
    private record Carried(LogicalPlan plan, Attribute file, Attribute row) {}

    private static final class Walk {
        private @Nullable String source;
        private boolean narrow = true;

        @Nullable
        Carried carry(LogicalPlan plan) {
            Attribute file = attribute(plan, RowAddress.FILE);
            Attribute row = attribute(plan, RowAddress.ROW);
            if (file != null && row != null) {
                return new Carried(plan, file, row);
            } else if (plan instanceof View view) {
                return through(view);
            } else if (plan instanceof Project project) {
                return through(project);
            } else if (plan instanceof Filter || plan instanceof SubqueryAlias) {
                return onlyChild(plan);
            } else if (plan instanceof Sort || plan instanceof Window || plan instanceof Generate) {
                narrow = false;
                return onlyChild(plan);
            } else if (plan instanceof Join join) {
                narrow = false;
                return through(join);
            }
            narrow = false;
            return null;
        }

        private @Nullable Carried through(View view) {
            if (source == null && view.isTempView()) {
                source = view.desc().identifier().table();
            }
            return carry(view.child());
        }

        private @Nullable Carried through(Project project) {
            Carried below = carry(project.child());
            if (below == null) {
                return null;
            }
            List<NamedExpression> columns = new ArrayList<>(CollectionConverters.asJava(project.projectList()));
            columns.add(below.file());
            columns.add(below.row());
            return new Carried(
                    new Project(CollectionConverters.asScala(columns).toSeq(), below.plan()),
                    below.file(),
                    below.row());
        }

        private @Nullable Carried onlyChild(LogicalPlan plan) {
            return replaced(plan, 0);
        }

        private @Nullable Carried through(Join join) {
            return replaced(join, join.joinType().sql().startsWith("RIGHT") ? 1 : 0);
        }

        private @Nullable Carried replaced(LogicalPlan plan, int driving) {
            List<LogicalPlan> children = new ArrayList<>(CollectionConverters.asJava(plan.children()));
            Carried below = carry(children.get(driving));
            if (below == null) {
                return null;
            }
            children.set(driving, below.plan());
            LogicalPlan rewritten =
                    plan.withNewChildren(CollectionConverters.asScala(children).toSeq());
            return new Carried(rewritten, below.file(), below.row());
        }

        private static @Nullable Attribute attribute(LogicalPlan plan, String name) {
            for (Attribute attribute : CollectionConverters.asJava(plan.output())) {
                if (attribute.name().equals(name)) {
                    return attribute;
                }
            }
            return null;
        }
    }

    /** What makes a query's result depend on partitions, time or chance. */
    private static final class Determinism {
        static void check(LogicalPlan plan) {
            if (plan instanceof GlobalLimit || plan instanceof LocalLimit || plan instanceof Offset) {
                throw refused("LIMIT and OFFSET keep whichever rows come first; use a WHERE condition");
            } else if (plan instanceof Sample) {
                throw refused("TABLESAMPLE depends on the partitions; use a WHERE condition or the plan's rows");
            }
            CollectionConverters.asJava(plan.expressions()).forEach(expression -> {
                if (readsClock(expression) || changes(expression, plan)) {
                    throw refused(expression.sql() + " gives another value each time; write a constant, or hash a key");
                }
                checkSubqueries(expression);
            });
            CollectionConverters.asJava(plan.children()).forEach(Determinism::check);
        }

        private static void checkSubqueries(Expression expression) {
            if (expression instanceof SubqueryExpression subquery) {
                check(subquery.plan());
            }
            CollectionConverters.asJava(expression.children()).forEach(Determinism::checkSubqueries);
        }

        /** Whether a value of it depends on chance; a subquery has a plan of its own, which is checked as such. */
        private static boolean changes(Expression expression, LogicalPlan plan) {
            List<Expression> parts = CollectionConverters.asJava(expression.children());
            if (parts.stream().anyMatch(part -> changes(part, plan))) {
                return true;
            }
            // An aggregate such as collect_list is called undetermined for its order alone, which SQL can sort.
            boolean forItsOrder = expression instanceof AggregateFunction && plan instanceof Aggregate;
            boolean ofItself = !expression.deterministic() && parts.stream().allMatch(Expression::deterministic);
            return expression instanceof Nondeterministic
                    || (ofItself && !forItsOrder && !(expression instanceof SubqueryExpression));
        }

        /** The clock stands still within a query, so Spark calls it determined. */
        private static boolean readsClock(Expression expression) {
            String type = expression.getClass().getSimpleName();
            return type.startsWith("CurrentTimestamp")
                    || type.startsWith("CurrentDate")
                    || type.equals("Now")
                    || type.startsWith("LocalTimestamp")
                    || CollectionConverters.asJava(expression.children()).stream()
                            .anyMatch(Determinism::readsClock);
        }

        private static ConfigException refused(String why) {
            return new ConfigException("prepare: the query's result would differ from run to run: " + why);
        }
    }
}
