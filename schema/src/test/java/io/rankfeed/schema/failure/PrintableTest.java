package io.rankfeed.schema.failure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PrintableTest {
    /** Controls of ASCII and Latin-1, ends of lines and paragraphs, what turns the direction of text, and the invisible. */
    private static int[] hostile() {
        return Stream.of(
                        IntStream.range(0, 0x20),
                        IntStream.range(0x7F, 0xA0),
                        IntStream.rangeClosed(0x2028, 0x202E),
                        IntStream.rangeClosed(0x2066, 0x2069),
                        IntStream.of(0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF),
                        IntStream.rangeClosed(0xE0000, 0xE007F))
                .flatMapToInt(range -> range)
                .toArray();
    }

    @Test
    void everyOtherCharacterStays() {
        String others = IntStream.range(0x20, 0x110000)
                .filter(c -> c < 0xD800 || c > 0xDFFF)
                .filter(c -> IntStream.of(hostile()).noneMatch(one -> one == c))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        assertThat(Printable.line(others)).isEqualTo(others);
        assertThat(Printable.lines(others)).isEqualTo(others);
    }

    @Test
    void controlCharactersAreEscapedAsInJson() throws IOException {
        for (int c : hostile()) {
            String text = "a" + Character.toString(c) + "b";
            String shown = Printable.line(text);
            assertThat(shown.codePoints().filter(one -> IntStream.of(hostile()).anyMatch(each -> each == one)))
                    .isEmpty();
            assertThat(new ObjectMapper().readValue('"' + shown + '"', String.class))
                    .isEqualTo(text);
            assertThat(Printable.lines(text)).isEqualTo(c == '\n' || c == '\t' ? text : shown);
        }
    }
}
