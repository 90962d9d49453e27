package io.rankfeed.spark.source.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.prepare.PrepareFixture;
import io.rankfeed.spark.run.PreparedTable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Numbers of JSON lines in columns of every type, compared with Python's json and struct. */
class JsonNumbersIT {
    private static final long SEED = 29;
    private static final List<String> ZEROS =
            List.of("-0", "0", "-0.0", "0.0", "-0e5", "-0E-5", "-0.0e-3", "0e0", "-0.000", "-1e-400");

    /** A line for each number: the text of the number, the bits of its double and of its float. */
    private static final String PYTHON = """
            import json, struct, sys
            for line in open(sys.argv[1]):
                text = json.loads(line, parse_int=str, parse_float=str)["s"]
                print(text, struct.pack(">d", float(text)).hex(), struct.pack(">f", float(text)).hex())
            """;

    private static final List<String> WHOLE = List.of("tinyint", "smallint", "int", "bigint");

    @TempDir
    private Path folder;

    @Test
    void number_keepsItsTextInStringsAndItsSignInFloats() throws Exception {
        List<String> numbers = new ArrayList<>(ZEROS);
        Random random = new Random(SEED);
        for (int i = 0; i < 300; i++) {
            numbers.add(drawn(random));
        }
        Path lines = Files.write(
                folder.resolve("t.jsonl"),
                numbers.stream()
                        .map(n ->
                                "{'s': %1$s, 'd': %1$s, 'f': %1$s, 'ld': [%1$s], 'lf': [1, %1$s], 'ls': [%1$s], 'n': {'s': %1$s, 'd': %1$s, 'o': [{'f': %1$s}]}, 'w': {'x': %1$s}}"
                                        .replace('\'', '"')
                                        .formatted(n))
                        .toList());
        PreparedTable table = prepare(
                lines,
                ", schema: 's STRING, d DOUBLE, f FLOAT, ld ARRAY<DOUBLE>, lf ARRAY<FLOAT>, ls ARRAY<STRING>,"
                        + " n STRUCT<s: STRING, d: DOUBLE, o: ARRAY<STRUCT<f: FLOAT>>>, w STRING'",
                "SELECT s, d, f, ld, lf, array_join(ls, ',') AS ls, n.s AS ns, n.d AS nd, n.o[0].f AS nf, w FROM t");
        List<String> expected = python(lines);
        List<Row> rows = rows(table);
        assertThat(rows).as("seed %d", SEED).hasSameSizeAs(numbers);
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            String number = numbers.get(i);
            String[] known = expected.get(i).split(" ", -1);
            assertThat(known[0]).isEqualTo(number);
            assertThat(row.<String>getAs("s")).isEqualTo(number);
            assertThat(row.<String>getAs("ns")).isEqualTo(number);
            assertThat(row.<String>getAs("ls")).isEqualTo(number);
            assertThat(row.<String>getAs("w")).isEqualTo("{\"x\":" + number + "}");
            assertThat(bits(row.<Double>getAs("d"))).as(number).isEqualTo(known[1]);
            assertThat(bits(row.<Double>getAs("nd"))).as(number).isEqualTo(known[1]);
            assertThat(bits(little(row.<byte[]>getAs("ld")).getDouble(0)))
                    .as(number)
                    .isEqualTo(known[1]);
            assertThat(bits(row.<Float>getAs("f"))).as(number).isEqualTo(known[2]);
            assertThat(bits(row.<Float>getAs("nf"))).as(number).isEqualTo(known[2]);
            assertThat(bits(little(row.<byte[]>getAs("lf")).getFloat(4)))
                    .as(number)
                    .isEqualTo(known[2]);
        }
    }

    @Test
    void negativeZero_isAWholeNumber() throws Exception {
        Path lines = Files.writeString(
                folder.resolve("t.jsonl"),
                "{" + ofEachType("\"a_TYPE\": -0, \"l_TYPE\": [-0, 5]") + "}\n{"
                        + ofEachType("\"a_TYPE\": 7, \"l_TYPE\": [-0]") + "}\n");
        List<Row> rows = rows(prepare(
                lines,
                ", schema: '" + ofEachType("a_TYPE TYPE, l_TYPE ARRAY<TYPE>") + "'",
                "SELECT " + ofEachType("bigint(a_TYPE) AS a_TYPE, l_TYPE[0] AS z_TYPE") + " FROM t"));
        for (String type : WHOLE) {
            assertThat(rows)
                    .extracting(row -> row.<Long>getAs("a_" + type) + " " + row.<Object>getAs("z_" + type))
                    .as(type)
                    .containsExactly("0 0", "7 0");
        }
        assertThat(rows(prepare(lines, "", "SELECT a_int AS a FROM t")))
                .extracting(row -> row.<Object>getAs("a"))
                .containsExactly(0L, 7L);
    }

    /** The text once for each type, with its name for {@code TYPE}. */
    private static String ofEachType(String text) {
        return WHOLE.stream().map(type -> text.replace("TYPE", type)).collect(Collectors.joining(", "));
    }

    @Test
    void negativeZero_inInferredTypes_isKept() throws Exception {
        Path lines =
                Files.writeString(folder.resolve("t.jsonl"), "{\"d\": -0, \"s\": -0}\n{\"d\": 0.5, \"s\": \"x\"}\n");
        List<Row> rows = rows(prepare(lines, "", "SELECT d, s FROM t"));
        assertThat(bits(rows.get(0).<Double>getAs("d"))).isEqualTo("8000000000000000");
        assertThat(rows.get(0).<String>getAs("s")).isEqualTo("-0");

        Path metadata = Files.writeString(
                folder.resolve("m.json"),
                "{\"metadata\": [{\"x\": -0, \"i\": -0, \"z\": -0}, {\"x\": 0.5, \"i\": 3, \"z\": -0}]}");
        List<Row> beside = rows(prepare(lines, ", metadata: '" + metadata + "'", "SELECT d, x, i, z FROM t"));
        assertThat(bits(beside.get(0).<Double>getAs("x"))).isEqualTo("8000000000000000");
        assertThat(beside).extracting(row -> row.<Object>getAs("i")).containsExactly(0L, 3L);
        assertThat(beside).extracting(row -> row.<Object>getAs("z")).containsExactly(0L, 0L);
    }

    /** Whole numbers are such that a float holds them. */
    private static String drawn(Random random) {
        String sign = random.nextBoolean() ? "-" : "";
        String whole = Integer.toString(random.nextInt(1 << random.nextInt(25)));
        String fraction = random.nextBoolean() ? "." + random.nextInt(1_000_000) : "";
        String exponent = random.nextInt(3) == 0 ? (random.nextBoolean() ? "e" : "E+") + random.nextInt(20) : "";
        String small = exponent.isEmpty() && random.nextInt(3) == 0 ? "e-" + random.nextInt(60) : "";
        return sign + whole + fraction + exponent + small;
    }

    private PreparedTable prepare(Path lines, String more, String sql) {
        return PrepareFixture.prepare(
                folder.resolve("out"), "  t: {jsonl: '" + lines + "'" + more + "}", "sql: \"" + sql + "\"");
    }

    private static List<Row> rows(PreparedTable table) {
        return PrepareFixture.session()
                .read()
                .parquet(PrepareFixture.folder(table).resolve("data").toString())
                .orderBy("_source_row")
                .collectAsList();
    }

    private static List<String> python(Path lines) throws Exception {
        Process process = new ProcessBuilder("python3", "-c", PYTHON, lines.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> read = process.inputReader().lines().toList();
        assertThat(process.waitFor()).isZero();
        return read;
    }

    private static ByteBuffer little(byte[] packed) {
        return ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static String bits(double value) {
        return HexFormat.of().toHexDigits(Double.doubleToRawLongBits(value));
    }

    private static String bits(float value) {
        return HexFormat.of().toHexDigits(Float.floatToRawIntBits(value));
    }
}
