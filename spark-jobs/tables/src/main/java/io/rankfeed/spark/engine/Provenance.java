package io.rankfeed.spark.engine;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.file.RowAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.UnresolvedExecuteImmediate;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.optimizer.InlineCTE;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Generate;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.ParsedStatement;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.View;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.execution.CommandExecutionMode;
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
public record Provenance(Dataset<Row> rows, Optional<String> source, boolean narrow) {

    /**
     * @param sources names of the views that the query may read
     * @throws ConfigException if it is not a query, reads another table, or its result may differ from run to run
     */
    public static Provenance of(SparkSession spark, String query, Collection<String> sources) {
        LogicalPlan parsed = parsed(spark, query);
        // A data frame of a command carries it out.
        refuseCommand(parsed);
        LogicalPlan analysed = spark.sessionState()
                .executePlan(parsed, CommandExecutionMode.SKIP())
                .analyzed();
        refuseCommand(analysed);
        OwnTables.check(analysed, sources);
        Determinism.check("prepare", analysed);
        Dataset<Row> result = InternalRows.query(spark, analysed);
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
        Dataset<Row> rows = InternalRows.query(spark, plan);
        return new Provenance(rows, Optional.ofNullable(walk.source), walk.narrow);
    }

    private static LogicalPlan parsed(SparkSession spark, String query) {
        try {
            return spark.sessionState().sqlParser().parsePlan(query);
        } catch (ParseException e) {
            throw SparkFailures.translated(e);
        }
    }

    private static void refuseCommand(LogicalPlan plan) {
        if (plan instanceof Command || plan instanceof ParsedStatement || plan instanceof UnresolvedExecuteImmediate) {
            throw new ConfigException(
                    "prepare.sql is a query, SELECT …, and does nothing else; take " + plan.nodeName() + " out of it");
        }
        CollectionConverters.asJava(plan.children()).forEach(Provenance::refuseCommand);
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
}
