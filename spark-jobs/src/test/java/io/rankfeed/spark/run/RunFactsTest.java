package io.rankfeed.spark.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.FeedDecisions;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFactsTest {
    private final Configuration conf = new Configuration(false);

    private java.nio.file.Path file;
    private Path folder;

    @BeforeEach
    void open(@TempDir java.nio.file.Path root) {
        file = root.resolve("runs/monday/run.json");
        folder = new Path(file.getParent().toUri());
    }

    @Test
    void aRunIdIsOneJobsAtATime() {
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
    void aRunThatATwinCommittedMeanwhileStays() throws IOException {
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
    void whatThePlannerDecidedIsAFact() throws IOException {
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

    private Optional<RunFacts> begin(String command) {
        return RunFacts.begin(folder, "monday", command, job(), "app", conf);
    }

    private static JsonNode job() {
        return JsonNodeFactory.instance.objectNode().put("dataset", "d");
    }
}
