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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
                // 50 tasks a snapshot by default, for tables of millions of files.
                .config("spark.databricks.delta.snapshotPartitions", "1")
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
    void whatATableIsFollowsFromTheMetastoreAndNotFromNamesOfColumnsAndFolders() {
        spark.sql("CREATE TABLE shop.facts (id BIGINT, Location STRING, Provider STRING) USING parquet");
        spark.sql("INSERT INTO shop.facts SELECT id, 'x', 'y' FROM range(7)");
        assertThat(prepare("hive: shop.facts", "select: {from: t}").manifest().rows())
                .isEqualTo(7);
        spark.sql("CREATE TABLE shop.parquet_text (id BIGINT) STORED AS TEXTFILE");
        spark.sql("INSERT INTO shop.parquet_text SELECT id FROM range(8)");
        assertThat(prepare("hive: shop.parquet_text", "select: {from: t}\n  key: [id]")
                        .manifest()
                        .rows())
                .isEqualTo(8);
        spark.sql("CREATE VIEW shop.seen AS SELECT id FROM shop.facts");
        assertThatThrownBy(() -> prepare("hive: shop.seen", "select: {from: t}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is a view");
    }

    @ParameterizedTest
    @ValueSource(strings = {"USING parquet PARTITIONED BY (p)", "PARTITIONED BY (p INT) STORED AS TEXTFILE"})
    void aPartitionThatLiesElsewhereIsOfTheTable(String kind) {
        String table = "shop.parts_" + kind.length();
        String columns = kind.startsWith("USING") ? "(id BIGINT, p INT) " : "(id BIGINT) ";
        String elsewhere = folder.resolve("elsewhere_" + kind.length()).toString();
        spark.sql("CREATE TABLE " + table + " " + columns + kind);
        spark.sql("INSERT INTO " + table + " PARTITION (p = 0) SELECT id FROM range(5)");
        spark.sql("ALTER TABLE " + table + " ADD PARTITION (p = 1) LOCATION '" + elsewhere + "'");
        spark.sql("INSERT INTO " + table + " PARTITION (p = 1) SELECT id + 5 FROM range(5)");
        PreparedTable before = prepare("hive: " + table, "select: {from: t}\n  key: [id]");
        assertThat(before.manifest().rows()).isEqualTo(10);
        assertThat(before.manifest().inputs().get(0))
                .isInstanceOfSatisfying(Input.HiveInput.class, input -> assertThat(input.files())
                        .anyMatch(file -> file.path().startsWith("p=0/"))
                        .anyMatch(file -> file.path().startsWith("p=1/")));
        spark.sql("INSERT INTO " + table + " PARTITION (p = 1) SELECT id + 10 FROM range(5)");
        assertThat(prepare("hive: " + table, "select: {from: t}\n  key: [id]")
                        .manifest()
                        .rows())
                .isEqualTo(15);
    }

    @Test
    void everyFileOfADeltaTableIsWatchedWhateverItsPartitionIsCalled() {
        String path = folder.resolve("delta_odd").toString();
        spark.range(4)
                .selectExpr("id", "concat('a:b %41 ', id % 2) AS p")
                .write()
                .format("delta")
                .partitionBy("p")
                .save(path);
        Sources sources = Sources.open(
                context("delta: '" + path + "'", "select: {from: t}"), (source, file, metadata) -> new int[0]);
        OpenSource source = sources.find("t").orElseThrow();
        assertThat(source.files()).hasSize(source.rows().inputFiles().length).hasSizeGreaterThan(1);
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
        return Prepare.run(context(source, query));
    }

    private static JobContext context(String source, String query) {
        String yaml = "dataset: d\nroot: '" + folder.resolve("out") + "'\nsources:\n  t: {" + source + "}\nprepare:\n  "
                + query + "\n";
        return JobContext.of(
                spark, JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()), Progress.NONE);
    }
}
