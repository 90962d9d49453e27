package io.rankfeed.spark.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.spark.job.JobFile;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of an embedded Hive metastore and of Delta, in a session of their own. */
class TablesIT {
    @TempDir
    private static Path folder;

    private static SparkSession spark;

    @BeforeAll
    static void session() {
        SparkSession.getDefaultSession().foreach(running -> {
            running.stop();
            return null;
        });
        SparkSession.clearActiveSession();
        SparkSession.clearDefaultSession();
        spark = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", "false")
                .config("spark.sql.shuffle.partitions", "2")
                .config("spark.sql.warehouse.dir", folder.resolve("wh").toString())
                .config(
                        "spark.hadoop.javax.jdo.option.ConnectionURL",
                        "jdbc:derby:;databaseName=" + folder.resolve("ms") + ";create=true")
                .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
                .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
                .enableHiveSupport()
                .getOrCreate();
        spark.sql("CREATE DATABASE shop");
    }

    @AfterAll
    static void stop() {
        spark.stop();
        SparkSession.clearActiveSession();
        SparkSession.clearDefaultSession();
    }

    @Test
    void aHiveTableOfSparksOwnFormatHasRowAddressesAndATextTableNeedsAKey() {
        spark.sql("CREATE TABLE shop.spark_table USING parquet AS SELECT id, id * 2 AS twice FROM range(100)");
        PreparedTable table = prepare("hive: shop.spark_table", "select: {from: t}");
        assertThat(table.manifest().rows()).isEqualTo(100);
        assertThat(table.manifest().sources()).isNotEmpty();

        spark.sql("CREATE TABLE shop.text_table (id BIGINT, name STRING) STORED AS TEXTFILE");
        spark.sql("INSERT INTO shop.text_table SELECT id, concat('n', id) FROM range(50)");
        assertThatThrownBy(() -> prepare("hive: shop.text_table", "select: {from: t}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("prepare.key is needed");
        assertThat(prepare("hive: shop.text_table", "select: {from: t}\n  key: [id]")
                        .manifest()
                        .rows())
                .isEqualTo(50);
        assertThatThrownBy(() -> prepare("hive: shop.text_tabel", "select: {from: t}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean 'shop.text_table'");
    }

    @Test
    void aDeltaTableIsReadAtItsVersionWhichIsRecorded() {
        String path = folder.resolve("delta").toString();
        spark.range(30).write().format("delta").save(path);
        spark.range(30, 50).write().format("delta").mode("append").save(path);
        String byKey = "select: {from: t}\n  key: [id]";
        PreparedTable latest = prepare("delta: '" + path + "'", byKey);
        assertThat(latest.manifest().rows()).isEqualTo(50);
        assertThat(latest.manifest().inputs().get(0))
                .isInstanceOfSatisfying(Input.DeltaInput.class, input -> assertThat(input.version())
                        .isEqualTo(1));
        PreparedTable first = prepare("delta: '" + path + "', version: 0", byKey);
        assertThat(first.manifest().rows()).isEqualTo(30);
        assertThatThrownBy(() -> prepare("delta: '" + path + "'", "select: {from: t}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("prepare.key is needed");
        assertThatThrownBy(() -> prepare("delta: '" + path + "', version: 7", byKey))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("the latest is 1");
        assertThatThrownBy(() -> prepare("delta: '" + folder.resolve("wh") + "'", byKey))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Delta");
    }

    @Test
    void theResultIsRegisteredAndNobodyElsesTableIsReplaced() {
        spark.sql("CREATE TABLE shop.input USING parquet AS SELECT id FROM range(10)");
        prepare("hive: shop.input", "select: {from: t}\n  register: shop.made");
        assertThat(spark.table("shop.made").count()).isEqualTo(10);
        String dropped = "spark.test.dropped";
        spark.sql("ALTER TABLE shop.made SET TBLPROPERTIES ('" + dropped + "' = 'no')");
        prepare("hive: shop.input", "select: {from: t}\n  register: shop.made");
        prepare("hive: shop.input", "select: {from: t, where: id > 4}\n  register: shop.made");
        assertThat(spark.table("shop.made").count()).isEqualTo(5);
        assertThat(spark.sql("SHOW TBLPROPERTIES shop.made ('" + dropped + "')")
                        .first()
                        .getString(1))
                .as("readers found the table all the while")
                .isEqualTo("no");
        prepare("hive: shop.input", "{sql: 'SELECT id, -id AS less FROM t', key: [id], register: shop.made}");
        assertThat(spark.table("shop.made").columns()).contains("less");
        assertThatThrownBy(() -> prepare("hive: shop.input", "select: {from: t}\n  register: shop.input"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("none of rankfeed's");
    }

    private static PreparedTable prepare(String source, String query) {
        String yaml = "dataset: d\nroot: '" + folder.resolve("out") + "'\nsources:\n  t: {" + source + "}\nprepare:\n  "
                + query + "\n";
        return Prepare.run(JobContext.of(
                spark, JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()), Progress.NONE));
    }
}
