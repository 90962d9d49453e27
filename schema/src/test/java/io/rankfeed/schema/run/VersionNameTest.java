package io.rankfeed.schema.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A run names its version; the latest is the one that was committed last. */
class VersionNameTest {
    private final Map<String, String> files = new LinkedHashMap<>();
    private final Store store = new Store() {
        @Override
        public Optional<StoredFile> find(String path) {
            return Optional.ofNullable(files.get(path)).map(text -> new StoredFile(path, false, text.length(), 1));
        }

        @Override
        public List<StoredFile> list(String folder) {
            return files.keySet().stream()
                    .filter(file -> file.startsWith(folder + "/"))
                    .map(file -> folder + "/" + Path.of(file).getName(3))
                    .map(path -> new StoredFile(path, false, 0, 1))
                    .toList();
        }

        @Override
        public byte[] read(String file, long fromByte, int bytes) {
            read.add(file);
            return Objects.requireNonNull(files.get(file)).getBytes(StandardCharsets.UTF_8);
        }
    };
    private final List<String> read = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private void commit(long number, String run, String version) {
        commit(number, run, version, Optional.empty());
    }

    private void commit(long number, String run, String version, Optional<String> order) {
        files.put(
                "/data/house/commits/" + VersionCommit.fileName(number),
                new String(new VersionCommit(run, version, order, Optional.empty()).toBytes(), StandardCharsets.UTF_8));
    }

    @Test
    void versionAndOrderOfTheLatest_areThoseOfOneCommit() {
        VersionName latest = VersionName.parse("/data/house@latest").orElseThrow();
        Store changing = new Store() {
            @Override
            public Optional<StoredFile> find(String path) {
                return store.find(path);
            }

            @Override
            public List<StoredFile> list(String folder) {
                return store.list(folder);
            }

            @Override
            public byte[] read(String file, long fromByte, int bytes) {
                byte[] found = store.read(file, fromByte, bytes);
                long next = files.size() + 1L;
                commit(next, "run-" + next, "%016x".formatted(next), Optional.of("%016x".formatted(16 * next)));
                return found;
            }
        };
        commit(1, "run-1", "0000000000000001", Optional.of("0000000000000010"));
        assertThat(latest.located(changing, warnings::add))
                .isEqualTo(new VersionName.Located(
                        "/data/house/versions/0000000000000001", Optional.of("0000000000000010")));
        assertThat(latest.folder(changing, warnings::add)).endsWith("/0000000000000002");
    }

    private void run(String id, String members) {
        files.put("/data/house/runs/" + id + "/run.json", "{\"command\": \"export\", " + members + "}");
    }

    private String folder(String words) {
        return VersionName.parse(words).orElseThrow().folder(store, warnings::add);
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
    void latest_anyClocks_isTheLastCommit() {
        run("b", "\"state\": \"committed\", \"endedAt\": \"2031-01-01T00:00:00Z\", \"version\": \"00000000000000bb\"");
        run("c", "\"state\": \"committed\", \"endedAt\": \"2026-11-23T09:00:00Z\", \"version\": \"00000000000000aa\"");
        run("torn", "\"state\": \"comm");
        commit(9, "b", "00000000000000bb");
        commit(10, "c", "00000000000000aa");
        files.put("/data/house/commits/_attempt", "x");

        assertThat(folder("/data/house@latest")).isEqualTo("/data/house/versions/00000000000000aa");
        assertThat(read).containsExactly("/data/house/commits/0000000010.json");
        assertThat(folder("/data/house@b")).isEqualTo("/data/house/versions/00000000000000bb");
        assertThat(warnings).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"run\": \"c\"", "{\"run\": \"c\", \"version\": \"../../etc\"}", "{\"run\": \"c\"}"})
    void commit_unfinished_isIgnoredWithAWarning(String torn) {
        commit(1, "a", "00000000000000aa");
        files.put("/data/house/commits/0000000002.json", torn);
        files.put("/data/house/commits/0000000003.json", torn);

        assertThat(folder("/data/house@latest")).isEqualTo("/data/house/versions/00000000000000aa");
        assertThat(warnings).hasSize(2).allMatch(line -> line.contains("this commit is ignored"));
        assertThat(warnings.get(0)).startsWith("/data/house/commits/0000000003.json");

        commit(4, "d", "00000000000000dd");
        assertThat(folder("/data/house@latest")).isEqualTo("/data/house/versions/00000000000000dd");
        assertThat(warnings).hasSize(2);
    }

    @Test
    void aRunWithoutAVersionIsRefused() {
        for (String run : List.of("latest", "first")) {
            assertThatThrownBy(() -> folder("/data/house@" + run))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("no dataset exists at /data/house; check the path");
        }
        files.put("/data/house/plans/0123456789abcdef/manifest.json", "{}");
        assertThatThrownBy(() -> folder("/data/house@latest"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no committed run in /data/house has made a version");
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
                "\"state\": 1"
            })
    void damagedFactsAreRefused(String members) {
        run("monday", members);
        assertThatThrownBy(() -> folder("/data/house@monday"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("/data/house/runs/monday/run.json");
    }
}
