package io.rankfeed.spark.engine;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.classic.Dataset$;
import org.apache.spark.sql.types.StructType;

/** Rows in Spark's own form, without a conversion to {@link Row}: out of a query, and back into one. */
public final class InternalRows {
    private InternalRows() {}

    /** The rows of a query. Each is valid until the next one is taken. */
    public static JavaRDD<InternalRow> of(Dataset<Row> query) {
        return query.queryExecution().toRdd().toJavaRDD();
    }

    /** A query over rows that have the columns of {@code schema}. */
    public static Dataset<Row> query(SparkSession spark, JavaRDD<InternalRow> rows, StructType schema) {
        return ((org.apache.spark.sql.classic.SparkSession) spark).internalCreateDataFrame(rows.rdd(), schema, false);
    }

    /** The query of an analyzed plan. */
    static Dataset<Row> query(SparkSession spark, LogicalPlan plan) {
        return Dataset$.MODULE$.ofRows((org.apache.spark.sql.classic.SparkSession) spark, plan);
    }
}
