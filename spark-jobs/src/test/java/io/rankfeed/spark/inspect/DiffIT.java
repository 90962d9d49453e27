package io.rankfeed.spark.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.spark.inspect.InspectFixture.Answer;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.PreparedFixture;
import io.rankfeed.spark.sample.Sample;
import io.rankfeed.spark.sample.TableRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DiffIT {
    private static final String STRATA = "strata: [{column: correct}], weights: {\"true\": 1, \"false\": 2}";

    private Path root;
    private SparkSession spark;
    private PreparedTable prepared;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        root = folder;
        System.setProperty("spark.master", "local[2]");
        spark = PreparedFixture.session();
        prepared = PreparedFixture.write(spark, root);
    }

    @AfterAll
    void stop() {
        System.clearProperty("spark.master");
    }

    @Test
    void plan_ofMoreRows_keepsThoseChosenBefore() throws IOException {
        Plan few = plan("rows: 480, " + STRATA);
        Plan more = plan("rows: 960, " + STRATA);
        JsonNode diff = diff(few, more);

        assertThat(diff.at("/left train").longValue()).isZero();
        assertThat(diff.at("/moved in train").longValue()).isZero();
        assertThat(diff.at("/entered train").longValue()).isEqualTo(480);
        JsonNode strata = diff.at("/strata of train");
        assertThat(strata).hasSize(2);
        assertThat(strata.get(0).get("stratum").textValue()).isEqualTo("false");
        assertThat(strata.get(0).get("stayed").longValue()).isEqualTo(320);
        assertThat(strata.get(1).get("stayed").longValue()).isEqualTo(160);
        assertThat(diff.at("/examples of train")).hasSize(5);
        // Backwards all of that leaves.
        assertThat(diff(more, few).at("/left train").longValue()).isEqualTo(480);
    }

    @Tag("nightly")
    @Test
    void plan_ofGrownTable_dropsARowOnlyForANewOne() throws IOException {
        // Row n has the id 1,000,000 - n: the table as it was before its last 600 rows came.
        Plan old = plan("rows: 600, where: id > 997600, " + STRATA);
        Plan grown = plan("rows: 600, " + STRATA);
        JsonNode strata = diff(old, grown).at("/strata of train");

        strata.forEach(stratum -> {
            assertThat(stratum.get("entered").longValue())
                    .isEqualTo(stratum.get("left").longValue())
                    .isBetween(1L, 150L);
            assertThat(stratum.get("movedIn").longValue()).isZero();
        });
        spark.read().parquet(old.path() + "/rows").createOrReplaceTempView("old_plan");
        spark.read().parquet(grown.path() + "/rows").createOrReplaceTempView("new_plan");
        spark.read().parquet(prepared.path() + "/data").createOrReplaceTempView("rows_of_table");
        assertThat(spark.sql("SELECT min(r.id) > 997000 AND max(r.id) <= 997600 FROM new_plan p"
                                + " JOIN rows_of_table r ON r._row_id = p.row_id"
                                + " WHERE p.row_id NOT IN (SELECT row_id FROM old_plan)")
                        .first()
                        .getBoolean(0))
                .isTrue();
    }

    @Test
    void simulate_job_reportsAsForItsPlan() throws IOException {
        Path in = root.resolve("in");
        spark.range(0, 900).selectExpr("id", "id % 3 = 0 AS correct").write().parquet(in.toString());
        Path job = Files.writeString(
                root.resolve("job.yaml"),
                "{dataset: s, root: '" + root.resolve("out")
                        + "', sources: {t: {parquet: '" + in
                        + "'}}, prepare: {select: {from: t}}, sample: {train: {batch: 8,"
                        + " lanes: 4, rows: 400, epochs: 2, " + STRATA + "}}}");
        Answer answer = InspectFixture.simulate(job.toString(), "--json", "--set", "sample.train.rows=240");
        assertThat(answer.err()).isEmpty();
        JsonNode report = new ObjectMapper().readTree(answer.out());
        JsonNode visits = report.at("/visits of train");
        assertThat(visits.get(0).get("stratum").textValue()).isEqualTo("false");
        assertThat(visits.get(0).get("draws").longValue()).isEqualTo(320);
        assertThat(visits.get(1).get("draws").longValue()).isEqualTo(160);
        assertThat(report.at("/rowsPerRank")).hasSize(3);
        assertThat(report.at("/plan").textValue()).isEqualTo("none; counted for " + job);
        assertThat(Files.exists(root.resolve("out"))).isFalse();

        Answer wrong = InspectFixture.simulate(job.toString(), "--set", "sample.train.rows=24000");
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).contains("feed 'train'", "wants");
        assertThat(InspectFixture.simulate(root.toString(), "--set", "a=b").err())
                .contains("--set is for a job file");
    }

    @Test
    void diff_movedRowsAndEqualPlans_areReported() throws IOException {
        Plan one =
                plan("rows: 960, strata: [{column: difficulty, bins: {low: [1, 4], high: [5, 11]}, on-unbinned: drop}],"
                        + " weights: {low: 1, high: 1}, on-shortage: repeat");
        Plan other =
                plan("rows: 960, strata: [{column: difficulty, bins: {low: [1, 5], high: [6, 11]}, on-unbinned: drop}],"
                        + " weights: {low: 1, high: 1}, on-shortage: repeat");
        JsonNode diff = diff(one, other);
        assertThat(diff.at("/moved in train").longValue()).isPositive();
        assertThat(diff.at("/examples of train").findValuesAsText("what")).contains("moved");
        // The table has no key: a row is known by its source file and its place in it.
        diff.at("/examples of train").forEach(example -> {
            String[] place = example.get("key").textValue().split("[-.:]");
            assertThat(place).hasSize(4);
            int row = Integer.parseInt(place[1]) * PreparedFixture.FILE_ROWS + Integer.parseInt(place[3]);
            assertThat(new TableRow(row).rowId())
                    .isEqualTo(example.get("row_id").longValue());
        });

        JsonNode same = diff(one, one);
        assertThat(same.at("/strata of train/0/otherLane").longValue()).isZero();
        assertThat(same.has("examples of train")).isFalse();
        Answer wrong = InspectFixture.call(new DiffCommand(), one.path().toString(), root.toString());
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).contains("is neither a plan nor a version");
    }

    private Plan plan(String feed) throws IOException {
        return Sample.run(
                PreparedFixture.context(
                        spark, root, "sample: {train: {batch: 8, lanes: 8, seed: 7, nested: true, " + feed + "}}"),
                prepared);
    }

    private static JsonNode diff(Plan before, Plan after) throws IOException {
        Answer answer = InspectFixture.call(
                new DiffCommand(), before.path().toString(), after.path().toString(), "--json", "--exit-code");
        assertThat(answer.err()).isEmpty();
        assertThat(answer.exitCode()).isEqualTo(before.equals(after) ? 0 : 10);
        return new ObjectMapper().readTree(answer.out());
    }
}
