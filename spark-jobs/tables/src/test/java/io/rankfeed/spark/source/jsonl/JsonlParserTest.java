package io.rankfeed.spark.source.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines that are damage, each reported with its file and number. */
class JsonlParserTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a INT|{`a`: 2, `a`: 3}|is not JSON: Duplicate field 'a'",
                "a STRING|{`a`: {`b`: null, `b`: 1}}|is not JSON: Duplicate field 'b'",
                "a STRING|{`a`: `x\\ud800`}|has half of a surrogate pair (\\ud800 to \\udfff) in the text (column 7)",
                "a STRING|{`a`: `\\ude00\\ud83d`}|has half of a surrogate pair",
                "a ARRAY<STRING>|{`a`: [`\\udc00x`]}|has half of a surrogate pair",
                "a STRING|{`a`: {`b`: `\\ud800`}}|has half of a surrogate pair",
                "a STRING|{`b`: `\\ud800`}|has half of a surrogate pair",
                "a STRING|{`\\ud800`: 1}|surrogate pair",
                "a STRING NOT NULL|{`b`: 1}|'a' has no value, and the source's schema says NOT NULL",
                "a STRING NOT NULL|{`a`: null}|'a' has no value",
                "a STRUCT<b: INT NOT NULL>|{`a`: {}}|'a.b' has no value",
                "a INT|{`a`: 1.0}|'a' is 1.0, no int",
                "a ARRAY<INT>|{`a`: {`b`: [-0.0, 1e2]}}|'a' is {`b`:[-0.0,1e2]}, no array<int>",
                "a DOUBLE|{`a`: 1e99999999999}|'a' is 1e99999999999, no double",
                "a DOUBLE|{`a`: NaN}|is not JSON: 'NaN' is not a number in JSON; write null, or a text (column 10)",
                "a DOUBLE|{`a`: -Infinity}|is not JSON: '-Infinity' is not a number in JSON; write null, or a text (col",
                "a DOUBLE|{`a`: +1}|is not JSON: Unexpected character ('+' (code 43)) in numeric value: JSON spec does"
                        + " not allow numbers to have plus signs (column 8)",
                "a DOUBLE|{`a`: 1} // x|is not JSON: Unexpected character ('/' (code 47)): maybe a (non-standard)"
                        + " comment? (column 10)",
                "a DOUBLE|{`a`: 1|is not JSON: Unexpected end-of-input: expected close marker for Object (column 8)",
                "a DOUBLE|{`a`: 1]|is not JSON: Unexpected close marker ']': expected '}' (column 8)",
                "a DOUBLE|{`a`: 1} {}|goes on after its JSON (column 10)",
                "a DOUBLE|[1]|is not a JSON object",
                "a DOUBLE|\ufeff{`a`: 1}|is not JSON: Unexpected character",
            })
    void value_thatWouldChange_isDamage(String schema, String line, String message) throws IOException {
        assertDamage(schema, line.replace('`', '"'), message.replace('`', '"'));
    }

    @Test
    void json_beyondALimit_isDamageThatNamesIt() throws IOException {
        assertDamage("a STRING", "{\"a\": " + "[".repeat(5000) + "]".repeat(5000) + "}", "maximum allowed (1000)");
        assertDamage("a STRING", "{\"a\": " + "7".repeat(2_000_000) + "}", "maximum allowed (1000)");
        assertDamage("a STRING", "{\"a\": \"" + "x".repeat(20_000_001) + "\"}", "maximum allowed (20000000)");
        assertDamage("a STRING", "{\"a\": [" + "{},".repeat(1 << 21) + "1]}", "more than 2097152 objects and lists");
    }

    @Test
    void fraction_isReadAsWritten() throws IOException {
        Path file = folder.resolve("a.jsonl");
        Files.writeString(file, """
                {"d": -0.0, "f": -0e1, "s": -0.0, "l": {"b": 100.0}}
                {"d": 0.1, "f": 1.00000005960464477540, "s": 1.0, "l": 1e2}
                """);
        // 1 + 2^-24 + a little: the nearest double is halfway between two floats, and would be rounded down to 1.
        assertThat(rows("d DOUBLE, f FLOAT, s STRING, l STRING", file))
                .extracting(row -> row.mkString(" "))
                .satisfiesExactly(
                        row -> assertThat(row).startsWith("-0.0 -0.0 -0.0 {\"b\":100.0} "),
                        row -> assertThat(row).startsWith("0.1 1.0000001 1.0 1e2 "));
    }

    @Test
    void byteOrderMark_isNoPartOfTheFirstLine() throws IOException {
        Path file = Files.writeString(folder.resolve("a.jsonl"), "\ufeff{\"a\": 1}\n{\"a\": 2}\n");
        assertThat(rows("a INT", file)).extracting(row -> row.getInt(0)).containsExactly(1, 2);
        Path empty = Files.writeString(folder.resolve("empty.jsonl"), "\ufeff");
        assertThat(rows("a INT", empty)).isEmpty();
    }

    @Test
    void badLines_areMalformedOrOfAnotherType() throws IOException {
        Path file = Files.writeString(
                folder.resolve("a.jsonl"), "{\"a\": 1}\n{\"a\": \"\\ud800\"}\n{\"a\": \"x\"}\n{\"a\": NaN}\n");
        List<String> reasons = new ArrayList<>();
        parser("a INT", OnBadRow.QUARANTINE)
                .badLines(LineRange.whole(file.toString()), "s/a.jsonl")
                .forEachRemaining(line -> reasons.add(line.location() + " " + line.reason()));
        assertThat(reasons)
                .containsExactly(
                        "s/a.jsonl:2 MALFORMED_LINE", "s/a.jsonl:3 SCHEMA_DRIFT", "s/a.jsonl:4 MALFORMED_LINE");
    }

    private void assertDamage(String schema, String line, String message) throws IOException {
        Path file = folder.resolve("a.jsonl");
        Files.writeString(file, "\n" + line + "\n");
        assertThatThrownBy(() -> rows(schema, file))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("a.jsonl:2: ")
                .hasMessageContaining(message);
    }

    @Test
    void gzip_everyMember_isReadAndOtherBytesAreCorrupted() throws IOException {
        byte[] first = gzip("{\"a\": 1}\n{\"a\": 2}\n");
        byte[] second = gzip("{\"a\": 3}\n");
        byte[] both = concat(first, second);
        assertThat(rows("a INT", gzipFile(both)))
                .extracting(row -> row.getInt(0))
                .containsExactly(1, 2, 3);
        assertThat(rows("a INT", gzipFile(concat(both, gzip(""))))).hasSize(3);
        assertThat(rows("a INT", gzipFile(new byte[0]))).isEmpty();
        for (int at = 0; at < 4; at++) {
            byte[] corrupted = both.clone();
            corrupted[first.length + at] ^= (byte) 0xE0;
            assertCorrupted(corrupted, first.length);
        }
        assertCorrupted(concat(both, new byte[] {0}), both.length);
        assertCorrupted(concat(both, new byte[512]), both.length);
        assertCorrupted(concat(both, "{\"a\": 4}\n".getBytes(StandardCharsets.UTF_8)), both.length);
        for (int missing = 1; missing < second.length; missing++) {
            assertCorrupted(Arrays.copyOf(both, both.length - missing), first.length);
        }
        byte[] flipped = both.clone();
        flipped[flipped.length - 6] ^= 1;
        assertCorrupted(flipped, first.length);
    }

    private void assertCorrupted(byte[] file, int byteOffset) throws IOException {
        Path path = gzipFile(file);
        assertThatThrownBy(() -> rows("a INT", path))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("a.jsonl.gz:")
                .hasMessageContaining("invalid gzip data in the member that starts at byte " + byteOffset + ": ");
    }

    private Path gzipFile(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("a.jsonl.gz"), bytes);
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    @Test
    void wholeNumber_notExactAsFloat_isRefused() throws IOException {
        for (long exact : new long[] {1L << 53, (1L << 53) + 2, -(1L << 53), 1L << 62, Long.MIN_VALUE}) {
            Path file = Files.writeString(folder.resolve("a.jsonl"), "{\"a\": " + exact + "}\n");
            assertThat(rows("a DOUBLE", file))
                    .extracting(row -> row.getDouble(0))
                    .containsExactly((double) exact);
        }
        for (String rounded :
                List.of("9007199254740993", "-9007199254740993", "9223372036854775807", "1" + "0".repeat(24))) {
            assertDamage(
                    "a DOUBLE",
                    "{\"a\": " + rounded + "}",
                    "'a' is " + rounded + ", which double does not hold exactly; ");
        }
        assertDamage(
                "a ARRAY<FLOAT>", "{\"a\": [0.1, 16777217]}", "'a' is 16777217, which float does not hold exactly; ");
        Path file = Files.writeString(folder.resolve("a.jsonl"), "{\"a\": 16777216}\n{\"a\": 9007199254740993.0}\n");
        assertThat(rows("a DOUBLE", file)).extracting(row -> row.getDouble(0)).containsExactly(16777216.0, 0x1p53);
    }

    @Test
    void bytes_notText_areReportedWithTheirLine() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes("{\"a\": \"é\\ud83d\\ude00\"}\r\n\n".repeat(4).getBytes(StandardCharsets.UTF_8));
        Path fine = Files.write(folder.resolve("fine.jsonl"), bytes.toByteArray());
        assertThat(rows("a STRING", fine)).hasSize(4).allMatch(row -> row.getString(0)
                .equals("é\ud83d\ude00"));
        bytes.writeBytes(new byte[] {'{', '"', (byte) 0xC3, '\n', '{', '}', '\n'});
        Path plain = Files.write(folder.resolve("a.jsonl"), bytes.toByteArray());
        Path zipped = folder.resolve("a.jsonl.gz");
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
            bytes.writeTo(out);
        }
        for (Path file : List.of(plain, zipped)) {
            assertThatThrownBy(() -> rows("a STRING", file))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageEndingWith(file.getFileName() + ":9: is not valid UTF-8");
        }
    }

    private static List<Row> rows(String schema, Path file) {
        List<Row> rows = new ArrayList<>();
        parser(schema, OnBadRow.FAIL)
                .call(List.of(LineRange.whole(file.toString())).iterator())
                .forEachRemaining(rows::add);
        return rows;
    }

    private static JsonlParser parser(String schema, OnBadRow onBadRow) {
        return new JsonlParser(StructType.fromDDL(schema), new TaskConfiguration(new Configuration()), onBadRow);
    }
}
