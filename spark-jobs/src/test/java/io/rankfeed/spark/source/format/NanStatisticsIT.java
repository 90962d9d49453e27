package io.rankfeed.spark.source.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.prepare.PrepareFixture;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditions on floats, of row groups whose statistics do not have their NaN (parquet_types.py). */
class NanStatisticsIT extends FormatJob {
    private static final String PUSHDOWN = "spark.sql.parquet.filterPushdown";
    private static final String DELTA =
            Path.of("src/test/resources/delta-rs").toAbsolutePath().toString();
    private static final String FILE = Path.of("src/test/resources/parquet-types/nan.parquet")
            .toAbsolutePath()
            .toString();

    @BeforeEach
    void session() {
        LocalSpark.session(3);
    }

    @ParameterizedTest
    @CsvSource({
        "d > 100, '1,4,5'",
        "s.d > 100, '1,4,5'",
        "f = 0, '2,3'",
        "'d IN (0, 7)', '2,3'",
        "NOT (d <= 100), '1,4,5'",
    })
    void row_anyRowGroup_isRead(String condition, String ids) {
        Dataset<Row> rows = context("parquet: '" + FILE + "', where: '" + condition + "'", "select: {from: t}")
                .openSources()
                .all()
                .get(0)
                .rows();
        assertThat(ids(rows)).isEqualTo(ids);
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({
        "f > 100, '1,4,5'",
        "d != 1, '1,2,3,4,5,6,7'",
        "d = 0, '2,3'",
        "s.d = 0, '2,3'",
        "'isnan(d) OR id = 7', '1,4,5,7'",
        "d > 100 AND id > 1, '4,5'",
        "id > 5, '6,7'",
    })
    void row_underMoreConditions_isRead(String condition, String ids) {
        row_anyRowGroup_isRead(condition, ids);
    }

    /** The statistics in the log of a Delta table leave out NaN and round decimals (delta_rs.py). */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "s.d > 5                                                | 3",
                "decimal18 = 1234567890123456.78                        | 0,1,2,3,4",
                "d = (SELECT max(d) FROM t)                             | 3",
            })
    void rowOfDeltaTable_anyStatisticsInTheLog_isRead(String condition, String ids) {
        SparkSession session = PrepareFixture.session();
        session.conf().set(PUSHDOWN, "false");
        context("delta: '" + DELTA + "'", "select: {from: t}").openSources();
        assertThat(ids(session.table("t").where(condition))).isEqualTo(ids);
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "d > 5                                                  | 3",
                "f > 5                                                  | 3",
                "NOT (d <= 4)                                           | 3",
                "d = double('NaN')                                      | 3",
                "id > 2 AND d > 5                                       | 3",
                "decimal38 = 123456789012345678901234567890.12          | 0,1,2,3,4",
            })
    void rowOfDeltaTable_underMoreConditions_isRead(String condition, String ids) {
        rowOfDeltaTable_anyStatisticsInTheLog_isRead(condition, ids);
    }

    /** Without the settings of a job: the reason for them. */
    @Tag("nightly")
    @Test
    void delta_withoutOurSettings_losesTheseRows() {
        SparkSession session = PrepareFixture.session();
        session.conf().set(PUSHDOWN, "false");
        Dataset<Row> rows = session.read().format("delta").load(DELTA);
        assertThat(ids(rows.where("d > 5"))).isEmpty();
        assertThat(ids(rows.where("decimal18 = 1234567890123456.78"))).isEmpty();
        assertThat(ids(rows)).isEqualTo("0,1,2,3,4");
    }

    /** Statistics of whole numbers include every value. */
    @Tag("nightly")
    @Test
    void delta_withoutFloatsAndDecimals_skipsFiles() {
        SparkSession session = PrepareFixture.session();
        String table = folder.resolve("delta").toString();
        session.sql("SELECT id, CAST(id AS DOUBLE) AS d FROM range(0, 8, 1, 2)")
                .write()
                .format("delta")
                .save(table);
        Dataset<Row> kept = context("delta: '" + table + "', columns: [id]", "select: {from: t}")
                .openSources()
                .all()
                .get(0)
                .rows();
        assertThat(session.conf().get("spark.databricks.delta.stats.skipping", "true"))
                .isEqualTo("true");
        assertThat(ids(kept.where("id > 6"))).isEqualTo("7");
        context("delta: '" + table + "'", "select: {from: t}").openSources();
        assertThat(session.conf().get("spark.databricks.delta.stats.skipping", "true"))
                .isEqualTo("false");
    }

    /** Spark's own reader reads Hive and Delta tables. */
    @Test
    void session_forTables_doesNotPushConditionsDown() {
        SparkSession spark = PrepareFixture.session().newSession();
        assertThat(ids(spark.read().parquet(FILE).where("d > 100"))).isEqualTo("4,5");
        spark.conf().set(PUSHDOWN, "false");
        assertThat(ids(spark.read().parquet(FILE).where("d > 100"))).isEqualTo("1,4,5");

        SparkSession active = PrepareFixture.session();
        SparkConf conf = active.sparkContext().getConf();
        for (String setting : List.of(PUSHDOWN, "spark.sql.orc.filterPushdown")) {
            String before = active.conf().get(setting);
            try {
                assertThat(Sessions.of("test", conf, Set.of()).conf().get(setting))
                        .isEqualTo(before);
                assertThat(Sessions.of("test", conf, Set.of(Sessions.Need.DELTA))
                                .conf()
                                .get(setting))
                        .isEqualTo("false");
            } finally {
                active.conf().set(PUSHDOWN, "true");
                active.conf().set(setting, before);
            }
        }
    }

    private static String ids(Dataset<Row> rows) {
        List<String> ids = rows.orderBy("id").selectExpr("CAST(id AS STRING)").collectAsList().stream()
                .map(row -> row.getString(0))
                .toList();
        return String.join(",", ids);
    }
}
