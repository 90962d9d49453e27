package io.rankfeed.spark.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.job.JobFile;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.spark.export.Export;
import io.rankfeed.spark.export.Version;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.sample.Sample;
import io.rankfeed.spark.source.open.OpenSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.DeltaLog;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of an embedded Hive metastore and of Delta, in the shared session. */
class TablesIT {
    @TempDir
    private static Path folder;

    private static final String BY_ID = "select: {from: t}\n  key: [id]";
    private static SparkSession spark;

    @BeforeAll
    static void session() {
        spark = LocalSpark.session(2);
        spark.sql("CREATE DATABASE shop");
    }

    @Test
    void hiveTable_needsAKeyUnlessOfSparksOwnFormat() {
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
    @Tag("nightly")
    void hiveTable_kind_followsFromTheMetastore() {
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
    @ValueSource(strings = "PARTITIONED BY (p INT) STORED AS TEXTFILE")
    void partition_elsewhere_isOfTheTable(String kind) {
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

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(strings = "USING parquet PARTITIONED BY (p)")
    void partition_ofParquetElsewhere_isOfTheTable(String kind) {
        partition_elsewhere_isOfTheTable(kind);
    }

    @ParameterizedTest
    @Tag("nightly")
    @CsvSource(
            delimiter = '|',
            value = {
                "USING parquet PARTITIONED BY (day)     | 1 of 3 partitions, 1 of 3 columns, ",
                "STORED AS ORC PARTITIONED BY (day)     | 1 of 3 partitions, 1 of 3 columns, ",
                "STORED AS TEXTFILE PARTITIONED BY (day)| 1 of 3 partitions, 1 of 3 columns"
            })
    void dryRun_reportsPartitionsAndColumnsThatAreRead(String kind, String reads) {
        String table = "shop.days_" + Integer.toHexString(kind.hashCode());
        spark.sql("SET hive.exec.dynamic.partition.mode=nonstrict");
        spark.sql(
                "CREATE TABLE " + table + " " + kind
                        + " AS SELECT id, concat('a', id) AS a, concat('b', id) AS b, CAST(id % 3 AS INT) AS day FROM range(30)");
        String source = "hive: " + table + ", columns: [id], where: day = 1";
        assertThat(Prepare.preview(context(source, BY_ID), Sources.NO_CHOICE).scans())
                .singleElement()
                .asString()
                .startsWith(table + ": " + reads);
        assertThat(data(prepare(source, BY_ID)).where("id % 3 = 1").count()).isEqualTo(10);
        PreparedTable all = prepare("hive: " + table, BY_ID);
        assertThat(data(all)
                        .where("a = concat('a', id) AND b = concat('b', id) AND day = id % 3")
                        .count())
                .isEqualTo(30);
    }

    @Test
    void deltaFiles_oddPartitionNames_areWatched() {
        String path = folder.resolve("delta_odd").toString();
        spark.range(4)
                .selectExpr("id", "concat('a:b %41 ', id % 2) AS p")
                .write()
                .format("delta")
                .partitionBy("p")
                .save(path);
        Sources sources = context("delta: '" + path + "'", "select: {from: t}")
                .openSources((source, file, metadata) -> new int[0]);
        OpenSource source = sources.find("t").orElseThrow();
        assertThat(source.files()).hasSize(source.rows().inputFiles().length).hasSizeGreaterThan(1);
    }

    @Test
    void deltaTable_isReadAtItsVersionWhichIsRecorded() {
        String path = folder.resolve("delta").toString();
        spark.range(30).write().format("delta").save(path);
        spark.range(30, 50).write().format("delta").mode("append").save(path);
        PreparedTable latest = prepare("delta: '" + path + "'", BY_ID);
        assertThat(latest.manifest().rows()).isEqualTo(50);
        assertThat(latest.manifest().inputs().get(0))
                .isInstanceOfSatisfying(Input.DeltaInput.class, input -> assertThat(input.version())
                        .isEqualTo(1));
        PreparedTable first = prepare("delta: '" + path + "', version: 0", BY_ID);
        assertThat(first.manifest().rows()).isEqualTo(30);
        assertThatThrownBy(() -> prepare("delta: '" + path + "'", "select: {from: t}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("prepare.key is needed");
        assertThatThrownBy(() -> prepare("delta: '" + path + "', version: 7", BY_ID))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("the latest is 1");
        assertThatThrownBy(() -> prepare("delta: '" + folder + "'", BY_ID))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Delta");
    }

    @Tag("nightly")
    @Test
    void deltaTable_atATime_hasTheIdentityOfItsVersion() throws IOException {
        Path path = folder.resolve("delta_timed");
        spark.range(10).write().format("delta").save(path.toString());
        spark.range(10, 20).write().format("delta").mode("append").save(path.toString());
        // Delta keeps no times beyond its retention of a week.
        OffsetDateTime first = OffsetDateTime.now(ZoneOffset.UTC).minusHours(3).truncatedTo(ChronoUnit.SECONDS);
        for (int version = 0; version < 2; version++) {
            Files.setLastModifiedTime(
                    path.resolve("_delta_log/0000000000000000000" + version + ".json"),
                    FileTime.from(first.plusHours(version).toInstant()));
        }
        DeltaLog.clearCache();
        String source = "delta: '" + path + "'";
        OffsetDateTime between = first.plusMinutes(30).withOffsetSameInstant(ZoneOffset.ofHours(1));
        PreparedTable old = prepare(source + ", version: 0", BY_ID);
        assertThat(old.manifest().rows()).isEqualTo(10);
        assertThat(prepare(source + ", timestamp: '" + between + "'", BY_ID).id())
                .isEqualTo(old.id());
        assertThat(prepare(source + ", timestamp: '" + first.plusHours(1) + "'", BY_ID)
                        .id())
                .isEqualTo(prepare(source, BY_ID).id())
                .isNotEqualTo(old.id());
        assertThatThrownBy(() -> prepare(source + ", timestamp: '" + first.plusHours(2) + "'", BY_ID))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is after the table's latest version");
        assertThatThrownBy(() -> prepare(source + ", timestamp: yesterday", BY_ID))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is not a time with its zone");
    }

    @Test
    void deltaTable_deletionVectorsAndRenames_areRead() throws IOException {
        Path path = folder.resolve("delta_mapped");
        String table = "delta.`" + path + "`";
        spark.sql("CREATE TABLE " + table + " (id BIGINT, name STRING) USING delta TBLPROPERTIES"
                + " ('delta.enableDeletionVectors' = 'true', 'delta.columnMapping.mode' = 'name')");
        spark.sql("INSERT INTO " + table + " SELECT id, concat('n', id) FROM range(0, 100, 1, 1)");
        spark.sql("ALTER TABLE " + table + " RENAME COLUMN name TO title");
        spark.sql("DELETE FROM " + table + " WHERE id % 10 = 3");
        try (Stream<Path> files = Files.list(path)) {
            assertThat(files).anyMatch(file -> file.getFileName().toString().startsWith("deletion_vector"));
        }
        PreparedTable prepared = prepare("delta: '" + path + "'", BY_ID);
        assertThat(data(prepared).where("title = concat('n', id)").count()).isEqualTo(90);
        assertThat(data(prepared).where("id % 10 = 3").count()).isZero();
    }

    @Tag("nightly")
    @Test
    void deltaTable_missingFilesOrCommits_areNamed() throws IOException {
        Path path = folder.resolve("delta_gone");
        for (int version = 0; version < 3; version++) {
            spark.range(0, 5, 1, 1).write().format("delta").mode("overwrite").save(path.toString());
        }
        List<Path> files = dataFiles(path);
        String source = "delta: '" + path + "'";
        OpenSource latest = context(source, BY_ID)
                .openSources((name, file, metadata) -> new int[0])
                .find("t")
                .orElseThrow();
        Path kept = Path.of(latest.files().get(0).path().toUri().getPath());
        for (Path file : files) {
            if (!file.equals(kept)) {
                Files.delete(file);
            }
        }
        assertThatThrownBy(() -> prepare(source + ", version: 0", BY_ID))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("sources.t: version 0")
                .hasMessageContaining("VACUUM takes the files of old versions; the latest version is 2");
        assertThat(prepare(source, BY_ID).manifest().rows()).isEqualTo(5);
        Files.delete(kept);
        assertThatThrownBy(() -> prepare(source, "{sql: 'SELECT id, 1 AS one FROM t', key: [id]}"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(kept.toString())
                .hasMessageContaining("is of the latest version (2)");
        Files.delete(path.resolve("_delta_log/00000000000000000001.json"));
        DeltaLog.clearCache();
        assertThatThrownBy(() -> prepare(source, BY_ID))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("_delta_log")
                .hasMessageContaining("has no 00000000000000000001.json, though it has commits up to version 2");
    }

    @Tag("nightly")
    @Test
    void preparedTable_asDelta_hasTheSameFiles() {
        spark.sql(
                "CREATE TABLE shop.plain USING parquet AS SELECT id, sha2(CAST(id AS STRING), 256) AS name FROM range(4000)");
        String query = "select: {from: t}\n  block: 64 KiB\n  compression: none\n  ";
        PreparedTable plain = prepare("hive: shop.plain", query + "key: [id]");
        PreparedTable delta =
                prepare("hive: shop.plain", query + "key: [id]\n  delta: true\n  register: shop.as_delta");
        assertThat(digests(delta)).hasSizeGreaterThan(2).containsAll(digests(plain));
        Dataset<Row> rows = spark.read().format("delta").load(delta.path() + "/data");
        assertThat(rows.columns()).isEqualTo(data(plain).columns());
        assertThat(rows.exceptAll(data(plain)).count()).isZero();
        assertThat(rows.count()).isEqualTo(4000);
        assertThat(spark.table("shop.as_delta").count()).isEqualTo(4000);
        assertThatThrownBy(() -> spark.sql("DELETE FROM shop.as_delta")).hasMessageContaining("only allow appends");
        prepare("hive: shop.plain", "select: {from: t, where: id < 7}\n  delta: true\n  register: shop.as_delta");
        assertThat(spark.table("shop.as_delta").count()).isEqualTo(7);
        String columns = "select: {from: t, columns: [id, name]}\n  key: [id]";
        assertThat(prepare("delta: '" + delta.path() + "/data'", columns)
                        .manifest()
                        .rows())
                .isEqualTo(4000);
        assertThatThrownBy(() -> prepare("parquet: '" + delta.path() + "/data'", "select: {from: t}"))
                .as("a table with a log is read by its log")
                .hasMessageContaining("read a Delta table with delta:");
    }

    @Test
    void register_replacesOnlyTablesOfRankfeed() {
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
                .hasMessageContaining("not written by rankfeed");
    }

    /** What explain prints for a row: the version of its Delta table, or its file of a Hive table. */
    @Tag("nightly")
    @Test
    void version_statesItsDeltaVersionOrHiveFiles() {
        String path = folder.resolve("traced").toString();
        spark.range(8).write().format("delta").save(path);
        spark.range(8, 16).write().format("delta").mode("append").save(path);
        spark.sql("CREATE TABLE shop.traced USING parquet AS SELECT /*+ COALESCE(1) */ id FROM range(16)");
        Manifest.Version ofDelta = exported("delta: '" + path + "'");
        assertThat(ofDelta.origin().key()).containsExactly("id");
        assertThat(ofDelta.origin().tables()).containsExactly(Map.entry("t", 1L));
        assertThat(exported("delta: '" + path + "', version: 0").origin().tables())
                .containsExactly(Map.entry("t", 0L));
        Manifest.Version ofHive = exported("hive: shop.traced");
        assertThat(ofHive.origin().tables()).isEmpty();
        assertThat(ofHive.sources()).singleElement().asString().startsWith("t/").endsWith(".parquet");
    }

    /** The manifest of a version of a source's rows. */
    private static Manifest.Version exported(String source) {
        JobContext context = context(source, BY_ID + "\nsample:\n  rows: {kind: sequential, batch: 4, lanes: 2}");
        PreparedTable table = Prepare.run(context);
        Version version = Export.run(context, table, Sample.run(context, table));
        return (Manifest.Version)
                ManifestJson.read(Path.of(version.path().toUri().getPath()));
    }

    /** Of the files that hold rows. */
    private static List<String> digests(PreparedTable table) {
        return table.manifest().files().stream()
                .filter(file -> file.rows().isPresent())
                .map(file -> file.sha256())
                .toList();
    }

    private static Dataset<Row> data(PreparedTable table) {
        return spark.read().parquet(table.path() + "/data");
    }

    private static List<Path> dataFiles(Path table) throws IOException {
        try (Stream<Path> files = Files.list(table)) {
            return files.filter(file -> file.toString().endsWith(".parquet")).toList();
        }
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
