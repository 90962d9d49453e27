package io.rankfeed.spark.source.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.spark.prepare.PrepareFixture;
import io.rankfeed.spark.run.PreparedTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys that differ only in case would be one column of Spark, with only one of the values. */
class JsonKeysIT {
    @TempDir
    private Path folder;

    private Path input;

    @BeforeEach
    void folder() throws IOException {
        input = Files.createDirectories(folder.resolve("in"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{`a`: 1}|{`A`: 2}|b.jsonl:3: has the key 'A', and |a.jsonl:2 has 'a'; ",
                "{`o`: {`l`: [{`s`: {`b`: 0, `naïve`: 1}}]}}|{`o`: {`l`: [{`s`: {`NAÏVE`: 2}}]}}|b.jsonl:3: has the key 'o.l.s.NAÏVE', and |a.jsonl:2 has 'o.l.s.naïve'; ",
            })
    void keys_differingInCase_areRefusedWithBothLines(String first, String second, String one, String other)
            throws IOException {
        write(first, second);
        for (String word : List.of("fail", "quarantine", "drop")) {
            assertRefused(CorruptDataException.class, "", "\non-bad-row: " + word)
                    .hasMessageContaining(input + "/" + one)
                    .hasMessageContaining(input + "/" + other.strip());
        }
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{`l`: [{`a`: 1}]}|{`l`: [{}, {`A`: 2}]}|b.jsonl:3: has the key 'l.A', and |a.jsonl:2 has 'l.a'; ",
                "{`a`: 1, `A`: 2}|{`b`: 2}|a.jsonl:2: has the key 'a', and |a.jsonl:2 has 'A'; ",
                "{`s`: {`a`: 1}}|{`s`: {`A`: 2}}|b.jsonl:3: has the key 's.A', and |a.jsonl:2 has 's.a'; ",
                "{`l`: [[{`a`: 1}, {`A`: 2}]]}|{}|a.jsonl:2: has the key 'l.a', and |a.jsonl:2 has 'l.A'; ",
            })
    void moreKeys_differingInCase_areRefusedWithBothLines(String first, String second, String one, String other)
            throws IOException {
        keys_differingInCase_areRefusedWithBothLines(first, second, one, other);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "l ARRAY<STRUCT<a: INT>>|{`l`: [{`a`: 1}]}|{`l`: [{`a`: 1}, {`A`: 2}]}|b.jsonl:3: has the key 'l.A', and the source's schema has 'l.a'",
                "k INT|{`\u212a`: 1}|{`k`: 2}|a.jsonl:2: has the key '\u212a', and the source's schema has 'k'",
            })
    void key_differingFromDeclaredInCase_isDriftOrRefused(String schema, String first, String second, String message)
            throws IOException {
        write(first, second);
        assertRefused(CorruptDataException.class, ", schema: '" + schema + "'", "")
                .hasMessageContaining(message);
        // Like a value of another type: counted where the job accepts bad rows.
        PreparedTable table = prepare(
                ", schema: '" + schema + "', line: line", "\nquarantine-at-most: 1\non-bad-row: quarantine", "line");
        assertThat(table.manifest().badRows()).containsExactly(Map.entry("schema-drift", 1L));
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a INT|{`a`: 1}|{`A`: 2}|b.jsonl:3: has the key 'A', and the source's schema has 'a'",
                "a INT|{`a`: 1, `A`: 2}|{`a`: 2}|a.jsonl:2: has the key 'A', and the source's schema has 'a'",
                "s STRUCT<a: INT>|{`s`: {`a`: 1}}|{`s`: {`A`: 2}}|b.jsonl:3: has the key 's.A', and the source's schema has 's.a'",
                "aB INT|{`ab`: 1}|{`aB`: 2}|a.jsonl:2: has the key 'ab', and the source's schema has 'aB'",
            })
    void moreKeys_differingFromDeclaredInCase_areRefused(String schema, String first, String second, String message)
            throws IOException {
        key_differingFromDeclaredInCase_isDriftOrRefused(schema, first, second, message);
    }

    @Test
    void otherKeys_withSchema_areIgnored() throws IOException {
        write("{\"a\": 1, \"x\": 5, \"X\": 6, \"n\": {\"b\": 1, \"B\": 2}}", "{\"a\": 2, \"X\": 5}");
        PreparedTable table = prepare(", schema: 'a INT, n STRING'", "", "a, n");
        assertThat(table.manifest().rows()).isEqualTo(4);
        assertThat(rows(table)).extracting(row -> row.<Object>getAs("n")).contains("{\"b\":1,\"B\":2}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a INT, A INT|'a' and 'A'",
                "a INT, a INT|'a' and 'a'",
                "s STRUCT<x: INT, X: INT>|'s.x' and 's.X'",
                "b INT, l ARRAY<ARRAY<STRUCT<o: STRUCT<Key: INT, kEY: INT>>>>|'l.o.Key' and 'l.o.kEY'"
            })
    void schema_withKeysDifferingInCase_isAMistakeInTheJob(String schema, String names) throws IOException {
        write("{\"a\": 1}", "{\"a\": 2}");
        assertRefused(ConfigException.class, ", schema: '" + schema + "'", "")
                .hasMessageContaining("sources.t.schema: columns " + names);
    }

    @Test
    void metadata_hidingAColumnOfTheLines_isRefused() throws IOException {
        Path lines = Files.writeString(input.resolve("a.jsonl"), "{\"label\": 1}\n{\"label\": 2}\n");
        for (String[] bad : new String[][] {
            {"{\"Label\": 7}, {\"Label\": 8}", "'Label'", "'label'"},
            {"{\"x\": 7, \"X\": 1}, {}", "'x'", "'X'", "metadata[0]"},
            {"{\"x\": 7}, {\"X\": 8}", "'x'", "'X'", "metadata[0]", "metadata[1]"},
        }) {
            Path metadata = Files.writeString(folder.resolve("m.json"), "{\"metadata\": [" + bad[0] + "]}");
            for (String schema : List.of("", ", schema: 'label INT'")) {
                assertThatThrownBy(() -> PrepareFixture.prepare(
                                folder.resolve("out"),
                                "  t: {jsonl: '" + lines + "', metadata: '" + metadata + "'" + schema + "}",
                                "select: {from: t}"))
                        .isInstanceOf(CorruptDataException.class)
                        .satisfies(e -> assertThat(e.getMessage())
                                .contains(List.of(bad).subList(1, bad.length))
                                .contains("m.json"));
            }
        }
        // A key that the schema leaves out contradicts the metadata too.
        Path metadata = Files.writeString(folder.resolve("m.json"), "{\"metadata\": [{\"Label\": 7}, {\"Label\": 2}]}");
        Files.writeString(lines, "{\"label\": 1, \"b\": 1}\n{\"label\": 2, \"b\": 2}\n");
        assertThatThrownBy(() -> PrepareFixture.prepare(
                        folder.resolve("out"),
                        "  t: {jsonl: '" + lines + "', metadata: '" + metadata + "', schema: 'b INT'}",
                        "select: {from: t}"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("a.jsonl:1")
                .hasMessageContaining("'label'")
                .hasMessageContaining("'Label'");
    }

    /** Objects of drawn keys: refused if and only if two keys of one level differ in case alone. */
    @Test
    void drawnKeys_areReadOrRefused() throws IOException {
        assertThat(refused(4, 7)).isBetween(1, 3);
    }

    @Tag("nightly")
    @Test
    void moreDrawnKeys_areReadOrRefused() throws IOException {
        assertThat(refused(40, 8)).isBetween(10, 30);
    }

    /** How many of the drawn objects are refused. */
    private int refused(int rounds, long seed) throws IOException {
        Random random = new Random(seed);
        int refused = 0;
        for (int round = 0; round < rounds; round++) {
            List<String> keys = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                keys.add("k" + random.nextInt(40));
            }
            List<String> distinct = new ArrayList<>(keys.stream().distinct().toList());
            boolean clash = random.nextBoolean();
            if (clash) {
                distinct.add(distinct.get(random.nextInt(distinct.size())).toUpperCase(Locale.ROOT));
            }
            Collections.shuffle(distinct, random);
            List<String> lines = IntStream.range(0, distinct.size())
                    .mapToObj(i -> "{\"id\": " + i + ", \"" + distinct.get(i) + "\": " + (i + 100) + "}")
                    .toList();
            Files.write(input.resolve("a.jsonl"), lines);
            String columns = "array("
                    + String.join(
                            ", ",
                            distinct.stream()
                                    .map(k -> "coalesce(" + k + ", -1)")
                                    .toList()) + ") AS found, id";
            if (clash) {
                refused++;
                assertRefused(CorruptDataException.class, "", "")
                        .hasMessageContaining("names of columns are case-insensitive");
            } else {
                List<Row> rows = rows(prepare("", "", columns));
                assertThat(rows).as("seed %d, round %d", seed, round).hasSize(distinct.size());
            }
        }
        return refused;
    }

    private void write(String first, String second) throws IOException {
        Files.writeString(input.resolve("a.jsonl"), "{}\n" + first.replace('`', '"') + "\n");
        Files.writeString(input.resolve("b.jsonl"), "\n{}\n" + second.replace('`', '"') + "\n");
    }

    private org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
            Class<? extends RankfeedException> kind, String source, String more) {
        Path out = folder.resolve("refused");
        return assertThatThrownBy(() -> PrepareFixture.prepare(
                        out, "  t: {jsonl: '" + input + "'" + source + "}", "sql: SELECT 1 AS one FROM t" + more))
                .isInstanceOf(kind)
                .satisfies(e -> {
                    try (Stream<Path> written = Files.exists(out) ? Files.walk(out) : Stream.empty()) {
                        assertThat(written.filter(Files::isRegularFile)).isEmpty();
                    }
                });
    }

    private PreparedTable prepare(String source, String more, String columns) {
        return PrepareFixture.prepare(
                folder.resolve("out"),
                "  t: {jsonl: '" + input + "'" + source + "}",
                "sql: SELECT " + columns + " FROM t" + more);
    }

    private static List<Row> rows(PreparedTable table) {
        return PrepareFixture.session()
                .read()
                .parquet(PrepareFixture.folder(table).resolve("data").toString())
                .collectAsList();
    }
}
