package io.rankfeed.schema.failure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RankfeedExceptionTest {
    @Test
    void everyKindHasItsExitCode() {
        assertThat(new ConfigException("x").exitCode()).isEqualTo(2);
        assertThat(new CorruptDataException("f", "x").exitCode()).isEqualTo(3);
        assertThat(new EnvironmentException("x").exitCode()).isEqualTo(4);
    }

    @Test
    void damageNamesFileAndByte() {
        assertThat(new CorruptDataException("lane-00000-00000.arrow", 1L << 40, "no magic"))
                .hasMessage("lane-00000-00000.arrow, byte 1099511627776: no magic");
    }

    @Test
    void aMessageIsOneLineThatSteersNoTerminal() {
        assertThat(new ConfigException("a\nb\u001b[31mc\u0000")).hasMessage("a\\nb\\u001b[31mc\\u0000");
    }
}
