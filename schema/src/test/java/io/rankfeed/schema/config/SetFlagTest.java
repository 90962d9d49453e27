package io.rankfeed.schema.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SetFlagTest {
    record Stage(String until, @Default("{}") Map<String, Integer> weights) {}

    record Feed(
            @Default("1") int batch,
            @Default("[]") List<Stage> stages,
            @Default("none") String where) {}

    record Job(@Default("{}") Map<String, Feed> sample) {}

    private final ConfigDocument document = ConfigDocument.parse("x.yaml", """
            sample:
              train:
                batch: 8
                stages:
                  - until: 0.3
                  - until: 1.0
                    weights: {low: 1}
            """);

    @Test
    void aValueIsReplacedAtAnyDepth() {
        Job job = document.with("--set", "sample.train.batch=64")
                .with("--set", "sample.train.stages[1].weights.low=7")
                .with("--set", "sample.train.stages[0].weights={high: 2}")
                .bind(Job.class);
        assertThat(job.sample().get("train"))
                .isEqualTo(new Feed(
                        64, List.of(new Stage("0.3", Map.of("high", 2)), new Stage("1.0", Map.of("low", 7))), "none"));
    }

    @Test
    void missingMappingsAreMade() {
        Job job = document.with("--set", "sample.valid.where=a = 'b'").bind(Job.class);
        assertThat(job.sample().get("valid")).isEqualTo(new Feed(1, List.of(), "a = 'b'"));
    }

    @Test
    void anEmptyValueIsTheDefault() {
        assertThat(document.with("--set", "sample.train.batch=")
                        .bind(Job.class)
                        .sample()
                        .get("train")
                        .batch())
                .isEqualTo(1);
    }

    @Test
    void aMarkerOfADocumentIsNoValue() {
        for (String value : List.of("--- 5", "---", " ---\n5")) {
            assertThatThrownBy(() -> document.with("--set", "sample.train.batch=" + value))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("--set sample.train.batch: a value must not begin with ---");
        }
        assertThat(document.with("--set", "sample.train.where=---a")
                        .bind(Job.class)
                        .sample()
                        .get("train")
                        .where())
                .isEqualTo("---a");
    }

    @Test
    void refusalsNameTheFlagAndNeverItsValue() {
        assertThatThrownBy(() -> document.with("--set", "sample.train.bacth=64").bind(Job.class))
                .isInstanceOf(ConfigException.class)
                .hasMessage("--set sample.train.bacth, key 'sample.train.bacth': unknown key; did you mean 'batch'?");
        assertThatThrownBy(() ->
                        document.with("--set", "sample.pasword.secret=hunter2").bind(Job.class))
                .isInstanceOf(ConfigException.class)
                .hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> document.with("--set", "s3.secret.key:hunter2").bind(Job.class))
                .isInstanceOf(ConfigException.class)
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void aPathIsAsDeepAsAFileMayBe() {
        for (String path : List.of("a.".repeat(5000) + "a", "a" + "[0]".repeat(5000))) {
            assertThatThrownBy(() -> document.with("--set", path + "=1"))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("--set a")
                    .hasMessageEndingWith("…: nested deeper than 32");
        }
    }

    @Test
    void aPathThatLeadsNowhereIsRefused() {
        for (String path : List.of(
                "sample.train.batch.x", "sample.train.stages[2].until", "sample[0]", "a..b", "=1", "a[x]", "a]", "")) {
            assertThatThrownBy(() -> document.with("--set", path + "=1").bind(Job.class))
                    .as(path)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("--set");
        }
        assertThatThrownBy(() -> document.with("--set", "novalue")).hasMessageContaining("write key=value");
    }
}
