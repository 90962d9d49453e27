package io.rankfeed.export.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParquetTailTest {
    private static final String ADVICE =
            "; if it is not of the table, move it out of the folder, or begin its name with _";

    @ParameterizedTest
    @ValueSource(strings = {"", "short", "# A README that is longer than a footer"})
    void fileOfAnotherKind_isNamedWithWhatToDo(String content) {
        assertThatThrownBy(() -> read("/table/README.md", content))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith("/table/README.md")
                .hasMessageEndingWith(ADVICE);
        // A damaged file of the table must not be moved away.
        assertThatThrownBy(() -> read("/table/part-0.parquet", content))
                .isInstanceOf(CorruptDataException.class)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain(ADVICE));
    }

    private static void read(String name, String content) throws Exception {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        ParquetTail.of((from, part) -> System.arraycopy(bytes, (int) from, part, 0, part.length), name, bytes.length);
    }
}
