package io.rankfeed.spark.sample;

import io.rankfeed.spark.run.PreparedTable;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests of feeds over the table of {@link PreparedFixture}: one session and one root for all of a class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class SampledTable {
    public Path root;
    public SparkSession spark;
    public PreparedTable prepared;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        root = folder;
        spark = PreparedFixture.session();
        prepared = PreparedFixture.write(spark, root);
    }
}
