package io.rankfeed.feeder.timing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShareTest {
    @ParameterizedTest
    @CsvSource({"0, 0 %", "0.0001, < 1 %", "0.0099, < 1 %", "0.01, 1 %", "0.126, 13 %", "1, 100 %"})
    void percent_hasOneFormatOfZero(double share, String text) {
        assertThat(Share.percent(share)).isEqualTo(text);
    }
}
