package io.rankfeed.feeder.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SupervisedRunTest {
    @Test
    void command_doesNotGetSecrets() {
        SupervisedRun run = new SupervisedRun(
                "r",
                List.of("feeder"),
                List.of("command"),
                Map.of("RANKFEED_RUN", "r"),
                Set.of("SECRET", "ABSENT"),
                pid -> true,
                () -> {},
                line -> {});
        Map<String, String> environment = new HashMap<>(Map.of("SECRET", "s", "PATH", "/bin"));
        run.prepare(environment);
        assertThat(environment).containsOnly(Map.entry("PATH", "/bin"), Map.entry("RANKFEED_RUN", "r"));
    }

    @Test
    void restarts_areThoseOfTheVariable() {
        assertThat(SupervisedRun.restarts(Map.of())).isZero();
        assertThat(SupervisedRun.restarts(Map.of(SupervisedRun.RESTARTS, "7"))).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "", "-1", "99999999999999999999"})
    void restarts_areANumber(String written) {
        assertThatThrownBy(() -> SupervisedRun.restarts(Map.of(SupervisedRun.RESTARTS, written)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(SupervisedRun.RESTARTS + " is not a number");
    }
}
