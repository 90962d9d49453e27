package io.rankfeed.spark.source.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.prepare.PrepareFixture;
import io.rankfeed.spark.run.PreparedTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TimeZone;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs over ORC and text; what other libraries write is compared in test_formats.py. */
class FormatsIT extends FormatJob {
    private static final String ORC_COLUMNS = "id; cast(id % 7 AS int) AS label; array(id, -id) AS list;"
            + " named_struct('x', id / 2.0D) AS struct; concat('t', id) AS text";
    private static final String CLOCKS = "id; timestamp_micros(id) AS at; array(timestamp_micros(id)) AS times";

    @Test
    void orc_isReadWithTheValuesOfItsFolders() {
        orc(1, ORC_COLUMNS);
        orc(2, ORC_COLUMNS);
        PreparedTable table = prepare(
                "orc: '" + folder.resolve("in") + "', partitions: {day: int}",
                "sql: SELECT id + day * 100 AS id, label, list[1] AS l, struct.x AS x, text, day FROM t\nkey: [id]");
        List<Row> rows = rows(table);
        assertThat(rows).hasSize(20);
        for (Row row : rows) {
            long id = row.<Long>getAs("id") % 100;
            assertThat(row.<Long>getAs("id") / 100)
                    .isEqualTo(row.<Integer>getAs("day").longValue());
            assertThat(row.<Long>getAs("l")).isEqualTo(-id);
            assertThat(row.<Double>getAs("x")).isEqualTo(id / 2.0);
            assertThat(row.<String>getAs("text")).isEqualTo("t" + id);
        }
    }

    @Test
    void orc_withoutKey_isRefused() {
        orc(1, "id");
        assertRefused("orc: '" + folder.resolve("in") + "'", "select: {from: t}", ConfigException.class, "key");
    }

    /** The statistics of ORC take 0.0 and -0.0 for two numbers, Spark for one. */
    @Test
    void conditionOnZero_ofOrc_readsBothZeros() {
        orc(1, "id; CASE WHEN id < 5 THEN -0.0D ELSE -1.0D END AS d");
        String source = "orc: '" + folder.resolve("in") + "', where: 'd = 0'";
        assertThat(prepare(source, "select: {from: t}\nkey: [id]").manifest().rows())
                .isEqualTo(5);
    }

    @Test
    void orcColumns_unread_mayDiffer() {
        orc(1, "id; cast(id AS int) AS code");
        orc(2, "id + 10 AS id; id AS code; id AS score");
        String source = "orc: '" + folder.resolve("in") + "'";
        assertThat(prepare(source, "sql: SELECT id FROM t\nkey: [id]")
                        .manifest()
                        .rows())
                .isEqualTo(20);
        PreparedTable table = prepare(source, "sql: SELECT id, score FROM t\nkey: [id]");
        assertThat(rows(table))
                .filteredOn(row -> row.isNullAt(row.fieldIndex("score")))
                .hasSize(10);
        assertRefused(
                source,
                "sql: SELECT id, code FROM t\nkey: [id]",
                ConfigException.class,
                "'code'",
                "int",
                "bigint",
                "day=1");
    }

    /** Spark reads each field as the last one of its name. */
    @Test
    void orcFields_differingInCase_areRefused() {
        SparkSession sensitive = PrepareFixture.session().newSession();
        sensitive.conf().set("spark.sql.caseSensitive", "true");
        sensitive
                .range(3)
                .selectExpr("id", "named_struct('a', id, 'A', -id) AS s")
                .write()
                .orc(folder.resolve("in").toString());
        String source = "orc: '" + folder.resolve("in") + "'";
        assertRefused(
                source,
                "sql: SELECT id, to_json(s) AS s FROM t\nkey: [id]",
                ConfigException.class,
                "sources.t: column 's' is STRUCT<a: BIGINT, A: BIGINT>, in which names differ only in case");
        assertThat(prepare(source + ", columns: [id]", "select: {from: t}\nkey: [id]")
                        .manifest()
                        .rows())
                .isEqualTo(3);
    }

    @Test
    void orcTimestamps_inOtherTimeZone_areRefused() {
        orc(1, CLOCKS);
        assertRefusedOutsideUtc("orc: '" + folder.resolve("in") + "'");
    }

    @Tag("nightly")
    @Test
    void timestampsOfTables_inOtherTimeZone_areRefused() {
        PrepareFixture.session().sql("CREATE DATABASE IF NOT EXISTS zones");
        PrepareFixture.session().sql("DROP TABLE IF EXISTS zones.clocks");
        PrepareFixture.session()
                .range(3)
                .selectExpr(CLOCKS.split("; ?"))
                .write()
                .format("orc")
                .saveAsTable("zones.clocks");
        PrepareFixture.session().sql("DROP TABLE IF EXISTS zones.lines");
        PrepareFixture.session()
                .sql("CREATE TABLE zones.lines STORED AS TEXTFILE AS"
                        + " SELECT *, named_struct('TIMESTAMP', id) AS named FROM zones.clocks");
        PrepareFixture.session().sql("DROP TABLE IF EXISTS zones.days");
        PrepareFixture.session()
                .sql("CREATE TABLE zones.days (id BIGINT) PARTITIONED BY (day TIMESTAMP) STORED AS TEXTFILE");
        PrepareFixture.session()
                .sql("INSERT INTO zones.days PARTITION (day = TIMESTAMP'1970-01-02 00:00:00') VALUES (1)");
        assertRefusedOutsideUtc("hive: zones.clocks", "hive: zones.lines");
        inZurich(() -> {
            assertThat(rows(prepare(
                            "hive: zones.lines, columns: [id, named]",
                            "sql: SELECT id, named.`TIMESTAMP` AS x FROM t\nkey: [id]")))
                    .hasSize(3);
            assertThat(rows(prepare("hive: zones.days", "sql: SELECT id, unix_micros(day) AS at FROM t\nkey: [id]")))
                    .allSatisfy(row -> assertThat(row.<Long>getAs("at")).isEqualTo(86_400_000_000L));
        });
    }

    /** Asserts that the times of {@link #CLOCKS} are refused in another time zone, and read in UTC. */
    private void assertRefusedOutsideUtc(String... sources) {
        inZurich(() -> {
            for (String source : sources) {
                assertRefused(
                        source,
                        "sql: SELECT id FROM t\nkey: [id]",
                        ConfigException.class,
                        "sources.t: column 'at' has timestamps",
                        "Europe/Zurich",
                        "-Duser.timezone=UTC");
                assertRefused(
                        source + ", columns: [id, times]",
                        "select: {from: t}\nkey: [id]",
                        ConfigException.class,
                        "column 'times' has timestamps");
                assertRefused(
                        source + ", columns: [id], where: 'at IS NOT NULL'",
                        "select: {from: t}\nkey: [id]",
                        ConfigException.class,
                        "column 'at' has timestamps");
                assertThat(prepare(source + ", columns: [id]", "select: {from: t}\nkey: [id]")
                                .manifest()
                                .rows())
                        .isPositive();
            }
        });
        for (String source : sources) {
            PreparedTable table = prepare(source, "sql: SELECT id, unix_micros(at) AS at FROM t\nkey: [id]");
            assertThat(rows(table))
                    .allSatisfy(row -> assertThat(row.<Long>getAs("at")).isEqualTo(row.<Long>getAs("id")));
        }
    }

    private static void inZurich(Runnable test) {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("Europe/Zurich"));
        try {
            test.run();
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @Test
    void orcOfOldHive_nextToOthers_isRefused() {
        orc(1, "id AS _col0; cast(id AS int) AS _col1");
        String source = "orc: '" + folder.resolve("in") + "'";
        assertThat(rows(prepare(source, "sql: SELECT _col0 AS id FROM t\nkey: [id]")))
                .extracting(row -> row.<Long>getAs("id"))
                .containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        orc(2, "id; cast(id AS int) AS code");
        assertRefused(
                source,
                "sql: SELECT id FROM t\nkey: [id]",
                ConfigException.class,
                "day=1",
                "has the columns [_col0, _col1], whose names Spark does not read",
                "make it a source of its own");
    }

    @Test
    void orc_cutOff_isDamage() throws IOException {
        orc(1, ORC_COLUMNS);
        Path file;
        try (var files = Files.list(folder.resolve("in/day=1"))) {
            file = files.filter(name -> name.toString().endsWith(".orc"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(file);
        for (int length : new int[] {0, 3, bytes.length / 2, bytes.length - 1}) {
            Files.write(file, Arrays.copyOf(bytes, length));
            assertRefused(
                    "orc: '" + folder.resolve("in") + "'",
                    "sql: SELECT * FROM t\nkey: [id]",
                    CorruptDataException.class,
                    file.getFileName().toString());
        }
    }

    @Test
    void folders_addingNoColumns_areReported() throws IOException {
        write("in/day=1/a.jsonl", "{\"a\": 1}\n");
        write("in/day=1/a.txt", "a\n");
        for (String kind : List.of("jsonl", "text")) {
            String source = kind + ": '" + folder.resolve("in") + "'";
            assertThat(context(source, "select: {from: t}").openSources().messages())
                    .singleElement()
                    .asString()
                    .startsWith("source t: folders such as 'day=1' add no columns to JSON lines and text");
        }
    }

    @Test
    void text_hasARowPerLine() throws IOException {
        write("in/a.txt", "first\n\n third, \"x\"\r\nlast");
        write("in/b.txt.gz", "zipped\n");
        write("in/c.md", "no text by its name\n");
        PreparedTable table = prepare("text: '" + folder.resolve("in") + "'", "select: {from: t}");
        assertThat(rows(table).stream().map(row -> row.getString(0)))
                .containsExactlyInAnyOrder("first", "", " third, \"x\"", "last", "zipped");
    }

    private void orc(int day, String columns) {
        PrepareFixture.session()
                .range(0, 10, 1, 1)
                .selectExpr(columns.split("; ?"))
                .write()
                .orc(folder.resolve("in/day=" + day).toString());
    }
}
