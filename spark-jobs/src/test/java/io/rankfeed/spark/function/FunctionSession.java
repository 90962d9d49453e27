package io.rankfeed.spark.function;

import io.rankfeed.spark.engine.SqlFunctions;
import io.rankfeed.spark.run.LocalSpark;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The session of this package's tests, with the functions that every job has. */
final class FunctionSession {
    private FunctionSession() {}

    static SparkSession session() {
        SparkSession spark = LocalSpark.current(3);
        SqlFunctions.register(spark, JobFunctions.GENERAL);
        return spark;
    }

    static List<Row> rows(String query) {
        return session().sql(query).collectAsList();
    }

    static Object value(String expression) {
        // Over a table, as Spark computes what is constant by itself.
        return rows("SELECT " + expression + " FROM range(1)").get(0).get(0);
    }
}
