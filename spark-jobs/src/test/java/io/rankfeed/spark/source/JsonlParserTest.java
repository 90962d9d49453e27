package io.rankfeed.spark.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.job.PrepareSection.OnBadRow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines that are damage, each told with its file and number. */
class JsonlParserTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a INT|{`a`: 2, `a`: 3}|is no JSON: Duplicate field 'a'",
                "a STRING|{`a`: {`b`: null, `b`: 1}}|is no JSON: Duplicate field 'b'",
                "a STRING|{`a`: `x\\ud800`}|'a' has half of a surrogate pair",
                "a STRING|{`a`: `\\ude00\\ud83d`}|'a' has half of a surrogate pair",
                "a ARRAY<STRING>|{`a`: [`\\udc00x`]}|'a' has half of a surrogate pair",
                "a STRING|{`a`: {`b`: `\\ud800`}}|'a' has half of a surrogate pair",
                "a STRING NOT NULL|{`b`: 1}|'a' has no value, and the source's schema says NOT NULL",
                "a STRING NOT NULL|{`a`: null}|'a' has no value",
                "a STRUCT<b: INT NOT NULL>|{`a`: {}}|'a.b' has no value",
            })
    void aValueThatWouldBeAnotherIsDamage(String schema, String line, String message) throws IOException {
        assertDamage(schema, line.replace('`', '"'), message);
    }

    @Test
    void whatIsBeyondTheLimitsOfJsonIsDamageThatNamesTheLimit() throws IOException {
        assertDamage("a STRING", "{\"a\": " + "[".repeat(5000) + "]".repeat(5000) + "}", "maximum allowed (1000)");
        assertDamage("a STRING", "{\"a\": " + "7".repeat(2_000_000) + "}", "maximum allowed (1000)");
        assertDamage("a STRING", "{\"a\": \"" + "x".repeat(20_000_001) + "\"}", "maximum allowed (20000000)");
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
    void bytesThatAreNoTextAreToldByTheirLine() throws IOException {
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
                    .hasMessageEndingWith(file.getFileName() + ":9: is no valid UTF-8");
        }
    }

    private static List<Row> rows(String schema, Path file) {
        List<Row> rows = new ArrayList<>();
        new JsonlParser(StructType.fromDDL(schema), new SerializableConfiguration(new Configuration()), OnBadRow.FAIL)
                .call(List.of(file.toString()).iterator())
                .forEachRemaining(rows::add);
        return rows;
    }
}
