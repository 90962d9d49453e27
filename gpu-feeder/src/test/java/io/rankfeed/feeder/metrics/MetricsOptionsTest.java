package io.rankfeed.feeder.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MetricsOptionsTest {
    private static final String TOKEN = "0123456789abcdef";

    @TempDir
    private Path folder;

    private static MetricsOptions options(String... words) {
        return CommandLine.populateCommand(new MetricsOptions(), words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:9464", "localhost:0", "[::1]:65535", "127.0.0.2:1"})
    void loopback_needsNoToken(String address) {
        assertThatCode(() -> options("--metrics", address).parse(Map.of())).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "9464           | is not a host and a port",
                ":9464          | is not a host and a port",
                "127.0.0.1      | is not a host and a port",
                "::1:9464       | is not a host and a port",
                "127.0.0.1:65536| is not a host and a port",
                "127.0.0.1:x    | is not a host and a port",
                "0.0.0.0:9464   | can be reached from other machines; set a token",
                "[::]:9464      | can be reached from other machines; set a token",
                "no.invalid:1   | unknown host",
            })
    void address_isRefused(String address, String message) {
        assertThatThrownBy(() -> options("--metrics", address).parse(Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--metrics " + address)
                .hasMessageContaining(message);
    }

    @Test
    void everyInterface_isServedWithAToken() throws Exception {
        Path file = Files.writeString(folder.resolve("token"), TOKEN + "\n");
        options("--metrics", "0.0.0.0:9464", "--metrics-token-file", file.toString())
                .parse(Map.of());
        options("--metrics", "0.0.0.0:9464").parse(Map.of(AccessToken.VARIABLE, TOKEN));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "0123456789abcde", "0123456789 abcdef", "0123456789abcdef\u00e9", "two-lines\nof-a-file"})
    void token_isRefusedWithoutShowingIt(String token) throws Exception {
        Path file = Files.writeString(folder.resolve("token"), token);
        MetricsOptions options = options("--metrics", "0.0.0.0:9464", "--metrics-token-file", file.toString());
        assertThatThrownBy(() -> options.parse(Map.of(AccessToken.VARIABLE, TOKEN)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("16 to 512")
                .satisfies(e -> assertThat(token.isEmpty()
                                || !String.valueOf(e.getMessage()).contains(token))
                        .isTrue());
    }

    @Test
    void tokenFile_isThereAndOfAnAddress() {
        String missing = folder.resolve("none").toString();
        assertThatThrownBy(() -> options("--metrics", "127.0.0.1:1", "--metrics-token-file", missing)
                        .parse(Map.of()))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("no such file");
        assertThatThrownBy(() -> options("--metrics-token-file", missing).parse(Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("requires --metrics");
    }
}
