package io.rankfeed.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.json.StrictJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobRunIT {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        System.setProperty("spark.master", "local[1]");
        spark = SparkSession.builder()
                .config("spark.ui.enabled", "false")
                .config("spark.sql.shuffle.partitions", "1")
                .getOrCreate();
    }

    @AfterAll
    static void stop() {
        spark.stop();
        System.clearProperty("spark.master");
    }

    @Test
    void anErrorOfTheJvmIsInTheFactsWithTheCodeOfABug(@TempDir Path folder) throws IOException {
        UDF1<Integer, Integer> broken = value -> {
            throw new NoSuchMethodError("of another version");
        };
        // Of a constant, so that the driver meets it.
        spark.udf().register("broken", broken, DataTypes.IntegerType);
        spark.range(3).write().parquet(folder.resolve("in").toString());
        Path job = Files.writeString(folder.resolve("job.yaml"), """
                dataset: d
                root: '%s'
                sources: {t: {parquet: '%s'}}
                prepare: {sql: "SELECT id, broken(1) AS b FROM t", key: [id]}
                """.formatted(folder, folder.resolve("in")));

        StringWriter err = new StringWriter();
        int exitCode = Cli.execute(
                Cli.line(new RankfeedJobs()).setErr(new PrintWriter(err, true)),
                "prepare",
                job.toString(),
                "--run-id",
                "monday",
                "--progress",
                "none");

        assertThat(exitCode).as(err.toString()).isEqualTo(1);
        var facts = StrictJson.parse(Files.readAllBytes(folder.resolve("d/runs/monday/run.json")), "run.json");
        assertThat(facts.path("state").asText()).isEqualTo("failed");
        assertThat(facts.path("exitCode").asInt()).isEqualTo(1);
        assertThat(facts.path("error").asText()).contains("of another version");
    }
}
