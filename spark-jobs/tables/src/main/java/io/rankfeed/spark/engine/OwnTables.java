package io.rankfeed.spark.engine;

import io.rankfeed.schema.failure.ConfigException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.plans.logical.CTERelationRef;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.plans.logical.Range;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.UnionLoopRef;
import org.apache.spark.sql.catalyst.plans.logical.View;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import scala.jdk.javaapi.CollectionConverters;

/** Checks that a query reads only the job's sources: other inputs would be missing in the identity of the artifact. */
public final class OwnTables {
    /** Leaves of a plan that hold their rows themselves, or stand for a part that is read elsewhere. */
    private static final List<Class<? extends LogicalPlan>> OF_THE_QUERY =
            List.of(OneRowRelation.class, LocalRelation.class, Range.class, CTERelationRef.class, UnionLoopRef.class);

    private final Collection<String> sources;

    private OwnTables(Collection<String> sources) {
        this.sources = sources;
    }

    /**
     * Looks at a plan and its subqueries.
     *
     * @param sources names of the views that the query may read
     * @throws ConfigException naming the first table that is none of them
     */
    public static void check(LogicalPlan analysed, Collection<String> sources) {
        TreeSet<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(sources);
        new OwnTables(names).plan(analysed, "");
    }

    private void plan(LogicalPlan plan, String alias) {
        if (plan instanceof View view) {
            if (!isSource(view)) {
                throw refused(view.desc().identifier().unquotedString());
            }
            return;
        }
        List<LogicalPlan> children = CollectionConverters.asJava(plan.children());
        if (children.isEmpty() && OF_THE_QUERY.stream().noneMatch(type -> type.isInstance(plan))) {
            throw refused(name(plan, alias));
        }
        CollectionConverters.asJava(plan.expressions()).forEach(this::subqueries);
        String below = plan instanceof SubqueryAlias named ? named.identifier().toString() : alias;
        children.forEach(child -> plan(child, below));
    }

    private void subqueries(Expression expression) {
        if (expression instanceof PlanExpression<?> subquery && subquery.plan() instanceof LogicalPlan plan) {
            plan(plan, "");
        }
        CollectionConverters.asJava(expression.children()).forEach(this::subqueries);
    }

    private boolean isSource(View view) {
        return view.isTempView()
                && view.desc().identifier().database().isEmpty()
                && sources.contains(view.desc().identifier().table());
    }

    private static String name(LogicalPlan leaf, String alias) {
        if (leaf instanceof LogicalRelation table && table.catalogTable().isDefined()) {
            return table.catalogTable().get().identifier().unquotedString();
        } else if (leaf instanceof LogicalRelation table && table.relation() instanceof HadoopFsRelation files) {
            return files.location().rootPaths().mkString(", ");
        }
        return alias.isEmpty() ? leaf.nodeName().toLowerCase(Locale.ROOT) : alias;
    }

    private ConfigException refused(String table) {
        return new ConfigException("prepare.sql reads " + table + ", which is not a source of this job: name it under"
                + " sources, which are " + String.join(", ", sources));
    }
}
