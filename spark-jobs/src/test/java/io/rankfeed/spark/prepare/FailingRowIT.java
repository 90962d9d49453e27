package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.job.JobFile;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.sample.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A value that fails in SQL ends the job with 3 and its file and row; a value without a row is reported as such. */
class FailingRowIT {
    @TempDir
    private Path folder;

    private Path input;

    @BeforeEach
    void input() throws IOException {
        input = Files.createDirectories(folder.resolve("in"));
        for (String file : List.of("a", "b", "c")) {
            List<String> lines = new ArrayList<>();
            for (int row = 0; row < 12; row++) {
                boolean bad = Set.of("b7", "b9", "c2").contains(file + row);
                lines.add(
                        bad
                                ? "{\"id\": %d, \"s\": \"x%d\", \"z\": 0, \"n\": 2147483647, \"d\": \"no date\", \"k\": 9}"
                                        .formatted(file.charAt(0) * 100 + row, row)
                                : "{\"id\": %d, \"s\": \"%d\", \"z\": %d, \"n\": %d, \"d\": \"2024-01-%02d\", \"k\": 1}"
                                        .formatted(file.charAt(0) * 100 + row, row, row + 1, row, row + 1));
            }
            Files.write(input.resolve(file + ".jsonl"), lines);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT id, CAST(s AS INT) AS v FROM t|CAST_INVALID_INPUT",
                "SELECT id, rf_pack(array(n), 'int8') AS v FROM t|out of the range of int8",
                "SELECT id FROM t WHERE CAST(s AS INT) >= 0|CAST_INVALID_INPUT",
                "WITH c AS (SELECT id, 1 / z AS v FROM t) SELECT a.id, a.v FROM c a JOIN c b USING (id)|DIVIDE_BY_ZERO",
                "SELECT id, row_number() OVER (ORDER BY v) AS r FROM (SELECT id, 1 / z AS v FROM t)|DIVIDE_BY_ZERO",
            })
    void failingRow_first_isNamed(String sql, String message) {
        for (String key : List.of("", "\nkey: [id]")) {
            if (key.isEmpty() && sql.matches(".*(JOIN|GROUP|OVER).*")) {
                continue;
            }
            assertThatThrownBy(() -> prepare("", "sql: \"" + sql + "\"" + key))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageStartingWith("t/b.jsonl, row 7: ")
                    .hasMessageContaining(message)
                    .satisfies(e -> assertThat(e.getMessage()).containsAnyOf("on-bad-row", "try_cast"));
            assertNothingWritten();
        }
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT id, array(1, 2, 3)[k] AS v FROM t|INVALID_ARRAY_INDEX",
                "SELECT id, n + 1 AS v FROM t|ARITHMETIC_OVERFLOW",
                "SELECT id, unix_date(to_date(d, 'yyyy-MM-dd')) AS v FROM t|CANNOT_PARSE_TIMESTAMP",
                "SELECT id, 1 / z AS v FROM t|DIVIDE_BY_ZERO",
                "SELECT id, id % z AS v FROM t|REMAINDER_BY_ZERO",
                "SELECT id, element_at(array(1, 2, 3), k) AS v FROM t|INVALID_ARRAY_INDEX_IN_ELEMENT_AT",
                "SELECT id, CAST(n * 2L AS INT) AS v FROM t|CAST_OVERFLOW",
                "SELECT id, unix_date(CAST(d AS DATE)) AS v FROM t|CAST_INVALID_INPUT",
                "SELECT id, size(map_from_arrays(array(9, k), array(1, 2))) AS v FROM t|DUPLICATED_MAP_KEY",
                "SELECT id, v FROM (SELECT id, CAST(s AS INT) AS v FROM t WHERE id > 0) WHERE v >= 0|CAST_INVALID_INPUT",
                "SELECT id, s FROM t WHERE 1 / z > 0|DIVIDE_BY_ZERO",
                "SELECT a.id, b.v FROM t a LEFT JOIN (SELECT id, CAST(s AS INT) AS v FROM t) b ON a.id = b.id|CAST_INVALID_INPUT",
                "SELECT v AS id, count(*) AS n FROM (SELECT CAST(s AS INT) AS v FROM t) GROUP BY v|CAST_INVALID_INPUT",
                "SELECT id, CASE WHEN k = 9 THEN 1 / 0 ELSE 2 END AS v FROM t|DIVIDE_BY_ZERO",
            })
    void failingRow_ofMoreQueries_isNamed(String sql, String message) {
        failingRow_first_isNamed(sql, message);
    }

    /** Row 7 has a bad value, too, but it would be left out. */
    @ParameterizedTest
    @CsvSource("quarantine")
    void failingRow_inCondition_isNamedDespiteOnBadRow(String onBadRow) {
        String condition = "CASE WHEN s = 'x9' THEN 1 / z ELSE 1 END > 0";
        assertThatThrownBy(() -> prepare(
                        "",
                        "sql: \"SELECT id, CAST(s AS INT) AS v FROM t WHERE " + condition + "\"\non-bad-row: "
                                + onBadRow))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith("t/b.jsonl, row 9: ")
                .hasMessageContaining("DIVIDE_BY_ZERO")
                .hasMessageNotContaining("CAST_INVALID_INPUT");
        assertNothingWritten();
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource("drop")
    void failingRow_inCondition_isNamedDespiteDrop(String onBadRow) {
        failingRow_inCondition_isNamedDespiteOnBadRow(onBadRow);
    }

    @Test
    void failingRow_inSourceCondition_isNamed() {
        assertThatThrownBy(() -> prepare(", where: \"CAST(s AS INT) >= 0\"", "select: {from: t}"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith("t/b.jsonl, row 7: ")
                .hasMessageContaining("'x7'");
        assertNothingWritten();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT k AS id, sum(bigint(n) * 4294967296 * 1073741824) AS v FROM t GROUP BY k|OVERFLOW",
            })
    void failingValue_ofNoRow_isReportedAsSuch(String sql, String message) {
        assertThatThrownBy(() -> prepare("", "sql: \"" + sql + "\"\nkey: [id]"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(message)
                .satisfies(e ->
                        assertThat(e.getMessage()).containsAnyOf("no address in a source", "the query's result: "));
        assertNothingWritten();
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT k AS id, CAST(max(s) AS INT) AS v FROM t GROUP BY k|CAST_INVALID_INPUT",
                "SELECT a.id FROM t a JOIN t b ON a.id = b.id AND a.n + b.n + 1 > 0|OVERFLOW",
            })
    void failingValue_ofNoRowInMoreQueries_isReportedAsSuch(String sql, String message) {
        failingValue_ofNoRow_isReportedAsSuch(sql, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT id, 1 / 0 AS v FROM t|DIVIDE_BY_ZERO",
            })
    void expression_withoutColumns_isAMistakeInTheJob(String sql, String message) {
        for (String more : List.of("", "\nquarantine-at-most: 1\non-bad-row: drop")) {
            assertThatThrownBy(() -> prepare("", "sql: \"" + sql + "\"" + more))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(message);
        }
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT id FROM (SELECT id, array(1)[3] AS v FROM t) WHERE v > id|INVALID_ARRAY_INDEX",
                "SELECT id, CAST('x' AS INT) + z AS v FROM t|CAST_INVALID_INPUT",
                "SELECT id FROM t WHERE id > 2147483647 + 1|ARITHMETIC_OVERFLOW",
            })
    void moreExpressions_withoutColumns_areMistakesInTheJob(String sql, String message) {
        expression_withoutColumns_isAMistakeInTheJob(sql, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "where: 'CAST(s AS INT) >= 0'|feed 'f', where: ",
            })
    void failingRow_inFeedCondition_isNamed(String feed, String message) {
        for (String prepare : List.of("select: {from: t}", "{sql: SELECT * FROM t, key: [id]}")) {
            String yaml = "dataset: d\nroot: '" + folder.resolve("feeds") + "'\nsources:\n  t: {jsonl: '" + input
                    + "', schema: 'id BIGINT, s STRING, z INT, n INT, d STRING, k INT'}\nprepare: "
                    + (prepare.startsWith("{") ? prepare : "{" + prepare + "}") + "\nsample: {f: {batch: 2, lanes: 1, "
                    + feed + "}}\n";
            JobContext context = JobContext.of(
                    PrepareFixture.session(),
                    JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()),
                    Progress.NONE);
            PreparedTable table = Prepare.run(context);
            assertThatThrownBy(() -> Sample.run(context, table))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining(message)
                    .satisfies(e -> assertThat(e.getMessage()).matches("t/(b.jsonl, row (7|9)|c.jsonl, row 2): .*"));
        }
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "stages: [{until: 1, where: 'array(1, 2, 3)[k] = 2'}]|feed 'f', stages[0], where: ",
                "strata: [{sql: '1 / z > 0.5', name: half}], balance: [half]|feed 'f', strata, sql: ",
                "strata: [{column: k}], stages: [{until: 1, weights: {1: 1}, order-by: 'n + 1'}]|feed 'f', stages[0], order-by: ",
            })
    void failingRow_inMoreFeedConditions_isNamed(String feed, String message) {
        failingRow_inFeedCondition_isNamed(feed, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "labels: {l: {from: t, column: 'CAST(s AS INT)'}}\\nsql: SELECT id, rf_label('l', d) AS v FROM t|prepare.labels.l.column",
                "statistics: {columns: [n], where: 'CAST(s AS INT) >= 0'}\\nselect: {from: t}|prepare.statistics.where",
            })
    void failingRow_inExpressionOfPrepare_isNamed(String section, String key) {
        assertThatThrownBy(() -> prepare("", section.replace("\\n", "\n")))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith("t/b.jsonl, row 7: ")
                .hasMessageContaining(key)
                .hasMessageContaining("'x7'");
        assertNothingWritten();
    }

    /** Random rows fail; the first is named with any split of the Parquet files. */
    @Test
    void failingRow_anyPartitions_isTheSame() {
        nameTheRows(1);
    }

    @Tag("nightly")
    @Test
    void failingRow_ofMoreTablesAndAnyPartitions_isTheSame() {
        nameTheRows(8);
    }

    private void nameTheRows(int tables) {
        Random random = new Random(11);
        for (int round = 0; round < tables; round++) {
            TreeSet<Integer> bad = new TreeSet<>();
            for (int i = 0; i <= random.nextInt(4); i++) {
                bad.add(random.nextInt(3000));
            }
            Path table = folder.resolve("table" + round);
            PrepareFixture.session()
                    .range(0, 3000, 1, 1)
                    .selectExpr(
                            "id",
                            "CASE WHEN array_contains(array(" + bad.toString().replaceAll("[\\[\\]]", "")
                                    + "), int(id)) THEN 'x' ELSE '1' END AS s")
                    .write()
                    .mode(SaveMode.Overwrite)
                    .option("parquet.block.size", 1 << 12)
                    .parquet(table.toString());
            for (String bytes : List.of("1g", "4k")) {
                PrepareFixture.session().conf().set("spark.sql.files.maxPartitionBytes", bytes);
                assertThatThrownBy(() -> PrepareFixture.prepare(
                                folder.resolve("out"), table, "sql: SELECT id, CAST(s AS INT) AS v FROM t"))
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining(", row " + bad.first() + ": ")
                        .hasMessageContaining(bad.size() == 1 ? "1 bad row (" : bad.size() + " bad rows (");
            }
            PrepareFixture.session().conf().unset("spark.sql.files.maxPartitionBytes");
        }
    }

    @Test
    void failingRows_leftOut_areCounted() {
        PreparedTable table = prepare(
                "", "sql: SELECT id, CAST(s AS INT) AS v, 1 / z AS w FROM t\nquarantine-at-most: 1\non-bad-row: drop");
        assertThat(table.manifest().badRows()).containsExactly(Map.entry("unfit-value", 3L));
        assertThat(table.manifest().rows()).isEqualTo(33);
        PreparedTable date = prepare(
                "",
                "sql: \"SELECT id, unix_date(to_date(d, 'yyyy-MM-dd')) AS v FROM t\"\nquarantine-at-most: 1\non-bad-row: drop");
        assertThat(date.manifest().badRows()).containsExactly(Map.entry("unfit-value", 3L));
        // A row behind one at which a map failed has no entry of that.
        PreparedTable maps = prepare(
                "",
                "sql: SELECT id, map_from_arrays(array(9, k), array(id, -1L))[9] AS v FROM t\nquarantine-at-most: 1\non-bad-row: drop");
        assertThat(maps.manifest().badRows()).containsExactly(Map.entry("unfit-value", 3L));
        assertThat(PrepareFixture.session()
                        .read()
                        .parquet(PrepareFixture.folder(maps).resolve("data").toString())
                        .where("v = id")
                        .count())
                .isEqualTo(33);
    }

    private PreparedTable prepare(String source, String section) {
        return PrepareFixture.prepare(
                folder.resolve("out"),
                "  t: {jsonl: '" + input + "', schema: 'id BIGINT, s STRING, z INT, n INT, d STRING, k INT'" + source
                        + "}",
                section);
    }

    private void assertNothingWritten() {
        Path out = folder.resolve("out");
        try (Stream<Path> files = Files.exists(out) ? Files.walk(out) : Stream.empty()) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
