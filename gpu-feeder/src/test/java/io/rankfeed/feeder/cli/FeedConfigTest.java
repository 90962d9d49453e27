package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.feeder.tensor.ColumnRequest;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.Layout;
import io.rankfeed.schema.config.DurationText;
import io.rankfeed.schema.config.NumberOrAuto;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class FeedConfigTest {
    private static final Path SHIPPED = Path.of("../conf/feeds");

    @TempDir
    private Path folder;

    @Test
    void defaultFile_shipped_equalsDefaults() {
        assertThat(FeedConfig.read(SHIPPED.resolve("default.yaml"))).isEqualTo(FeedConfig.defaults());
    }

    @Test
    void feedFile_shipped_isValid() throws IOException {
        int count = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(SHIPPED, "*.yaml")) {
            for (Path file : files) {
                assertThat(FeedConfig.read(file).grace()).as(file.toString()).isPositive();
                count++;
            }
        }
        assertThat(count).isPositive();
    }

    @Test
    void feedFile_tooLarge_isRefused() throws IOException {
        Path file = folder.resolve("feed.yaml");
        Files.writeString(file, "depth: 8\n#" + "x".repeat((1 << 20) - 10));
        assertThat(FeedConfig.read(file).depth()).isEqualTo(NumberOrAuto.of(8));
        Files.writeString(file, "x", StandardOpenOption.APPEND);
        assertThatThrownBy(() -> FeedConfig.read(file))
                .isInstanceOf(ConfigException.class)
                .hasMessage(file + ": has 1048577 bytes; a configuration has at most 1 MiB");
        assertThatThrownBy(() -> FeedConfig.read(Path.of("/dev/zero")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("at most 1 MiB");
    }

    @Test
    void columns_requests_keepTheirOrder() throws IOException {
        FeedConfig config = read("""
                depth: 8
                feeds:
                  train:
                    columns:
                      - {name: row_id}
                      - {name: input_ids, layout: padded, pad-value: -1}
                  valid: {}
                """);
        assertThat(config.depth()).isEqualTo(NumberOrAuto.of(8));
        assertThat(config.columns())
                .isEqualTo(Map.of(
                        "train",
                        ColumnSelection.of(List.of(
                                ColumnRequest.of("row_id"),
                                new ColumnRequest(
                                        "input_ids",
                                        Optional.of(Layout.PADDED),
                                        new BigDecimal("-1"),
                                        Optional.empty()))),
                        "valid",
                        ColumnSelection.all()));
    }

    @Test
    void mistake_hasLineAndNearestWord() {
        assertThatThrownBy(() -> read("depth: 4\nworker: 3\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("2")
                .hasMessageContaining("did you mean 'workers'");
        assertThatThrownBy(() -> read("depth: 1\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("depth");
        assertThatThrownBy(() -> read("memory: 4GB\n")).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> read("feeds: {train: {columns: [{name: x, layout: padde}]}}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("padded");
        assertThatThrownBy(() -> FeedConfig.read(folder.resolve("none.yaml"))).isInstanceOf(ConfigException.class);
    }

    @Test
    void columns_shippedFile_isExplained() throws IOException {
        String text = Files.readString(SHIPPED.resolve("default.yaml"));
        String chosen = text.replaceFirst("(?m)^feeds: .*\\R", "").replaceAll("(?m)^# (feeds:|  )", "$1");
        assertThat(read(chosen).columns().get("train").columns().orElseThrow()).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({"30, PT30S", "30 s, PT30S", "5min, PT5M", "0, PT0S"})
    void grace_fileFormOrSeconds_isParsed(String written, Duration grace) {
        FeedFlags flags = new FeedFlags();
        new CommandLine(flags).setCaseInsensitiveEnumValuesAllowed(true).parseArgs("--grace", written);
        assertThat(flags.grace).isEqualTo(grace);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2 d", "86401 s", "1500 ms"})
    void grace_fileAndFlag_haveEqualBounds(String written) {
        Duration grace = DurationText.parse(written);
        assertThatThrownBy(() -> FeedConfig.graceSeconds("--grace", grace))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--grace must be whole seconds, at most a day");
        assertThatThrownBy(() -> read("grace: " + written + "\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("grace must be whole seconds, at most a day");
    }

    @Test
    void auto_inFileAndFlags_isTheFeedersChoice() throws IOException {
        FeedConfig config = read("depth: auto\nworkers: auto\n");
        assertThat(config.depth()).isEqualTo(NumberOrAuto.AUTO);
        assertThat(config.workers()).contains(NumberOrAuto.AUTO);
        assertThat(FeedPlan.number("--depth", "auto")).isEqualTo(NumberOrAuto.AUTO);
        assertThat(FeedPlan.number("--workers", "3")).isEqualTo(NumberOrAuto.of(3));
        assertThatThrownBy(() -> read("depth: some\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("depth")
                .hasMessageContaining("must be a whole number or auto, not");
        assertThatThrownBy(() -> FeedPlan.number("--workers", "many"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("--workers: 'many' is neither a whole number nor auto");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plan:", "plan: null", "plan: ''", "plan: ' '"})
    void plan_withoutValue_isRefused(String line) {
        assertThatThrownBy(() -> read("depth: 3\n" + line + "\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageEndingWith(
                        "feed.yaml line 2, key 'plan': has no value; give the name, the id or the path of a"
                                + " plan, or leave the key out");
    }

    private FeedConfig read(String yaml) throws IOException {
        return FeedConfig.read(Files.writeString(folder.resolve("feed.yaml"), yaml));
    }
}
