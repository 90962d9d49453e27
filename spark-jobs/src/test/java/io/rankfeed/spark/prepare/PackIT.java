package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.SharedTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows packed into sequences, against what the rows were. */
class PackIT {
    private static final int ROWS = 3000;
    private static final int TO = 128;
    private static final String PACK =
            "sql: SELECT id, split, tokens, prompt, spans, name FROM t\nkey: [id]\npack: {to: 128, within: [split], spans: spans}\n";

    @TempDir
    private Path dir;

    /** Row {@code id}: 1 to 100 tokens {@code id · 1000 + place}, a prompt, a span, a name. */
    private Path table(int files) {
        return SharedTables.put(
                "members in " + files + " files", dir.resolve("t" + files), to -> PrepareFixture.session()
                        .range(0, ROWS, 1, files)
                        .selectExpr(
                                "id",
                                "if(id % 10 = 3, null, if(id % 3 = 0, 'a', 'b')) AS split",
                                "cast(1 + pmod(hash(id), 100) as int) AS n",
                                "concat('row ', id) AS name")
                        .selectExpr(
                                "id",
                                "split",
                                "transform(sequence(0, n - 1), x -> cast(id * 1000 + x as int)) AS tokens",
                                "cast(n / 2 as int) AS prompt",
                                "array(array(0, 1), array(n - 1, n)) AS spans",
                                "name")
                        .write()
                        .parquet(to.toString()));
    }

    @Test
    void rows_areMembersOnceAndKeepTheirValues() {
        PreparedTable table = PrepareFixture.prepare(dir.resolve("out"), table(3), PACK);

        assertThat(table.manifest().schema().fields())
                .contains(
                        new Field("tokens", DType.INT32, Shape.of(Shape.VARIABLE), false),
                        new Field("spans", DType.INT32, Shape.of(Shape.VARIABLE, 2), false),
                        new Field("member_lengths", DType.INT32, Shape.of(Shape.VARIABLE), false),
                        new Field("name", DType.STRING, Shape.of(Shape.VARIABLE), false),
                        new Field("first_id", DType.INT64, Shape.scalar(), false));
        Set<Long> seen = new HashSet<>();
        Map<String, Long> tokens = new HashMap<>();
        Map<String, Long> sequences = new HashMap<>();
        for (Row row : rows(table)) {
            int[] all = integers(row, "tokens");
            int[] lengths = integers(row, "member_lengths");
            int[] prompts = integers(row, "prompt");
            int[] spans = integers(row, "spans");
            long[] ids = longs(row, "id");
            assertThat(row.<Integer>getAs("token_count")).isEqualTo(all.length).isLessThanOrEqualTo(TO);
            assertThat(row.<Integer>getAs("member_count"))
                    .isEqualTo(lengths.length)
                    .isEqualTo(ids.length);
            assertThat(row.<Long>getAs("first_id")).isEqualTo(ids[0]);
            int at = 0;
            for (int member = 0; member < ids.length; member++) {
                long id = ids[member];
                assertThat(seen.add(id)).isTrue();
                assertThat(row.<String>getAs("split")).isEqualTo(id % 10 == 3 ? null : id % 3 == 0 ? "a" : "b");
                int begin = at;
                assertThat(IntStream.range(0, lengths[member]).map(i -> all[begin + i]))
                        .containsExactlyElementsOf(IntStream.range(0, lengths[member])
                                .mapToObj(i -> (int) (id * 1000 + i))
                                .toList());
                assertThat(prompts[member]).isEqualTo(lengths[member] / 2);
                assertThat(new int[] {
                            spans[4 * member], spans[4 * member + 1], spans[4 * member + 2], spans[4 * member + 3]
                        })
                        .containsExactly(at, at + 1, at + lengths[member] - 1, at + lengths[member]);
                at += lengths[member];
            }
            assertThat(at).isEqualTo(all.length);
            tokens.merge(String.valueOf(row.<String>getAs("split")), (long) all.length, Long::sum);
            sequences.merge(String.valueOf(row.<String>getAs("split")), 1L, Long::sum);
        }
        assertThat(seen).hasSize(ROWS);
        tokens.forEach((split, count) ->
                assertThat(1 - (double) count / (sequences.get(split) * TO)).isLessThan(0.02));
    }

    @ParameterizedTest
    @ValueSource(strings = {"within: [split], ", ""})
    void bytes_anyFilesAndPartitions_areTheSame(String within) {
        String pack = PACK.replace("within: [split], ", within).replace(", split", within.isEmpty() ? "" : ", split");
        PreparedTable first = PrepareFixture.prepare(dir.resolve("one"), table(3), pack);
        String partitions = PrepareFixture.session().conf().get("spark.sql.shuffle.partitions");
        PrepareFixture.session().conf().set("spark.sql.shuffle.partitions", 5);
        PreparedTable second;
        try {
            second = PrepareFixture.prepare(dir.resolve("two"), table(2), pack);
        } finally {
            PrepareFixture.session().conf().set("spark.sql.shuffle.partitions", partitions);
        }

        assertThat(bytes(second)).isEqualTo(bytes(first));
    }

    /** Windows are runs of the rows of a unit by row id, as docs/job-file/packing.md has them; two units here. */
    @Test
    @Tag("nightly")
    void rows_many_arePackedInWindowsOfTheirUnit() {
        int rows = 90_000;
        Path folder = dir.resolve("many");
        PrepareFixture.session()
                .range(0, rows, 1, 4)
                .selectExpr(
                        "id",
                        "transform(sequence(1, cast(1 + pmod(hash(id), 60) as int)), x -> cast(pmod(hash(id, x), 30000) as short)) AS tokens")
                .write()
                .parquet(folder.toString());
        PreparedTable table = PrepareFixture.prepare(
                dir.resolve("out"), folder, "sql: SELECT id, tokens FROM t\nkey: [id]\npack: {to: 64}\nblock: 1 MiB\n");
        Map<Long, Integer> windows = windows(rows, 2);

        List<Long> members = new ArrayList<>();
        Map<String, List<Long>> byFile = new HashMap<>();
        long tokens = 0;
        List<Row> sequences = rows(table);
        for (Row sequence : sequences) {
            long[] own = longs(sequence, "id");
            assertThat(LongStream.of(own).map(id -> windows.get(id)).distinct().count())
                    .isEqualTo(1);
            assertThat(LongStream.of(own).boxed()).isSortedAccordingTo(Comparator.comparing(PackIT::order));
            LongStream.of(own).forEach(members::add);
            byFile.computeIfAbsent(sequence.getAs("file"), file -> new ArrayList<>())
                    .add(own[0]);
            tokens += sequence.<Integer>getAs("token_count");
        }
        assertThat(members).doesNotHaveDuplicates().hasSize(rows);
        assertThat(byFile).hasSizeGreaterThan(2);
        assertThat(byFile.values())
                .allSatisfy(ids -> assertThat(ids).isSortedAccordingTo(Comparator.comparing(PackIT::order)));
        assertThat(1 - tokens / (64.0 * sequences.size())).isLessThan(0.02);
        assertThat(table.manifest().schema().field("tokens").dtype()).isEqualTo(DType.INT16);
    }

    private static long rowId(long id) {
        return new KeyEncoding().integer(id).rowId();
    }

    private static BigInteger order(long id) {
        return new BigInteger(Long.toUnsignedString(rowId(id)));
    }

    /** The window of each row: 8,192 rows of a unit, and what is left if they are fewer than 16,384. */
    private static Map<Long, Integer> windows(int rows, int units) {
        List<List<Long>> byUnit = new ArrayList<>();
        IntStream.range(0, units).forEach(unit -> byUnit.add(new ArrayList<>()));
        LongStream.range(0, rows).forEach(id -> {
            BigInteger unit = order(id).multiply(BigInteger.valueOf(units)).shiftRight(64);
            byUnit.get(unit.intValue()).add(id);
        });
        Map<Long, Integer> windows = new HashMap<>();
        int window = 0;
        for (List<Long> unit : byUnit) {
            unit.sort(Comparator.comparing(PackIT::order));
            int at = 0;
            while (at < unit.size()) {
                int end = unit.size() - at < 16_384 ? unit.size() : at + 8192;
                for (; at < end; at++) {
                    windows.put(unit.get(at), window);
                }
                window++;
            }
        }
        return windows;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SELECT id, tokens FROM t | pack: {to: 64}     | key (.*) has .* tokens, prepare.pack.to is 64
        SELECT if(id = 5, 6, id) AS id, tokens FROM t | pack: {to: 128} | duplicate key \\(6\\)
        SELECT cast(string(if(id = 5, 6, id)) AS binary) AS id, tokens FROM t | pack: {to: 128} | duplicate key \\(0x36\\)
        SELECT id, tokens, array(array(0, 200)) AS spans FROM t | pack: {to: 128, spans: spans} | ends at token 200 of
        """)
    void row_unpackable_isNamed(String sql, String pack, String message) {
        String prepare = "sql: " + sql + "\nkey: [id]\n" + pack + "\n";

        assertThatThrownBy(() -> PrepareFixture.prepare(dir.resolve("out"), table(2), prepare))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageMatching(
                        "(?s).*" + message.replace("key (", "key \\(").replace(".*)", ".*\\)") + ".*");
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SELECT id, filter(tokens, x -> x < 0) AS tokens FROM t | pack: {to: 64} | key (.*) has no tokens
        SELECT if(id < 7, null, id) AS id, tokens FROM t | pack: {to: 128} | null in its key
        """)
    void row_emptyOrWithoutKey_isNamed(String sql, String pack, String message) {
        row_unpackable_isNamed(sql, pack, message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SELECT id, tokens FROM t               | pack: {to: 0}                      | must be 1 to
        SELECT id, tokens FROM t               | pack: {to: 64, within: [splt]}     | no column 'splt'
        SELECT id, tokens, split FROM t        | pack: {to: 64, within: [splt]}     | did you mean 'split'
        SELECT id, tokens FROM t               | pack: {to: 64, within: [id]}       | is a column of the key
        SELECT id, tokens, tokens AS more FROM t | pack: {to: 64}                   | the query has tokens, more; name
        SELECT id, name FROM t                 | pack: {to: 64}                     | no column of lists of integers
        SELECT id, tokens, tokens AS more FROM t | {pack: {to: 64, tokens: tokens}} | column 'more' is array<int>
        SELECT id, tokens, name FROM t         | pack: {to: 64, tokens: name}       | must be a list of integers
        SELECT id, tokens, prompt FROM t       | pack: {to: 64, spans: prompt}      | must be a list of pairs of integers
        SELECT id, tokens FROM t               | {pack: {to: 64}, on-bad-row: drop} | correct or remove lines that are not JSON
        """)
    void pack_contradicting_isRefused(String sql, String pack, String message) {
        String more =
                pack.startsWith("{") ? pack.substring(1, pack.length() - 1).replace("}, ", "}\n") : pack;
        String prepare = "sql: " + sql + "\nkey: [id]\n" + more + "\n";

        assertThatThrownBy(() -> PrepareFixture.prepare(dir.resolve("out"), table(2), prepare))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    private static List<Row> rows(PreparedTable table) {
        return PrepareFixture.session()
                .read()
                .parquet(PrepareFixture.folder(table).resolve("data").toString())
                .selectExpr("*", "_metadata.file_path AS file")
                .collectAsList();
    }

    private static int[] integers(Row row, String column) {
        ByteBuffer bytes = ByteBuffer.wrap(row.getAs(column)).order(ByteOrder.LITTLE_ENDIAN);
        int[] values = new int[bytes.remaining() / 4];
        bytes.asIntBuffer().get(values);
        return values;
    }

    private static long[] longs(Row row, String column) {
        ByteBuffer bytes = ByteBuffer.wrap(row.getAs(column)).order(ByteOrder.LITTLE_ENDIAN);
        long[] values = new long[bytes.remaining() / 8];
        bytes.asLongBuffer().get(values);
        return values;
    }

    private static List<String> bytes(PreparedTable table) {
        List<String> digests = new ArrayList<>();
        try (Stream<Path> files = Files.walk(PrepareFixture.folder(table).resolve("data"))) {
            files.filter(file -> file.toString().endsWith(".parquet")).sorted().forEach(file -> {
                try {
                    digests.add(file.getFileName() + " " + Sha256.hex(Files.readAllBytes(file)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return digests;
    }
}
