package io.rankfeed.spark.prepare;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrepareRefusalsIT {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT id, rand() AS r FROM t|differs between runs",
                "SELECT id FROM t LIMIT 10|LIMIT",
                "SELECT id FROM t WHERE id > (SELECT max(id) FROM t TABLESAMPLE (50 PERCENT))|TABLESAMPLE",
                "SELECT label, first(id) AS f FROM t GROUP BY label|write min_by(value",
                "SELECT id FROM parquet.`FOLDER`|not a source of this job: name it under sources, which are t",
                "SELECT t.id FROM t JOIN elsewhere USING (id)|prepare.sql reads elsewhere",
                "DROP VIEW elsewhere|a query, SELECT",
                "SELECT CAST(id AS DECIMAL(10,2)) AS id FROM t|CAST(id AS STRING) AS id; or, rounded to the nearest"
                        + " double: CAST(id AS DOUBLE)",
                "SELECT id, id AS ID FROM t|duplicate column",
                "SELECT id, label AS _Member FROM t|column '_Member' has a reserved name; rename it in the job's SQL"
                        + " with AS",
                "SELECT idd FROM t|job's SQL",
                "SELECT id FROM t WHERE id < 0|gives no rows",
            })
    void sql_unusable_isRefusedWithWhatToWrite(String sql, String message) {
        Path source = PrepareFixture.table(folder.resolve("in"), 20, 1);
        PrepareFixture.session().range(3).createOrReplaceTempView("elsewhere");
        String query = sql.replace("FOLDER", source.toString());
        assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), source, "sql: \"" + query + "\""))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
        assertThat(PrepareFixture.session().catalog().tableExists("elsewhere")).isTrue();
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT id FROM t WHERE id IN (SELECT id FROM t LIMIT 5)|LIMIT",
                "SELECT id, max(id) + rand() AS s FROM t GROUP BY id|differs between runs",
                "SELECT label, first(id) OVER (PARTITION BY label) AS f FROM t|write min_by(value",
                "SELECT id, (SELECT size(collect_list(id)) FROM t) AS n, map(1, 2) AS m FROM t|to_json(m)",
                "SELECT id AS _row_id FROM t|has a reserved name",
                "SELECT max(id) AS id FROM t GROUP BY label|prepare.key is needed",
                "SELECT id, current_timestamp() AS now FROM t|differs between runs",
                "SELECT id, current_time() AS now FROM t|differs between runs",
                "SELECT id, current_user() AS me FROM t|differs between runs",
                "SELECT id, uniform(0, 9) AS r FROM t|differs between runs",
                "SELECT id, (SELECT max(current_timestamp()) FROM t) AS now FROM t|differs between runs",
                "SELECT id, concat(max(id), uuid()) AS s FROM t GROUP BY id|differs between runs",
                "SELECT label, any_value(id) AS f FROM t GROUP BY label|write min_by(value",
                "SELECT label, collect_list(id) AS f FROM t GROUP BY label|array_sort(collect_list(",
                "SELECT id FROM t WHERE id IN (SELECT id FROM parquet.`FOLDER`)|reads file:",
                "WITH c AS (SELECT id FROM elsewhere) SELECT id FROM c|prepare.sql reads elsewhere",
                "BEGIN DROP VIEW elsewhere; END|a query, SELECT",
                "EXECUTE IMMEDIATE 'DROP VIEW elsewhere'|a query, SELECT",
                "SELECT id, map(1, 2) AS m FROM t|to_json(m)",
                "SELECT id AS _checksum FROM t|has a reserved name",
                "SELECT id AS row_id FROM t|has a reserved name",
                "SELECT id AS a2345678901234567890123456789012345678901234567890123456789 FROM t|of 59 characters, at"
                        + " most 58",
                "SELEC id FROM t|SELEC",
                "SELECT id FROM nowhere|job's SQL",
            })
    void moreSql_unusable_isRefusedWithWhatToWrite(String sql, String message) {
        sql_unusable_isRefusedWithWhatToWrite(sql, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT id, array('a', 'b') AS c FROM t|{c: {dtype: int32}}|is array<string>, and a tensor has numbers",
                "SELECT id, array('a', 'b') AS c FROM t|{c: {shape: [2]}}|or [null] for a list of any length, not [2]",
                "SELECT id, array(array('a')) AS c FROM t|{}|to_json(c) AS c",
                "SELECT id, array(1, 2) AS c FROM t|{c: {dtype: binary}}|a tensor has numbers"
            })
    void tensor_notOfNumbers_isRefused(String sql, String tensors, String message) {
        Path source = PrepareFixture.table(folder.resolve("in"), 20, 1);
        String section = "sql: \"" + sql + "\"\ntensors: " + tensors;
        assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), source, section))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id % 5 = hour(current_timestamp())",
                "id IN (SELECT id FROM elsewhere)",
                "id IN (SELECT id FROM elsewhere LIMIT 1)",
                "rand() < 0.5"
            })
    void sourceCondition_beyondItsRows_isRefused(String where) {
        Path source = PrepareFixture.table(folder.resolve("in"), 20, 1);
        PrepareFixture.session().range(3).createOrReplaceTempView("elsewhere");
        String sources = "  t: {parquet: '" + source + "', where: '" + where + "'}";
        assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), sources, "select: {from: t}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("sources.t.where: ");
    }

    /** What is the same in any order of the rows is taken. */
    @Test
    void sql_deterministic_isAccepted() {
        Path source = PrepareFixture.table(folder.resolve("in"), 20, 1);
        String sql = "sql: >-\n"
                + "  WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3), c AS (SELECT"
                + " label, array_sort(collect_list(id)) AS ids, size(collect_set(note)) AS n, min_by(note, id) AS"
                + " note, avg(id) AS mean, count_if(id > 3) AS some, approx_count_distinct(id) AS d,"
                + " count(DISTINCT note) AS c, listagg(note) WITHIN GROUP (ORDER BY note) AS notes, median(id) AS"
                + " m, bool_or(label) AS b FROM t GROUP BY label) SELECT c.*, x.first FROM c JOIN (SELECT DISTINCT"
                + " label, first(id) OVER (PARTITION BY label ORDER BY id) AS first FROM t WHERE id <= (SELECT"
                + " max(id) FROM t)) x ON c.label = x.label CROSS JOIN (SELECT max(i) AS top FROM n) CROSS JOIN"
                + " (VALUES (1)) v(one)\n"
                + "key: [label]";
        assertThat(PrepareFixture.prepare(folder.resolve("out"), source, sql)
                        .manifest()
                        .rows())
                .isEqualTo(2);
    }

    @Test
    void key_duplicateOrNull_isNamed() {
        Path source = PrepareFixture.table(folder.resolve("in"), 50, 1);
        for (String from : new String[] {"t", "(SELECT * FROM t UNION ALL SELECT * FROM t)"}) {
            String sql = "sql: SELECT id % 40 AS k, note FROM " + from + "\nkey: [k]";
            assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), source, sql))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("duplicate key (")
                    .satisfies(e -> assertThat(e.getMessage().startsWith("the query's result"))
                            .isEqualTo(from.contains("UNION")));
        }
        for (String from : new String[] {"t", "t JOIN (SELECT 1 AS one)"}) {
            String sql = "sql: SELECT id % 49 AS k, note FROM " + from + "\nkey: [k]";
            assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), source, sql))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageMatching(
                            "t/part-.*parquet, row 0 and t/part-.*parquet, row 49: duplicate key \\(0\\); .*");
        }
        assertThatThrownBy(() -> PrepareFixture.prepare(
                        folder.resolve("out"), source, "sql: \"SELECT nullif(id, 7) AS k FROM t\"\nkey: [k]"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageMatching("t/part-.*parquet, row 7: key column 'k' is null; .*");
    }

    @Test
    void list_ofOtherShapeOrWithNull_isRefusedWithItsRow() {
        Path source = PrepareFixture.table(folder.resolve("in"), 50, 1);
        assertThatThrownBy(() -> PrepareFixture.prepare(
                        folder.resolve("out"), source, "select: {from: t}\ntensors: {tokens: {shape: [7]}}"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("'tokens'")
                .hasMessageContaining("[7]")
                .hasMessageContaining("row ");
        assertThatThrownBy(() -> PrepareFixture.prepare(
                        folder.resolve("out"), source, "sql: \"SELECT array(id, null) AS v FROM t\""))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("null inside the list");
    }

    @Test
    void folderOrColumn_missing_isNamed() {
        Path source = PrepareFixture.table(folder.resolve("in"), 20, 1);
        assertThatThrownBy(
                        () -> PrepareFixture.prepare(folder.resolve("out"), folder.resolve("no"), "select: {from: t}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("nothing exists at");
        assertThatThrownBy(() -> PrepareFixture.prepare(
                        folder.resolve("out"),
                        "  t: {parquet: '" + source + "', columns: [id, lable]}",
                        "select: {from: t}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean 'label'");
    }

    @Test
    void file_flippedOrCut_isDamageAndNamed() throws IOException {
        Path source = PrepareFixture.table(folder.resolve("in"), 2000, 1);
        Path file;
        try (Stream<Path> files = Files.list(source)) {
            file = files.filter(path -> path.toString().endsWith(".parquet"))
                    .findFirst()
                    .orElseThrow();
        }
        Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
        byte[] bytes = Files.readAllBytes(file);
        byte[] flipped = bytes.clone();
        flipped[bytes.length / 2] ^= 4;
        Files.write(file, flipped);
        assertDamage(source, file);
        Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 100));
        assertDamage(source, file);
        Files.write(file, new byte[0]);
        assertDamage(source, file);
    }

    private void assertDamage(Path source, Path file) {
        assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), source, "select: {from: t}"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(file.getFileName().toString());
    }

    @Test
    void table_withoutColumns_isReported() throws IOException {
        Path source = Files.createDirectories(folder.resolve("in"));
        // Two rows of nothing, as pyarrow writes them.
        Files.write(
                source.resolve("a.parquet"),
                Base64.getDecoder()
                        .decode(
                                "UEFSMRUEGRw1ABgGc2NoZW1hFQAAFgAZHBkMFgAWACYAFgAAKCBwYXJxdWV0LWNwcC1hcnJvdyB2ZXJzaW9uIDI2LjAuMRkMAEUAAABQQVIx"));
        assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), source, "select: {from: t}"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageEndingWith("cannot be read: it has no columns, or not all of them");
    }

    @Test
    void line_notJson_isNamedByFileAndLine() throws IOException {
        Path lines = Files.createDirectories(folder.resolve("lines")).resolve("a.jsonl");
        Files.writeString(lines, "{\"a\": 1, \"b\": [1, 2]}\n\n{\"a\": 2, \"b\": [3]}\n", StandardCharsets.UTF_8);
        String source = "  t: {jsonl: '" + lines.getParent() + "'}";
        PrepareFixture.prepare(folder.resolve("out"), source, "select: {from: t}");
        Files.writeString(lines, "{\"a\": 1, \"b\": [1, 2]}\n\n{\"a\": oops}\n", StandardCharsets.UTF_8);
        assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), source, "select: {from: t}"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("a.jsonl:3")
                .hasMessageContaining("not JSON");
        Files.writeString(lines, "{\"a\": 1e400}\n", StandardCharsets.UTF_8);
        String doubles = "  t: {jsonl: '" + lines.getParent() + "', schema: 'a DOUBLE'}";
        assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), doubles, "select: {from: t}"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("'a' is 1e400, no double");
    }

    @Test
    void json_ignoredByInference_isRefused() throws IOException {
        Path lines = Files.createDirectories(folder.resolve("lines")).resolve("a.jsonl");
        String source = "  t: {jsonl: '" + lines.getParent() + "'}";
        Files.writeString(lines, "{\"a\": 1}\n{\"a\": 2, \"a\": 3}\n");
        assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), source, "select: {from: t}"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("a.jsonl:2: is not JSON: Duplicate field 'a'");
        Files.writeString(lines, "{\"a\": 1}\n{\"a\": 2, \"b\": [{\"\": 3}]}\n");
        assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), source, "select: {from: t}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a.jsonl:2: has an empty key");
        Files.writeString(
                lines,
                "{\"m\": {"
                        + IntStream.range(0, 4096)
                                .mapToObj(i -> "\"k" + i + "\": 1")
                                .collect(joining(",")) + "}}");
        assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), source, "select: {from: t}"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("sources.t: its lines have 4097 different keys, more than 4096 columns; write schema: with"
                        + " those to read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"DATE", "TIMESTAMP", "DECIMAL(9,2)", "MAP<STRING, INT>", "ARRAY<STRUCT<x: DATE>>"})
    void type_notReadFromJson_isAMistakeInTheJob(String type) throws IOException {
        Path lines = Files.createDirectories(folder.resolve("lines")).resolve("a.jsonl");
        Files.writeString(lines, "{\"a\": \"2024-01-01\"}\n", StandardCharsets.UTF_8);
        String sources = "  t: {jsonl: '" + lines.getParent() + "', schema: 'a " + type + "'}";
        assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), sources, "select: {from: t}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("take STRING, which has the value as written");
    }
}
