package io.rankfeed.schema.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PluralTest {
    @Test
    void onlyOneIsSingular() {
        assertThat(Plural.of(1, "row group")).isEqualTo("row group");
        assertThat(Plural.of(0, "row group")).isEqualTo("row groups");
        assertThat(Plural.of(2, "stratum is", "strata are")).isEqualTo("strata are");
        assertThat(Plural.counted(1, "row")).isEqualTo("1 row");
        assertThat(Plural.counted(20_000, "row")).isEqualTo("20,000 rows");
        assertThat(Plural.counted(0, "row is", "rows are")).isEqualTo("0 rows are");
    }
}
