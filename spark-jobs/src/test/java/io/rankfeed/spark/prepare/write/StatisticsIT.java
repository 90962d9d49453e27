package io.rankfeed.spark.prepare.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.ColumnStatistics;
import io.rankfeed.spark.prepare.PrepareFixture;
import io.rankfeed.spark.run.PreparedTable;
import java.nio.file.Path;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatisticsIT {
    private static final String PREPARE =
            "sql: SELECT a.id, a.tokens, cast(a.id AS DOUBLE) / 3 - 100 AS x, CASE WHEN a.id % 50 = 7 THEN"
                    + " double('NaN') WHEN a.id % 10 = 0 THEN null ELSE double(a.id) END AS y, rf_split('train=80,"
                    + " test=20', a.id) AS split FROM t a JOIN t b ON a.id = b.id\n"
                    + "key: [id]\n"
                    + "block: 64 KiB\n"
                    + "statistics: {columns: [x, y, tokens], where: \"split = 'train'\"}";

    @TempDir
    private Path folder;

    @Test
    void statistics_anyPartitions_areOfTheConditionsRows() {
        Path source = PrepareFixture.table(folder.resolve("in"), 3000, 3);
        PreparedTable table = PrepareFixture.prepare(folder.resolve("out"), source, PREPARE);
        Row expected = PrepareFixture.session()
                .read()
                .parquet(PrepareFixture.folder(table).resolve("data").toString())
                .where("split = 'train'")
                .selectExpr(
                        "count(*)",
                        "avg(x)",
                        "stddev_pop(x)",
                        "min(x)",
                        "max(x)",
                        "min(abs(x))",
                        "count(y) - sum(int(isnan(y)))",
                        "sum(int(isnan(y)))",
                        "sum(length(tokens)) / 4")
                .first();
        ColumnStatistics x = table.manifest().statistics().get("x");
        assertThat(x.count()).isEqualTo(expected.getLong(0)).isBetween(2200L, 2600L);
        assertThat(x.mean().getAsDouble()).isCloseTo(expected.getDouble(1), within(1e-9));
        assertThat(x.std().getAsDouble()).isCloseTo(expected.getDouble(2), within(1e-9));
        assertThat(x.min().getAsDouble()).isEqualTo(expected.getDouble(3));
        assertThat(x.max().getAsDouble()).isEqualTo(expected.getDouble(4));
        assertThat(x.minPositive().getAsDouble()).isBetween(0.0, 1.0);
        assertThat(x.integral()).isFalse();
        ColumnStatistics y = table.manifest().statistics().get("y");
        assertThat(y.count()).isEqualTo(expected.getLong(6));
        assertThat(y.nonFinite()).isEqualTo(expected.getLong(7)).isPositive();
        assertThat(y.integral()).isTrue();
        assertThat((double) table.manifest().statistics().get("tokens").count()).isEqualTo(expected.getDouble(8));

        SparkSession spark = PrepareFixture.session();
        spark.conf().set("spark.sql.shuffle.partitions", "7");
        PreparedTable again = PrepareFixture.prepare(folder.resolve("again"), source, PREPARE);
        spark.conf().set("spark.sql.shuffle.partitions", "3");
        assertThat(again.manifestSha256()).isEqualTo(table.manifestSha256());
    }

    @Test
    void statistics_haveTheNarrowestLosslessType() {
        PrepareFixture.session()
                .sql("SELECT id, array(id, -id) AS ints, array(id + 150L) AS more, array(array(id / 2D),"
                        + " array(0.25D)) AS halves, array(float(id) * 1048576F, float('NaN')) AS brains,"
                        + " array(double(float(id / 3D))) AS singles, array(id / 3D, null) AS doubles FROM range(100)")
                .coalesce(1)
                .write()
                .parquet(folder.resolve("in").toString());
        String auto = "{dtype: auto}";
        PreparedTable table = PrepareFixture.prepare(
                folder.resolve("out"),
                folder.resolve("in"),
                "sql: SELECT * EXCEPT (doubles), slice(doubles, 1, 1) AS doubles FROM t\ntensors: {ints: " + auto
                        + ", more: " + auto + ", halves: {dtype: auto, shape: [2, 1]}, brains: " + auto + ", singles: "
                        + auto + ", doubles: " + auto + "}");
        assertThat(table.manifest().schema().fields())
                .extracting(field -> field.name() + " " + field.dtype().id())
                .contains(
                        "ints int8",
                        "more uint8",
                        "halves float16",
                        "brains bfloat16",
                        "singles float32",
                        "doubles float64");
        assertThatThrownBy(() -> PrepareFixture.prepare(
                        folder.resolve("out"), folder.resolve("in"), "select: {from: t}\ntensors: {id: " + auto + "}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is for lists");
    }

    @Test
    void statistics_ofOtherThanNumbers_areRefused() {
        Path source = PrepareFixture.table(folder.resolve("in"), 10, 1);
        assertThatThrownBy(() -> PrepareFixture.prepare(
                        folder.resolve("out"), source, "select: {from: t}\nstatistics: {columns: [note]}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("statistics are of numbers");
        assertThatThrownBy(() -> PrepareFixture.prepare(
                        folder.resolve("out"), source, "select: {from: t}\nstatistics: {columns: [idd]}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean 'id'");
    }
}
