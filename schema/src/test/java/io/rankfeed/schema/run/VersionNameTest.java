package io.rankfeed.schema.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A run names its version; the latest run is the committed one that ended last. */
class VersionNameTest {
    private final Map<String, String> files = new LinkedHashMap<>();
    private final VersionName.Runs runs = new VersionName.Runs() {
        @Override
        public List<String> ids(String runsFolder) {
            assertThat(runsFolder).isEqualTo("/data/house/runs");
            return files.keySet().stream()
                    .map(file -> Path.of(file).getName(3).toString())
                    .toList();
        }

        @Override
        public Optional<byte[]> read(String file) {
            return Optional.ofNullable(files.get(file)).map(text -> text.getBytes(StandardCharsets.UTF_8));
        }
    };

    private void run(String id, String members) {
        files.put("/data/house/runs/" + id + "/run.json", "{\"command\": \"export\", " + members + "}");
    }

    private String folder(String words) {
        return VersionName.parse(words).orElseThrow().folder(runs);
    }

    @ParameterizedTest
    @CsvSource({
        "/data/house@latest, /data/house, latest",
        "/data/house@latest/, /data/house, latest",
        "/data/house/@monday, /data/house, monday",
        "hdfs://user@nn/data/house@2026-11-23, hdfs://user@nn/data/house, 2026-11-23",
        "a@b@c, a@b, c"
    })
    void aNameIsADatasetAndARun(String words, String dataset, String run) {
        assertThat(VersionName.parse(words)).contains(new VersionName(dataset, run));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "@latest", "/@latest", "house@", "/data/house/versions/0123456789abcdef", "hdfs://user@nn/x"
            })
    void aPathIsNoName(String words) {
        assertThat(VersionName.parse(words)).isEmpty();
    }

    @Test
    void theLatestIsTheCommittedRunThatEndedLast() {
        run(
                "c",
                "\"state\": \"committed\", \"endedAt\": \"2026-11-23T09:00:00.5Z\", \"version\": \"00000000000000aa\"");
        run(
                "b",
                "\"state\": \"committed\", \"endedAt\": \"2026-11-23T09:00:00.25Z\", \"version\": \"00000000000000bb\"");
        run(
                "prepared",
                "\"state\": \"committed\", \"endedAt\": \"2026-11-24T00:00:00Z\", \"prepared\": \"00000000000000cc\"");
        run(
                "failed",
                "\"state\": \"failed\", \"endedAt\": \"2026-11-25T00:00:00Z\", \"version\": \"00000000000000dd\"");
        run("running", "\"state\": \"running\"");

        assertThat(folder("/data/house@latest")).isEqualTo("/data/house/versions/00000000000000aa");
        assertThat(folder("/data/house@b")).isEqualTo("/data/house/versions/00000000000000bb");
    }

    @Test
    void aRunWithoutAVersionIsRefused() {
        assertThatThrownBy(() -> folder("/data/house@latest"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no committed run is in /data/house/runs that made a version");
        run("monday", "\"state\": \"running\"");
        assertThatThrownBy(() -> folder("/data/house@monday"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("the run made no version (command 'export', state 'running')");
        assertThatThrownBy(() -> folder("/data/house@mondya"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean 'monday'?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"state\": \"committed\", \"endedAt\": \"2026-11-23T09:00:00Z\", \"version\": \"../../etc\"",
                "\"state\": \"committed\", \"endedAt\": \"yesterday\", \"version\": \"00000000000000aa\"",
                "\"state\": 1"
            })
    void damagedFactsAreRefused(String members) {
        run("monday", members);
        assertThatThrownBy(() -> folder("/data/house@latest"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("/data/house/runs/monday/run.json");
    }
}
