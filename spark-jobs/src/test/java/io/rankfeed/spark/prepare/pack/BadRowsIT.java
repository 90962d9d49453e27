package io.rankfeed.spark.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.prepare.PrepareFixture;
import io.rankfeed.spark.prepare.query.RowCounts;
import io.rankfeed.spark.run.PreparedTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BadRowsIT {
    private static final String QUERY =
            "SELECT id, cast(text AS INT) AS number, CASE WHEN id = 30 THEN double('NaN') ELSE x END AS x,"
                    + " rf_pack(list, 'int8') AS list, CASE WHEN id = 70 THEN raise_error('seventy') ELSE 1 END AS one"
                    + " FROM t WHERE coalesce(id, -1) != 90";

    @TempDir
    private Path folder;

    /** 100 rows with their ids, of which some have each a fault of another kind, and two lines that are no rows. */
    @BeforeEach
    void input() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int id = 0; id < 100; id++) {
            String text = id == 10 ? "ten" : id == 90 ? "ninety" : Integer.toString(id);
            String x = id == 20 ? "null" : "1.5";
            String list = id == 40 ? "[1, 300]" : "[1, 2]";
            String key = id == 50 ? "null" : Integer.toString(id == 61 || id == 62 ? 60 : id);
            lines.add("{\"id\": " + key + ", \"text\": \"" + text + "\", \"x\": " + x + ", \"list\": " + list + "}");
        }
        lines.add(5, "{\"id\": 5");
        lines.add(80, "[\"no object\"]");
        Files.write(folder.resolve("t.jsonl"), lines);
    }

    @Test
    void badRows_moreThanPermitted_endTheJobWithoutFiles() {
        String sql = "SELECT id, IF(id = 7, raise_error('seven'), text) AS text FROM t WHERE id IS NOT NULL";
        assertThatThrownBy(() -> prepare(sql, "on-bad-row: drop"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("t.jsonl:6: ")
                .hasMessageContaining("3 of 101 rows are bad (malformed-line 2, raised 1), more")
                .hasMessageContaining("than the share of 0.01 that the job permits");
        assertThat(folder.resolve("out/prepared"))
                .satisfiesAnyOf(none -> assertThat(none).doesNotExist(), empty -> assertThat(empty)
                        .isDirectoryNotContaining("glob:**/*[0-9a-f]"));

        PreparedTable table = prepare(sql, "quarantine-at-most: 0.031\non-bad-row: drop");
        assertThat(table.manifest().badRows()).containsOnlyKeys("malformed-line", "raised");
        assertThatThrownBy(() -> prepare(sql, "on-bad-row: drop"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("than the share of 0.01 that the job permits");
    }

    @Test
    void badRows_areCountedByReasonAndKept() {
        for (String key : List.of("key: [id]", "")) {
            boolean keyed = !key.isEmpty();
            PreparedTable table =
                    prepare(QUERY, "quarantine-at-most: 1\non-bad-row: quarantine\nnon-finite: refuse\n" + key);
            Map<String, Long> bad = table.manifest().badRows();
            assertThat(bad)
                    .containsEntry("unfit-value", 1L)
                    .containsEntry("non-finite", 1L)
                    .containsEntry("unfit-tensor", 1L)
                    .containsEntry("raised", 1L)
                    .containsEntry("malformed-line", 2L)
                    .hasSize(keyed ? 7 : 5);
            assertThat(bad.get("duplicate-key")).isEqualTo(keyed ? 2L : null);
            assertThat(bad.get("null-key")).isEqualTo(keyed ? 1L : null);
            assertThat(table.manifest().rows()).isEqualTo(keyed ? 92 : 95);
            assertThat(read(table, "data")).hasSize(keyed ? 92 : 95);
            List<Row> kept = read(table, "quarantine");
            assertThat(kept).hasSize(keyed ? 9 : 6);
            assertThat(kept).allMatch(row -> row.getAs("source").equals("t/t.jsonl"));
            Row cast = one(kept, "unfit-value");
            assertThat(cast.<Long>getAs("source_row")).isEqualTo(11);
            assertThat(cast.<String>getAs("message")).contains("'ten'");
            assertThat(cast.<String>getAs("content"))
                    .contains("\"text\":\"ten\"")
                    .contains("\"id\":10");
            assertThat(kept)
                    .filteredOn(row -> row.getAs("reason").equals("malformed-line"))
                    .extracting(row -> row.<String>getAs("content"))
                    .containsExactly("{\"id\": 5", "[\"no object\"]");
        }
    }

    @Tag("nightly")
    @Test
    void badRows_anyPartitions_giveTheSameBytes() {
        String sql = "SELECT t.id % 20 AS k, t.x, cast(t.text AS INT) AS number, t.id FROM t"
                + " JOIN (SELECT DISTINCT id % 20 AS k FROM t) u ON t.id % 20 = u.k";
        PreparedTable one = prepare(sql, "quarantine-at-most: 1\non-bad-row: quarantine\nkey: [k]");
        assertThat(one.manifest().badRows()).containsKeys("duplicate-key", "unfit-value");
        SparkSession spark = PrepareFixture.session();
        spark.conf().set("spark.sql.shuffle.partitions", "7");
        PreparedTable other = PrepareFixture.prepare(
                folder.resolve("again"),
                source(),
                "sql: \"" + sql + "\"\nquarantine-at-most: 1\non-bad-row: quarantine\nkey: [k]");
        spark.conf().set("spark.sql.shuffle.partitions", "3");
        assertThat(other.manifestSha256()).isEqualTo(one.manifestSha256());
        // The first of each key by its place in the source.
        assertThat(read(one, "data"))
                .filteredOn(row -> row.<Long>getAs("k") == 3)
                .extracting(row -> row.<Long>getAs("id"))
                .containsExactly(3L);
    }

    @Test
    void badRows_dropped_areOnlyCounted() throws IOException {
        Files.createDirectories(folder.resolve("files"));
        Files.writeString(folder.resolve("files/a.png"), "no image");
        Files.writeString(folder.resolve("files/b.png"), "nor this");
        PreparedTable table = PrepareFixture.prepare(
                folder.resolve("out"),
                "  files: {binary: '" + folder.resolve("files") + "'}",
                "sql: SELECT path, p.ok, CASE WHEN path = 'a.png' THEN p.image END AS image FROM (SELECT path,"
                        + " struct(1 AS ok, CASE WHEN path = 'a.png' THEN rf_image(content) END AS image) AS p FROM"
                        + " files)\nquarantine-at-most: 1\non-bad-row: drop");
        assertThat(table.manifest().badRows()).containsExactly(Map.entry("image-broken", 1L));
        assertThat(table.manifest().rows()).isOne();
        assertThat(table.manifest().files())
                .noneMatch(file -> file.path().value().startsWith("quarantine"));
    }

    @Test
    void badRow_withoutOnBadRow_endsTheJobAndIsNamed() {
        assertThatThrownBy(() -> prepare("SELECT id FROM t", ""))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("t.jsonl:6: is not JSON");
        assertThatThrownBy(() -> prepare(
                        "SELECT id, (SELECT max(id) FROM t) + cast(text AS INT) AS m FROM t",
                        "quarantine-at-most: 1\non-bad-row: drop"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a subquery");
    }

    @Test
    void line_withValueOfOtherType_isDrift() throws IOException {
        Files.write(
                folder.resolve("t.jsonl"),
                List.of("{\"id\": 1, \"x\": 1.5}", "{\"id\": \"two\", \"x\": 2.5}", "{\"id\": 3, \"x\": [3]}"));
        PreparedTable lines = prepare("SELECT id, x FROM t", "quarantine-at-most: 1\non-bad-row: quarantine");
        assertThat(lines.manifest().badRows()).containsExactly(Map.entry("schema-drift", 2L));
        assertThat(read(lines, "quarantine"))
                .extracting(row -> row.<String>getAs("content"))
                .containsExactly("{\"id\": \"two\", \"x\": 2.5}", "{\"id\": 3, \"x\": [3]}");
        assertThat(read(lines, "quarantine").get(0).<String>getAs("message"))
                .contains("t.jsonl:2")
                .contains("'id' is \"two\", no bigint");
        assertThatThrownBy(() -> prepare("SELECT id, x FROM t", ""))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("t.jsonl:2: 'id' is \"two\"");
    }

    private String source() {
        return "  t: {jsonl: '" + folder.resolve("t.jsonl")
                + "', schema: 'id LONG, text STRING, x DOUBLE, list ARRAY<INT>'}";
    }

    /** The table, whose rows a dry run has counted before. */
    private PreparedTable prepare(String sql, String more) {
        String section = "sql: \"" + sql + "\"\n" + more;
        RowCounts counted =
                PrepareFixture.preview(folder.resolve("dry"), source(), section).counts();
        PreparedTable table = PrepareFixture.prepare(folder.resolve("out"), source(), section);
        assertThat(counted).isEqualTo(RowCounts.of(table.manifest()));
        return table;
    }

    private static Row one(List<Row> rows, String reason) {
        return rows.stream()
                .filter(row -> row.getAs("reason").equals(reason))
                .findFirst()
                .orElseThrow();
    }

    private static List<Row> read(PreparedTable table, String what) {
        return PrepareFixture.session()
                .read()
                .parquet(PrepareFixture.folder(table).resolve(what).toString())
                .orderBy("_metadata.file_path", "_metadata.row_index")
                .collectAsList();
    }
}
