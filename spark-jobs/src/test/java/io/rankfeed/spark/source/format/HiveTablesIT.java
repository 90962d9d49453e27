package io.rankfeed.spark.source.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.spark.sql.hive.HiveExternalCatalog;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of Hive's formats: every row is the one that was written, or the table is refused before the first row. */
class HiveTablesIT extends HiveFiles {
    private static final String CSV = " ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' STORED AS TEXTFILE LOCATION '";

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(strings = {"TEXTFILE", "SEQUENCEFILE", "RCFILE", "AVRO", "ORC", "PARQUET"})
    void values_areThoseThatWereWritten(String format) {
        spark.sql(
                "CREATE TABLE formats.t (id BIGINT, c CHAR(4), v VARCHAR(4)) PARTITIONED BY (p STRING, q INT) STORED AS "
                        + format);
        spark.sql("INSERT INTO formats.t VALUES (1, 'a', 'b ', 'x/y=z %41:é', 7), (2, 'ab  ', 'cd', 'A', -1),"
                + " (3, 'abcd', '', 'a', 7), (4, NULL, NULL, ' lead', 7), (5, 'é', 'éé', 'null', 7)");
        String text = "concat_ws('|', CAST(id AS STRING), c, v, p, CAST(q AS STRING))";
        // Hive writes no bytes for an empty VARCHAR in an RCFile, as for null, which concat_ws leaves out.
        String third = format.equals("RCFILE") ? "3|abcd|a|7" : "3|abcd||a|7";
        assertThat(texts("hive: formats.t", text))
                .containsExactly("1|a   |b |x/y=z %41:é|7", "2|ab  |cd|A|-1", third, "4| lead|7", "5|é   |éé|null|7");
        assertThat(texts("hive: formats.t, where: \"p = 'x/y=z %41:é' AND c = 'a'\"", "CAST(id AS STRING)"))
                .containsExactly("1");
    }

    /** Hive's readers in Spark give the name of the folder, or cannot convert it. */
    @ParameterizedTest
    @CsvSource({"TEXTFILE, INT", "ORC, STRING"})
    void partitionOfNull_isNullOrRefused(String format, String type) {
        spark.sql("CREATE TABLE formats.t (id BIGINT) PARTITIONED BY (p " + type + ") STORED AS " + format);
        spark.sql("INSERT INTO formats.t SELECT * FROM VALUES (1L, 7), (2L, NULL)");
        String text = "concat(id, coalesce(CAST(p AS STRING), ' null'))";
        if (format.equals("TEXTFILE")) {
            assertRefused(
                    "hive: formats.t",
                    BY_ID,
                    ConfigException.class,
                    "sources.t: partition p=__HIVE_DEFAULT_PARTITION__ has null in a partition column",
                    "IS NOT NULL under sources.t.where");
        } else {
            assertThat(texts("hive: formats.t", text)).containsExactly("17", "2 null");
        }
        assertThat(texts("hive: formats.t, where: p IS NOT NULL", text)).containsExactly("17");
        assertThat(texts("hive: formats.t, where: p = '7'", text)).containsExactly("17");
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"TEXTFILE, STRING", "PARQUET, INT"})
    void partitionOfNull_inOtherFormats_isNullOrRefused(String format, String type) {
        partitionOfNull_isNullOrRefused(format, type);
    }

    @ParameterizedTest
    @CsvSource({"skip.header.line.count, 1, TEXTFILE", "parquet.column.index.access, TRUE, PARQUET"})
    void properties_thatSparkIgnores_areRefused(String property, String value, String format) {
        spark.sql("CREATE TABLE formats.t (id BIGINT) STORED AS " + format);
        spark.sql("INSERT INTO formats.t VALUES (1), (2), (3)");
        String set = "ALTER TABLE formats.t SET TBLPROPERTIES ('" + property + "' = '";
        spark.sql(set + (value.length() == 1 ? "0" : "false") + "')");
        assertThat(texts("hive: formats.t", "CAST(id AS STRING)")).containsExactly("1", "2", "3");
        spark.sql(set + value + "')");
        assertRefused(
                "hive: formats.t",
                BY_ID,
                ConfigException.class,
                "sources.t: the table has the property " + property + " = " + value + ", which Spark ignores");
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"skip.footer.line.count, 2, TEXTFILE", "orc.force.positional.evolution, true, ORC"})
    void otherProperties_thatSparkIgnores_areRefused(String property, String value, String format) {
        properties_thatSparkIgnores_areRefused(property, value, format);
    }

    /** Spark reads each file of such a table, and Hive those that the input format lists: of Hudi, the latest ones. */
    @ParameterizedTest
    @CsvSource("parquet.serde.ParquetHiveSerDe, parquet.MapredParquet")
    void inputFormat_thatSparkIgnores_isRefused(String serde, String format) {
        String hive = "org.apache.hadoop.hive.ql.io.";
        for (String input : List.of(hive + format + "InputFormat", hive + "SymlinkTextInputFormat")) {
            spark.sql("DROP TABLE IF EXISTS formats.t");
            spark.sql("CREATE TABLE formats.t (id BIGINT) ROW FORMAT SERDE '" + hive + serde
                    + "' STORED AS INPUTFORMAT '" + input + "' OUTPUTFORMAT '" + hive + format + "OutputFormat'");
            spark.sql("INSERT INTO formats.t VALUES (1)");
            if (input.contains(format)) {
                assertThat(texts("hive: formats.t", "CAST(id AS STRING)")).containsExactly("1");
            } else {
                assertRefused(
                        "hive: formats.t",
                        BY_ID,
                        ConfigException.class,
                        "sources.t: the table has the input format " + input + ", which Spark ignores");
            }
        }
    }

    @Tag("nightly")
    @Test
    void inputFormat_ofOrcThatSparkIgnores_isRefused() {
        inputFormat_thatSparkIgnores_isRefused("orc.OrcSerde", "orc.Orc");
    }

    @Test
    void textForNull_ofTheTable_isRead() throws IOException {
        write("nulls/a.csv", "1,NIL\n2,\\N\n3,\n");
        hive("CREATE EXTERNAL TABLE formats.t (id BIGINT, name STRING)"
                + CSV.replace("STORED", "NULL DEFINED AS 'NIL' STORED") + folder.resolve("nulls") + "'");
        assertThat(texts("hive: formats.t", "concat(id, coalesce(name, ' null'))"))
                .containsExactly("1 null", "2\\N", "3");
    }

    /** Spark's own readers would hold the line. */
    @ParameterizedTest
    @ValueSource(strings = "CREATE EXTERNAL TABLE formats.t (id BIGINT, name STRING)" + CSV)
    void lineOfTextTable_tooLong_isNamed(String create) throws IOException {
        Path data = Files.createDirectories(folder.resolve("long"));
        Path file = data.resolve("a.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("1,one\r\n2,".getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 64; i++) {
                out.write("x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8));
            }
            out.write("\n3,three".getBytes(StandardCharsets.UTF_8));
        }
        spark.sql(create + data.toUri() + "'");
        assertRefused(
                "hive: formats.t",
                "select: {from: t}\nkey: [id]",
                CorruptDataException.class,
                file + ":2: has 67108866 bytes; a line has at most 67108864");
    }

    @Tag("nightly")
    @Test
    void lineOfCsvTable_tooLong_isNamed() throws IOException {
        String columns = "CREATE TABLE formats.t (id BIGINT, name STRING) USING csv OPTIONS (mode 'FAILFAST')";
        lineOfTextTable_tooLong_isNamed(columns + " LOCATION '");
    }

    @Test
    void tableOfSparksCsvReader_isRefusedUnlessItIsStrict() throws IOException {
        write("lenient/a.csv", "name,id\none,1\n");
        spark.sql("CREATE TABLE formats.t (id BIGINT, name STRING) USING csv OPTIONS (header 'true') LOCATION '"
                + folder.resolve("lenient") + "'");
        for (String option : List.of("'mode' = 'FAILFAST'", "'enforceSchema' = 'false'")) {
            assertRefused("hive: formats.t", BY_ID, ConfigException.class, "SERDEPROPERTIES (" + option + ")");
            spark.sql("ALTER TABLE formats.t SET SERDEPROPERTIES (" + option + ")");
        }
        assertRefused("hive: formats.t", BY_ID, CorruptDataException.class, "CSV header does not conform");
        write("lenient/a.csv", "id,name\n1,one\n2,two\n");
        assertThat(texts("hive: formats.t", "concat(id, name)")).containsExactly("1one", "2two");
    }

    @Test
    void tableOfSparksXmlReader_isRefusedUnlessItIsStrict() throws IOException {
        write("lenient/a.xml", "<rows><r><id>1</id><name>one</name></r><r><id>2</id><name>two</name></r></rows>");
        spark.sql("CREATE TABLE formats.t (id BIGINT, name STRING) USING xml OPTIONS (rowTag 'r') LOCATION '"
                + folder.resolve("lenient") + "'");
        assertRefused(
                "hive: formats.t",
                BY_ID,
                ConfigException.class,
                "Spark's XML reader gives null for what it cannot parse in this table; set the option: ");
        spark.sql("ALTER TABLE formats.t SET SERDEPROPERTIES ('mode' = 'FAILFAST')");
        assertThat(texts("hive: formats.t", "concat(id, name)")).containsExactly("1one", "2two");
    }

    @ParameterizedTest
    @ValueSource(strings = {"STORED AS TEXTFILE", "USING parquet"})
    void nestedFolder_isRefused(String kind) throws IOException {
        Path table = folder.resolve("table");
        String external = kind.startsWith("USING") ? "TABLE" : "EXTERNAL TABLE";
        spark.sql("CREATE " + external + " formats.t (id BIGINT) " + kind + " LOCATION '" + table + "'");
        spark.sql("INSERT INTO formats.t SELECT id FROM range(3)");
        assertThat(texts("hive: formats.t", "CAST(id AS STRING)")).containsExactly("0", "1", "2");
        Path nested = Files.createDirectories(table.resolve("HIVE_UNION_SUBDIR_1"));
        try (var files = Files.list(table)) {
            Path file = files.filter(path -> path.getFileName().toString().startsWith("part-"))
                    .findFirst()
                    .orElseThrow();
            Files.move(file, nested.resolve(file.getFileName()));
        }
        spark.catalog().refreshTable("formats.t");
        assertRefused("hive: formats.t", BY_ID, ConfigException.class, nested + "/part-", "Spark does not read it");
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(strings = {"STORED AS ORC", "STORED AS PARQUET"})
    void nestedFolder_inOtherFormats_isRefused(String kind) throws IOException {
        nestedFolder_isRefused(kind);
    }

    @ParameterizedTest
    @ValueSource(strings = "TEXTFILE")
    void unknownPartition_isRefused(String format) {
        Path table = folder.resolve("table");
        String columns = " (id BIGINT) PARTITIONED BY (p INT) STORED AS " + format + " LOCATION '" + table + "'";
        spark.sql("CREATE EXTERNAL TABLE formats.before" + columns);
        spark.sql("INSERT INTO formats.before VALUES (1, 7)");
        spark.sql("CREATE EXTERNAL TABLE formats.t" + columns);
        assertRefused("hive: formats.t", BY_ID, ConfigException.class, "/p=7/", "MSCK REPAIR TABLE");
        spark.sql("MSCK REPAIR TABLE formats.t");
        assertThat(texts("hive: formats.t", "concat(id, p)")).containsExactly("17");
    }

    @Tag("nightly")
    @Test
    void unknownPartition_inOrc_isRefused() {
        unknownPartition_isRefused("ORC");
    }

    /** A partition keeps the columns that the table had when it was added. */
    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(strings = {"TEXTFILE", "SEQUENCEFILE", "ORC", "PARQUET"})
    void partition_withOtherColumns_isRead(String format) {
        spark.sql("CREATE TABLE formats.t (id BIGINT, a INT) PARTITIONED BY (p INT) STORED AS " + format);
        spark.sql("INSERT INTO formats.t VALUES (1, 10, 1)");
        hive("ALTER TABLE formats.t REPLACE COLUMNS (id BIGINT, a BIGINT, added STRING)");
        spark.catalog().refreshTable("formats.t");
        spark.sql("INSERT INTO formats.t VALUES (2, 9999999999, 'new', 2)");
        assertThat(texts("hive: formats.t", "concat(id, ' ', a, ' ', coalesce(added, 'null'), ' ', p)"))
                .containsExactly("1 10 null 1", "2 9999999999 new 2");
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(strings = {"USING parquet CLUSTERED BY (id) INTO 4 BUCKETS", "STORED AS ORC"})
    void bucketedTable_isReadWhole(String kind) {
        if (kind.startsWith("USING")) {
            spark.sql("CREATE TABLE formats.t (id BIGINT) " + kind);
        } else {
            spark.sql("CREATE TABLE formats.t (id BIGINT) CLUSTERED BY (id) INTO 4 BUCKETS " + kind);
            spark.conf().set("hive.enforce.bucketing", "false");
        }
        spark.sql("INSERT INTO formats.t SELECT id FROM range(100)");
        assertThat(texts("hive: formats.t", "CAST(id AS STRING)")).hasSize(100);
        assertThat(texts("hive: formats.t, where: 'id IN (7, 8)'", "concat(id)"))
                .containsExactly("7", "8");
    }

    /** Runs a statement in Hive itself, which Spark permits tests only. */
    private void hive(String statement) {
        System.setProperty("spark.testing", "true");
        try {
            HiveExternalCatalog catalog = (HiveExternalCatalog) ((org.apache.spark.sql.classic.SparkSession) spark)
                    .sharedState()
                    .externalCatalog()
                    .unwrapped();
            catalog.client().runSqlHive(statement);
        } finally {
            System.clearProperty("spark.testing");
        }
    }
}
