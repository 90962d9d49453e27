package io.rankfeed.spark.prepare;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/** An external table over the prepared one, in the session's catalog. */
final class Registration {
    private static final String OWNER = "rankfeed.prepared";

    private Registration() {}

    /**
     * Creates the table, or points one that a job created before to the new data.
     *
     * @throws ConfigException if a table of that name is not ours
     */
    static void register(JobContext context, PreparedTable prepared) {
        SparkSession spark = context.spark();
        String name = context.job().prepare().register().orElseThrow();
        if (spark.catalog().tableExists(name)) {
            boolean ours = spark.sql("SHOW TBLPROPERTIES " + name).collectAsList().stream()
                    .anyMatch(row -> row.getString(0).equals(OWNER));
            if (!ours) {
                throw new ConfigException(
                        "prepare.register: " + name + " exists and is none of rankfeed's; choose another name");
            }
            spark.sql("DROP TABLE " + name);
        }
        String location = new Path(prepared.path(), "data").toString().replace("'", "\\'");
        spark.sql("CREATE TABLE " + name + " USING parquet LOCATION '" + location + "' TBLPROPERTIES ('" + OWNER
                + "' = '" + prepared.id() + "')");
        context.progress().note("registered as " + name);
    }
}
