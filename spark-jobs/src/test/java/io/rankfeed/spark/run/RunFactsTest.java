package io.rankfeed.spark.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.FeedDecisions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunFactsTest {
    private static final String VERSION = "0123456789abcdef";

    private final Configuration conf = new Configuration(false);

    private java.nio.file.Path file;
    private Path folder;

    @BeforeEach
    void open(@TempDir java.nio.file.Path root) {
        file = root.resolve("runs/monday/run.json");
        folder = new Path(file.getParent().toUri());
    }

    @Test
    void runId_inUse_isRefused() {
        RunFacts facts = begin("prepare").orElseThrow();
        assertThatThrownBy(() -> begin("prepare"))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("another job");
        facts.failed("no", 4);
        begin("prepare").orElseThrow().committed();
        assertThat(RunFacts.committed(folder, "prepare", job(), conf)).isPresent();
        assertThat(file.getParent().toFile().list()).containsExactly("run.json");
    }

    @Test
    void run_committedByAnotherJob_stays() throws IOException {
        begin("prepare").orElseThrow().committed();
        byte[] committed = Files.readAllBytes(file);

        assertThat(begin("prepare")).isEmpty();
        assertThatThrownBy(() -> begin("export"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("run id 'monday' was used for 'prepare'");
        assertThat(file).hasBinaryContent(committed);
        assertThat(file.getParent().toFile().list()).containsExactly("run.json");
    }

    @Test
    void decisionsOfThePlanner_areInTheFacts() throws IOException {
        RunFacts facts = begin("sample").orElseThrow();
        facts.decided(Map.of());
        assertThat(file).content().doesNotContain("decisions");
        facts.decided(Map.of(
                "train",
                new FeedDecisions(
                        List.of(), List.of(new FeedDecisions.Shortage(1, "high", 80, 77, 80, 3)), List.of())));
        facts.committed();
        assertThat(file).content().contains("\"repeated\": 3");
    }

    /** A JVM that commits a version; a test has it killed. */
    static final class Committing {
        public static void main(String[] args) {
            commit(new Path(args[0]));
        }

        static void commit(Path folder) {
            RunFacts facts = RunFacts.begin(folder, "monday", "export", job(), "app", new Configuration(false))
                    .orElseThrow();
            facts.phase("export", "version", VERSION, Duration.ZERO, 1, 1);
            facts.committed();
        }
    }

    @ParameterizedTest
    @CsvSource({"run.before-commit-log, 0", "run.after-commit-log, 1"})
    void driver_killedInCommit_leavesACompleteCommitOrNone(String point, int listed)
            throws IOException, InterruptedException {
        java.nio.file.Path root = file.getParent().getParent().getParent();
        java.nio.file.Path commits = root.resolve("commits");
        java.nio.file.Path log = root.resolve("log");
        assertThat(KilledRun.of(Committing.class, point, log, folder.toString()))
                .as(() -> text(log))
                .isEqualTo(KilledRun.KILLED);
        assertThat(file).content().contains("\"state\": \"running\"");
        assertThat(commitsIn(commits)).hasSize(listed).allMatch(commit -> commit.contains(VERSION));

        Committing.commit(folder);
        assertThat(file).content().contains("\"state\": \"committed\"");
        assertThat(commitsIn(commits)).hasSize(listed + 1).allMatch(commit -> commit.contains(VERSION));
    }

    private static List<String> commitsIn(java.nio.file.Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return List.of();
        }
        try (Stream<java.nio.file.Path> files = Files.list(folder)) {
            return files.map(RunFactsTest::text).toList();
        }
    }

    private static String text(java.nio.file.Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Optional<RunFacts> begin(String command) {
        return RunFacts.begin(folder, "monday", command, job(), "app", conf);
    }

    private static JsonNode job() {
        return JsonNodeFactory.instance.objectNode().put("dataset", "d");
    }
}
