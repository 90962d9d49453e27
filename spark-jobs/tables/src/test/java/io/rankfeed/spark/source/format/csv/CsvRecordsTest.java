package io.rankfeed.spark.source.format.csv;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvRecordsTest {
    private static final List<String> PIECES = List.of(
            "", "a", "b c", ",", ";", "\"", "\"\"", "\n", "\r\n", "\r", " ", "é", "漢", "\ud83d\ude00", "0.5", "\t");

    /** Values without a quote at their begin, delimiters and line ends may be written without quotes. */
    private static String written(@Nullable String value, char delimiter, Random random) {
        if (value == null) {
            return "";
        }
        boolean needsQuotes = value.isEmpty()
                || value.startsWith("\"")
                || value.indexOf(delimiter) >= 0
                || value.contains("\n")
                || value.contains("\r");
        return needsQuotes || random.nextBoolean() ? '"' + value.replace("\"", "\"\"") + '"' : value;
    }

    private static @Nullable String drawn(Random random) {
        if (random.nextInt(6) == 0) {
            return null;
        }
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }

    private static List<CsvRecords.Found> read(String text, char delimiter) throws IOException {
        return read(text.getBytes(StandardCharsets.UTF_8), delimiter);
    }

    private static List<CsvRecords.Found> read(byte[] bytes, char delimiter) throws IOException {
        List<CsvRecords.Found> all = new ArrayList<>();
        try (CsvRecords records = new CsvRecords(new ByteArrayInputStream(bytes), delimiter)) {
            for (CsvRecords.Found next = records.next(); next != null; next = records.next()) {
                all.add(next);
            }
        }
        return all;
    }

    private static List<String> texts(String text, char delimiter) throws IOException {
        List<String> texts = new ArrayList<>();
        try (CsvRecords records =
                new CsvRecords(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), delimiter)) {
            while (records.next() != null) {
                texts.add(records.written());
            }
        }
        return texts;
    }

    /** 400 files: values, numbers of lines and the text of each record, across the edges of the buffer. */
    @Test
    void files_drawn_areReadAsWritten() throws IOException {
        for (long seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            char delimiter = ",;\t|".charAt(random.nextInt(4));
            String ending = List.of("\n", "\r\n", "\r").get(random.nextInt(3));
            int columns = 1 + random.nextInt(5);
            int rows = random.nextInt(seed % 40 == 0 ? 20_000 : 60);
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "\ufeff" : "");
            List<List<@Nullable String>> expected = new ArrayList<>();
            List<String> texts = new ArrayList<>();
            for (int row = 0; row < rows; row++) {
                List<@Nullable String> values = new ArrayList<>();
                List<String> parts = new ArrayList<>();
                for (int i = 0; i < columns; i++) {
                    String value = drawn(random);
                    values.add(value);
                    parts.add(written(value, delimiter, random));
                }
                String record = String.join(String.valueOf(delimiter), parts);
                boolean isBlank = record.isEmpty();
                if (!isBlank) {
                    expected.add(values);
                    texts.add(record);
                }
                text.append(record).append(row + 1 == rows && !isBlank && random.nextBoolean() ? "" : ending);
            }
            List<CsvRecords.Found> found = read(text.toString(), delimiter);
            assertThat(found).as("seed " + seed).allSatisfy(record -> assertThat(record.fault())
                    .isNull());
            assertThat(found.stream().map(CsvRecords.Found::values).toList())
                    .as("seed " + seed)
                    .isEqualTo(expected);
            assertThat(texts(text.toString(), delimiter)).as("seed " + seed).isEqualTo(texts);
            assertThat(found.stream()
                            .map(record -> record.line() + " " + record.lines())
                            .toList())
                    .as("seed " + seed)
                    .isEqualTo(lines(text.toString(), texts));
        }
    }

    /** The line and the number of lines of each record, by a search for its text. */
    private static List<String> lines(String text, List<String> records) {
        List<String> lines = new ArrayList<>();
        int at = 0;
        long line = 0;
        for (String record : records) {
            int begin = text.indexOf(record, at);
            line += ends(text.substring(at, begin));
            long own = ends(record);
            lines.add(line + " " + (own + 1));
            line += own;
            at = begin + record.length();
        }
        return lines;
    }

    private static long ends(String text) {
        return Arrays.stream(text.split("\r\n|\n|\r", -1)).count() - 1;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "a,\"b\"c,d    | value 2 has text after its closing quote",
                "a,\"b         | value 2 begins with a quote that is not closed",
                "\"a\" ,b      | value 1 has text after its closing quote",
            })
    void record_withWrongQuotes_isNone(String text, String fault) throws IOException {
        List<CsvRecords.Found> found = read("1,2,3\n" + text, ',');
        assertThat(found).hasSize(2);
        assertThat(found.get(0).fault()).isNull();
        assertThat(found.get(1).fault()).isEqualTo(fault);
        assertThat(found.get(1).line()).isEqualTo(1);
    }

    @Test
    void record_afterAWrongOne_isRead() throws IOException {
        List<CsvRecords.Found> found = read("\"a\"b,\"c\nd,e\n", ',');
        assertThat(found).hasSize(2);
        assertThat(found.get(0).isTorn()).isTrue();
        assertThat(found.get(1).values()).containsExactly("d", "e");
        assertThat(found.get(1).line()).isEqualTo(1);
    }

    /** A value that began lines before takes in the rows between. */
    @Test
    void lines_ofAWrongRecord_areCounted() throws IOException {
        assertThat(read("a,\"b\nc,d\ne,f\n", ',').get(0).lines()).isEqualTo(4);
        assertThat(read("a,\"b\nc,d\n\"e,f\n", ',').get(0).lines()).isEqualTo(3);
    }

    @Test
    void bytes_notUtf8_areAFault() throws IOException {
        byte[] bytes = "a,b\nc,d\n".getBytes(StandardCharsets.ISO_8859_1);
        bytes[6] = (byte) 0xE9;
        assertThat(read(bytes, ',').get(1).fault()).isEqualTo("value 2 is not valid UTF-8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\n\r\n", "\ufeff"})
    void file_withoutText_hasNoRecords(String text) throws IOException {
        assertThat(read(text, ',')).isEmpty();
    }
}
