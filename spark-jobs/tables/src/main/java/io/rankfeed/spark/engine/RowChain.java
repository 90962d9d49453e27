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
 * Consecutive SELECT lists and conditions of a query, to be computed row by row.
 *
 * @param below the rows that they are computed from, with a row address if the query has one
 */
public record RowChain(Dataset<Row> below, RowSteps steps) {
    /**
     * Returns the chains of a query, those over a source first; chains that cannot be computed row by row are left out.
     */
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
                // A subquery cannot be computed row by row.
            }
        }
    }

    private static boolean isSource(LogicalPlan plan) {
        return plan instanceof Project project && GuardedQuery.givesAddress(project);
    }
}
