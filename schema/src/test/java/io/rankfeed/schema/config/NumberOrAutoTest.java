package io.rankfeed.schema.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberOrAutoTest {
    record Ring(
            @Default("4") @Range(min = 2, max = 9) NumberOrAuto depth,
            @Range(min = 0, max = 9) Optional<NumberOrAuto> workers) {}

    private static Ring read(String text) {
        return ConfigDocument.parse("x.yaml", text).bind(Ring.class);
    }

    @Test
    void numberOrWord_isBoundAndWritten() {
        assertThat(read("{}")).isEqualTo(new Ring(NumberOrAuto.of(4), Optional.empty()));
        Ring auto = read("{depth: auto, workers: 0}");
        assertThat(auto).isEqualTo(new Ring(NumberOrAuto.AUTO, Optional.of(NumberOrAuto.of(0))));
        assertThat(ConfigJson.toJson(auto)).hasToString("{\"depth\":\"auto\",\"workers\":0}");
        assertThat(NumberOrAuto.parse("auto").isAuto()).isTrue();
        assertThat(NumberOrAuto.parse("7")).hasToString("7");
        assertThatThrownBy(() -> NumberOrAuto.parse("x")).hasMessageContaining("neither a whole number nor auto");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "depth: 1          | key 'depth': 1 is out of range; must be 2 to 9",
                "depth: 9999999999 | key 'depth': 9999999999 is out of range; must be 2 to 9",
                "workers: 10       | key 'workers': 10 is out of range; must be 0 to 9",
                "depth: Auto       | key 'depth': must be a whole number or auto, not",
                "depth: 2.5        | key 'depth': must be a whole number or auto, not",
                "depth: [2]        | key 'depth': must be a single value, not"
            })
    void otherValues_areRefused(String text, String message) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(ConfigException.class).hasMessageContaining(message);
    }

    @Test
    void schema_hasBothForms() {
        assertThat(ConfigSchema.of(Ring.class, "ring").path("properties").path("workers"))
                .hasToString(
                        "{\"pattern\":\"^auto$\",\"type\":[\"integer\",\"string\",\"null\"],\"minimum\":0,\"maximum\":9}");
    }
}
