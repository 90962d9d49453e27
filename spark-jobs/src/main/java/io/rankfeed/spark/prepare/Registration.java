package io.rankfeed.spark.prepare;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/** An external table over the prepared one, in the session's catalog. */
final class Registration {
    static final String OWNER = "rankfeed.prepared";

    private Registration() {}

    /**
     * Creates the table, or points one that a job created before to the new data. Readers find it at every moment,
     * unless its columns change, or it is one of Delta.
     *
     * @throws ConfigException if a table of that name is not ours
     */
    static void register(JobContext context, PreparedTable prepared) {
        SparkSession spark = context.spark();
        String name = context.job().prepare().register().orElseThrow();
        Path data = new Path(prepared.path(), "data");
        String location = "LOCATION '" + data.toString().replace("'", "\\'") + "'";
        String properties = "TBLPROPERTIES ('" + OWNER + "' = '" + prepared.id() + "')";
        boolean isDelta = context.job().prepare().delta();
        // What Delta's log says of the table is there, and nowhere else.
        String as = isDelta ? " USING delta " + location : " USING parquet " + location + " " + properties;
        if (!spark.catalog().tableExists(name)) {
            spark.sql("CREATE TABLE " + name + as);
        } else if (!owner(spark, name).equals(Optional.of(prepared.id())) || !pointsTo(spark, name, data)) {
            if (!isDelta
                    && spark.table(name)
                            .schema()
                            .equals(SourceFiles.reader(spark)
                                    .parquet(data.toString())
                                    .schema())) {
                spark.sql("ALTER TABLE " + name + " SET " + location);
                spark.sql("ALTER TABLE " + name + " SET " + properties);
            } else {
                spark.sql("DROP TABLE " + name);
                spark.sql("CREATE TABLE " + name + as);
            }
        }
        context.progress().note("registered as " + name);
    }

    /** The id of the prepared table that it was pointed to last. */
    private static Optional<String> owner(SparkSession spark, String name) {
        Optional<String> id = spark.sql("SHOW TBLPROPERTIES " + name).collectAsList().stream()
                .filter(row -> row.getString(0).equals(OWNER))
                .map(row -> row.getString(1))
                .findFirst();
        if (id.isEmpty()) {
            throw new ConfigException(
                    "prepare.register: " + name + " exists and was not written by rankfeed; choose another name");
        }
        return id;
    }

    private static boolean pointsTo(SparkSession spark, String name, Path data) {
        return spark.sql("DESCRIBE TABLE EXTENDED " + name).collectAsList().stream()
                .anyMatch(row -> row.getString(0).equals("Location")
                        && new Path(row.getString(1))
                                .toUri()
                                .getPath()
                                .equals(data.toUri().getPath()));
    }
}
