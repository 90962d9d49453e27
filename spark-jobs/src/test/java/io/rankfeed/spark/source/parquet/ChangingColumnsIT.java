package io.rankfeed.spark.source.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.job.JobFile;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.prepare.PrepareFixture;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.run.SharedTables;
import io.rankfeed.spark.source.Sources;
import io.rankfeed.spark.source.open.FileColumns;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A daily table whose columns change: day 2 has a score and another type of code, day 3 lacks the note; ids are never null. */
class ChangingColumnsIT {
    @TempDir
    Path folder;

    private Path table;

    @BeforeEach
    void write() {
        table = SharedTables.put("changing columns", folder.resolve("table"), to -> {
            String note = "nullif(cast(id AS string), '') AS note";
            day(to, 1, "id; id % 7 AS label; cast(id AS int) AS code; " + note);
            day(to, 2, "id + 10 AS id; id % 7 AS label; id AS code; id / 4.0D AS score; " + note);
            day(to, 3, "id + 20 AS id; id % 7 AS label; id AS code; id / 4.0D AS score; struct(id AS a) AS more");
        });
    }

    private static void day(Path table, int day, String columns) {
        PrepareFixture.session()
                .range(0, 10, 1, 1)
                .selectExpr(columns.split("; "))
                .write()
                .parquet(table.resolve("day=" + day).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = "fail")
    void unusedColumn_isIgnored(String onBadRow) {
        PreparedTable prepared = prepare("sql: SELECT id, label, day FROM t\nkey: [id]\non-bad-row: " + onBadRow);

        assertThat(prepared.manifest().rows()).isEqualTo(30);
        assertThat(prepared.manifest().badRows()).isEmpty();
        assertThat(values(prepared, "id"))
                .containsExactlyInAnyOrderElementsOf(
                        PrepareFixture.session().range(30).toDF("id").collectAsList().stream()
                                .map(row -> row.get(0))
                                .toList());
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(strings = {"drop", "quarantine"})
    void unusedColumn_withOtherOnBadRow_isIgnored(String onBadRow) {
        unusedColumn_isIgnored(onBadRow);
    }

    @Test
    void column_missingInAFile_isNullInItsRows() {
        PreparedTable prepared = prepare("sql: SELECT id, note, score FROM t\nkey: [id]");

        for (Row row : rows(prepared)) {
            long id = row.getAs("id");
            assertThat(row.<String>getAs("note")).isEqualTo(id < 20 ? Long.toString(id % 10) : null);
            assertThat(row.<Double>getAs("score")).isEqualTo(id < 10 ? null : Double.valueOf(id % 10 / 4.0));
        }
        assertThat(messages("SELECT id, note, score FROM t"))
                .allMatch(FileColumns::isMissing)
                .satisfiesExactly(
                        note -> assertThat(note)
                                .matches(
                                        "sources.t: column 'note' is null in 10 rows of 1 of 3 files, which do not have it: "
                                                + "day=3/.*parquet"),
                        score -> assertThat(score)
                                .contains("column 'score' is null in 10 rows of 1 of 3 files")
                                .contains(": day=1/"));
    }

    /** Wherever in a query the column is: Spark leaves out what it does not need. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id, score FROM t",
                "SELECT id, (SELECT max(score) FROM t) AS m FROM t",
                "SELECT id FROM t WHERE id IN (SELECT cast(score AS bigint) FROM t)",
                "WITH s AS (SELECT * FROM t) SELECT a.id, b.score FROM s a JOIN s b ON a.id = b.id",
            })
    void column_anywhereInTheQuery_isRead(String query) {
        assertThat(messages(query)).singleElement().asString().contains("column 'score'");
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id FROM t WHERE score > 1",
                "SELECT id, label AS x FROM t UNION ALL SELECT id, score FROM t",
                "SELECT count(score) AS n, label FROM t GROUP BY label",
                "SELECT id, rank() OVER (PARTITION BY label ORDER BY score) AS r FROM t",
            })
    void column_anywhereInMoreQueries_isRead(String query) {
        column_anywhereInTheQuery_isRead(query);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id, label FROM (SELECT *, code + 1 AS c FROM t)",
                "SELECT count(*) AS n, label FROM t GROUP BY label",
                "WITH s AS (SELECT * FROM t) SELECT id FROM s WHERE day = '1'"
            })
    void column_notNeeded_isNotRead(String query) {
        assertThat(messages(query)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = "fail")
    void column_ofTwoTypes_namesBothFiles(String onBadRow) {
        assertThatThrownBy(() -> prepare("sql: SELECT id, code FROM t\nkey: [id]\non-bad-row: " + onBadRow))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("sources.t: column 'code' is ")
                .hasMessageContaining("int64 code in file:" + table + "/day=2/")
                .hasMessageContaining("int32 code in file:" + table + "/day=1/");
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(strings = "quarantine")
    void columnOfTwoTypes_withQuarantine_namesBothFiles(String onBadRow) {
        column_ofTwoTypes_namesBothFiles(onBadRow);
    }

    @Test
    void requiredColumn_missing_namesTheFile() {
        day(table, 4, "id % 7 AS label");
        assertThatThrownBy(() -> prepare("sql: SELECT id, label FROM t\nkey: [id]"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("sources.t: column 'id' is missing in file:" + table + "/day=4/")
                .hasMessageContaining("and required in file:" + table + "/day=1/");
        assertThat(prepare("sql: SELECT label, count(*) AS n FROM t GROUP BY label\nkey: [label]")
                        .manifest()
                        .rows())
                .isEqualTo(7);
    }

    /** A column is required in the files of one day and may be null in those of another. */
    @Test
    void nullability_isNotPartOfTheType() {
        day(table, 5, "if(id < 5, id + 40, null) AS id; id % 7 AS label");

        PreparedTable prepared = prepare("sql: SELECT id, label FROM t WHERE id IS NOT NULL\nkey: [id]");

        assertThat(prepared.manifest().rows()).isEqualTo(35);
    }

    @Test
    void columnThatCannotStayInPlace_isRefusedWithWhatToDo() {
        Path other = folder.resolve("other");
        day(other, 0, "id; id % 7 AS label; map(id, 1) AS codes; array(array(id)) AS nested");
        assertThatThrownBy(() -> prepareInPlace(other, "id, codes", ""))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("column 'codes' is map<bigint,int>")
                .hasMessageContaining(
                        "; rows in place have no SQL: name the other columns under columns: of the source");
        assertThatThrownBy(() -> prepareInPlace(other, "id, nested", ""))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("prepare.tensors.nested.shape")
                .hasMessageNotContaining("SQL");

        day(
                other,
                1,
                "if(id < 5, id + 40, null) AS id; id % 7 AS label; map(id, 1) AS codes; array(array(id)) AS nested");
        assertThatThrownBy(() -> prepareInPlace(other, "id, label", ""))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("required in all files or in none: name the other columns");
        assertThat(prepareInPlace(other, "label, nested", ", tensors: {nested: {shape: [1, 1]}}")
                        .manifest()
                        .rows())
                .isEqualTo(20);
    }

    private PreparedTable prepareInPlace(Path source, String columns, String more) {
        String sources = "  t: {parquet: '" + source + "', columns: [" + columns + "]}";
        return PrepareFixture.prepare(folder.resolve("out"), sources, "{rewrite: none" + more + "}");
    }

    @Test
    void rowsInPlace_ofDifferentColumns_areRefused() {
        assertThatThrownBy(() -> prepare("rewrite: none"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("column 'code' is ")
                .hasMessageContaining("leave it out of the query");

        PreparedTable prepared = PrepareFixture.prepare(
                folder.resolve("out"), "  t: {parquet: '" + table + "', columns: [id, label]}", "rewrite: none");

        assertThat(prepared.manifest().rows()).isEqualTo(30);
    }

    private PreparedTable prepare(String section) {
        return PrepareFixture.prepare(folder.resolve("out"), table, section);
    }

    private List<String> messages(String query) {
        SparkSession spark = PrepareFixture.session();
        String yaml = "dataset: d\nroot: '" + folder.resolve("out") + "'\nsources:\n  t: {parquet: '" + table
                + "'}\nprepare:\n  select: {from: t}\n";
        Sources sources = JobContext.of(
                        spark,
                        JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()),
                        Progress.NONE)
                .openSources();
        return sources.missingColumns(spark.sql(query));
    }

    private static List<Object> values(PreparedTable prepared, String column) {
        return rows(prepared).stream().map(row -> row.<Object>getAs(column)).toList();
    }

    private static List<Row> rows(PreparedTable prepared) {
        return PrepareFixture.session()
                .read()
                .parquet(PrepareFixture.folder(prepared).resolve("data").toString())
                .collectAsList();
    }
}
