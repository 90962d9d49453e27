package io.rankfeed.feeder.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RankListTest {
    @Test
    void parse_rangesAndRanks_isSorted() {
        assertThat(RankList.parse("0-3")).containsExactly(0, 1, 2, 3);
        assertThat(RankList.parse("7, 2,4-5,5")).containsExactly(2, 4, 5, 7);
        assertThat(RankList.below(3)).containsExactly(0, 1, 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0-3", "0,2", "0-1,4-7,9"})
    void text_parsed_isTheSame(String text) {
        assertThat(RankList.text(RankList.parse(text))).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "3-1", "1-", "-1", "1,,2", "1-2-3", "99999999"})
    void parse_otherText_isRefused(String text) {
        assertThatThrownBy(() -> RankList.parse(text)).isInstanceOf(ConfigException.class);
    }
}
