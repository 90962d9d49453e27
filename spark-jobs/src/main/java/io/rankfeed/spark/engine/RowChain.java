package io.rankfeed.spark.engine;

import io.rankfeed.schema.failure.ConfigException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.optimizer.InlineCTE;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.View;
import scala.jdk.javaapi.CollectionConverters;

/**
 * SELECT lists and conditions of a query that follow one another, to be carried out for one row at a time.
 *
 * @param below the rows that they are computed from, with an address where the query knows one
 */
public record RowChain(Dataset<Row> below, RowSteps steps) {
    /** All of a query, those over a source first; without those that cannot be carried out so. */
    public static List<RowChain> of(SparkSession spark, Dataset<Row> rows) {
        List<RowChain> chains = new ArrayList<>();
        collect(spark, new InlineCTE(true, false).apply(rows.queryExecution().analyzed()), chains);
        return chains;
    }

    private static void collect(SparkSession spark, LogicalPlan plan, List<RowChain> into) {
        List<LogicalPlan> chain = new ArrayList<>();
        LogicalPlan at = plan;
        while (!isSource(at)
                && (at instanceof Project
                        || at instanceof Filter
                        || at instanceof SubqueryAlias
                        || at instanceof View)) {
            if (at instanceof Project || at instanceof Filter) {
                chain.add(at);
            }
            at = at.children().head();
        }
        if (!isSource(at)) {
            CollectionConverters.asJava(at.children()).forEach(child -> collect(spark, child, into));
        }
        if (!chain.isEmpty()) {
            try {
                Dataset<Row> below = InternalRows.query(spark, at);
                into.add(new RowChain(below, GuardedQuery.steps(spark, below, chain)));
            } catch (ConfigException e) {
                // A subquery.
            }
        }
    }

    private static boolean isSource(LogicalPlan plan) {
        return plan instanceof Project project && GuardedQuery.givesAddress(project);
    }
}
