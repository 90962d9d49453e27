package io.rankfeed.spark.source.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.prepare.PrepareFixture;
import io.rankfeed.spark.run.Sessions;
import io.rankfeed.spark.source.Sources;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditions on floats, of row groups whose statistics do not have their NaN (parquet_types.py). */
class NanStatisticsIT extends FormatJob {
    private static final String PUSHDOWN = "spark.sql.parquet.filterPushdown";
    private static final String FILE = Path.of("src/test/resources/parquet-types/nan.parquet")
            .toAbsolutePath()
            .toString();

    @ParameterizedTest
    @CsvSource({
        "d > 100, '1,4,5'",
        "f > 100, '1,4,5'",
        "s.d > 100, '1,4,5'",
        "d != 1, '1,2,3,4,5,6,7'",
        "d = 0, '2,3'",
        "f = 0, '2,3'",
        "s.d = 0, '2,3'",
        "'d IN (0, 7)', '2,3'",
        "'isnan(d) OR id = 7', '1,4,5,7'",
        "d > 100 AND id > 1, '4,5'",
        "id > 5, '6,7'",
        "NOT (d <= 100), '1,4,5'",
    })
    void aRowIsReadWhateverItsRowGroup(String condition, String ids) {
        Dataset<Row> rows = Sources.open(
                        context("parquet: '" + FILE + "', where: '" + condition + "'", "select: {from: t}"))
                .all()
                .get(0)
                .rows();
        assertThat(ids(rows)).isEqualTo(ids);
    }

    /** Spark's own reader reads Hive and Delta tables. */
    @Test
    void sessionsForTablesDoNotPushConditionsDown() {
        SparkSession spark = PrepareFixture.session().newSession();
        assertThat(ids(spark.read().parquet(FILE).where("d > 100"))).isEqualTo("4,5");
        spark.conf().set(PUSHDOWN, "false");
        assertThat(ids(spark.read().parquet(FILE).where("d > 100"))).isEqualTo("1,4,5");

        SparkSession active = PrepareFixture.session();
        String before = active.conf().get(PUSHDOWN);
        try {
            SparkConf conf = active.sparkContext().getConf();
            assertThat(Sessions.of("test", conf, Set.of()).conf().get(PUSHDOWN)).isEqualTo(before);
            assertThat(Sessions.of("test", conf, Set.of(Sessions.Need.DELTA))
                            .conf()
                            .get(PUSHDOWN))
                    .isEqualTo("false");
        } finally {
            active.conf().set(PUSHDOWN, before);
        }
    }

    private static String ids(Dataset<Row> rows) {
        List<String> ids = rows.orderBy("id").selectExpr("CAST(id AS STRING)").collectAsList().stream()
                .map(row -> row.getString(0))
                .toList();
        return String.join(",", ids);
    }
}
