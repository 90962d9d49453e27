package io.rankfeed.spark.engine.parquet;

import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.RowDataSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.sources.BaseRelation;
import scala.jdk.javaapi.CollectionConverters;

/** The stored columns that a query reads of a table of files, after Spark left out those that it does not need. */
public final class ReadColumns {
    private final QueryExecution query;
    private final Object table;
    private final Set<String> names = new TreeSet<>();

    private ReadColumns(QueryExecution query, Object table) {
        this.query = query;
        this.table = table;
    }

    /**
     * Plans the query and its subqueries. Nothing is read for it.
     *
     * @param table that the query reads, alone or among others; each of its columns is one of its files
     */
    public static Set<String> of(Dataset<Row> query, Dataset<Row> table) {
        ReadColumns read = new ReadColumns(
                query.queryExecution(), identity(table.queryExecution().analyzed()));
        read.plan(query.queryExecution().sparkPlan());
        return read.names;
    }

    private static Object identity(LogicalPlan table) {
        return CollectionConverters.asJava(table.collectLeaves()).stream()
                .filter(leaf -> leaf instanceof LogicalRelation)
                .map(leaf -> identity(((LogicalRelation) leaf).relation()))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the identity of a relation. Spark may copy a relation of files, so that its files identify it. */
    private static Object identity(BaseRelation relation) {
        return relation instanceof HadoopFsRelation spark ? spark.location() : relation;
    }

    private void plan(SparkPlan plan) {
        if (plan instanceof FileSourceScanExec scan
                && scan.relation().location().equals(table)) {
            names.addAll(Set.of(scan.requiredSchema().fieldNames()));
        } else if (plan instanceof RowDataSourceScanExec scan && scan.relation().equals(table)) {
            names.addAll(Set.of(scan.requiredSchema().fieldNames()));
        }
        CollectionConverters.asJava(plan.expressions()).forEach(this::subqueries);
        CollectionConverters.asJava(plan.children()).forEach(this::plan);
    }

    private void subqueries(Expression expression) {
        if (expression instanceof PlanExpression<?> subquery && subquery.plan() instanceof LogicalPlan plan) {
            plan(QueryExecution.createSparkPlan(
                    query.sparkSession().sessionState().planner(), plan));
        }
        CollectionConverters.asJava(expression.children()).forEach(this::subqueries);
    }
}
