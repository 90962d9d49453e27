package io.rankfeed.schema.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({
        "0 B, 0, 0 B",
        "1 MiB, 1048576, 1 MiB",
        "64KiB, 65536, 64 KiB",
        "2048 MiB, 2147483648, 2 GiB",
        "1000 B, 1000, 1000 B"
    })
    void sizesAreReadAndWritten(String text, long bytes, String canonical) {
        assertThat(ByteSize.parse(text)).isEqualTo(new ByteSize(bytes)).hasToString(canonical);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 B", "1023, 1023 B", "1536, 1.5 KiB", "1048576, 1.0 MiB", "281474976809984, 256.0 TiB"})
    void aReaderIsReportedSizesRounded(long bytes, String rounded) {
        assertThat(ByteSize.rounded(bytes)).isEqualTo(rounded);
    }

    @ParameterizedTest
    @CsvSource({
        "128 m, did you mean '128 MiB'?",
        "128MB, did you mean '128 MiB'?",
        "128 mib, did you mean '128 MiB'?",
        "64k, did you mean '64 KiB'?",
        "1024, did you mean '1024 B'?",
        "-1 MiB, it is negative",
        "1.5 GiB, write a whole number and a unit",
        "lots, write a whole number and a unit",
        "99999999999 TiB, more than 2^63 bytes",
        "1  MiB, did you mean '1 MiB'?"
    })
    void whatIsNoSizeIsAnsweredWithTheNearest(String text, String hint) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOf(BadValue.class)
                .hasMessageContaining(hint.replace("''", "'"));
    }

    @ParameterizedTest
    @CsvSource({"500 ms, 500, 500 ms", "30s, 30000, 30 s", "60 s, 60000, 1 min", "48 h, 172800000, 2 d", "0 s, 0, 0 ms"
    })
    void durationsAreReadAndWritten(String text, long millis, String canonical) {
        assertThat(DurationText.parse(text)).isEqualTo(Duration.ofMillis(millis));
        assertThat(DurationText.format(Duration.ofMillis(millis))).isEqualTo(canonical);
    }

    @Test
    void whatIsNoDurationIsAnsweredWithTheNearest() {
        assertThatThrownBy(() -> DurationText.parse("30")).hasMessageContaining("did you mean '30 s'?");
        assertThatThrownBy(() -> DurationText.parse("5 m")).hasMessageContaining("did you mean '5 min'?");
        assertThatThrownBy(() -> DurationText.parse("-5 s")).hasMessageContaining("write a whole number");
    }
}
