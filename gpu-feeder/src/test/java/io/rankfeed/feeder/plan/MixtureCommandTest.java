package io.rankfeed.feeder.plan;

import static io.rankfeed.feeder.plan.MixtureFixture.LABEL;
import static io.rankfeed.feeder.plan.MixtureFixture.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.mixture.FillValue;
import io.rankfeed.schema.mixture.Mixture;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.Stratum;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rankfeed plan --mixture} over two small versions. */
class MixtureCommandTest {
    private MixtureFixture mixtures;

    @BeforeEach
    void writeVersions(@TempDir Path dir) throws IOException {
        mixtures = MixtureFixture.write(dir);
    }

    @Test
    void mixture_ofTwoVersions_isWrittenBelowTheirRoot() throws IOException {
        CommandRun run = mixtures.plan("--name", "mixed");
        assertThat(run.exitCode()).as(run.err()).isZero();
        Mixture mixture = mixtures.written("mixed");
        Path folder = mixtures.root().resolve("mixtures").resolve(mixture.id());
        assertThat(run.err()).contains("next: rankfeed feed " + folder);
        assertThat(run.out())
                .contains("mixture mixed, " + mixture.id() + ": " + folder)
                .contains("6 steps of 8 rows, 2 epochs; 2 lanes")
                .contains("a: weight 3; 36 rows of its 24, 12 repeats")
                .contains("b: weight 1; 12 rows of its 24, 0 repeats");
        assertThat(mixture.columns()).isEqualTo(new SampleSchema(List.of(TEXT, LABEL)));
        assertThat(mixture.fill()).isEqualTo(Map.of("label", new FillValue(List.of("-1"))));
        assertThat(mixture.feed().strata().stream().map(Stratum::name)).containsExactly("a/x", "a/y", "b/x", "b/y");
        assertThat(mixture.feed().segments().stream().map(Segment::quotas)).containsExactly(List.of(9L, 9L, 3L, 3L));
        byte[] bytes = Files.readAllBytes(folder.resolve("mixture.json"));
        assertThat(mixtures.plan("--set", "weights={a: 30, b: 10}", "--name", "mixed")
                        .exitCode())
                .isZero();
        assertThat(folder.resolve("mixture.json")).hasBinaryContent(bytes);
    }

    @Test
    void json_hasNumbersAsNumbers() {
        JsonNode answer =
                StrictJson.parse(mixtures.plan("--json", "--dry-run").out().getBytes(StandardCharsets.UTF_8), "answer");
        assertThat(answer.path("feeds").path(0).path("epochs")).isEqualTo(IntNode.valueOf(2));
        assertThat(answer.findValues("stage")).isNotEmpty().allMatch(JsonNode::isNumber);
    }

    @Test
    void lanes_ofFeedsThatTheMixtureDoesNotUse_areNotCopied() throws IOException {
        Path c = mixtures.version(mixtures.root(), "third", 6, List.of(new SequentialFeed("valid", 3, 6, 12, 2)), TEXT);
        assertThat(mixtures.plan("--set", "members.b=" + c, "--name", "one").exitCode())
                .isZero();
        long expected = Stream.concat(
                        lanes(mixtures.root().resolve("first"), "train"),
                        lanes(mixtures.root().resolve("third"), "train"))
                .mapToLong(ArtifactFile::bytes)
                .sum();
        assertThat(NamedOrder.open(mixtures.root() + "/mixtures/one", Optional.empty())
                        .laneBytes(LaneSelection.all()))
                .isEqualTo(expected);
        assertThat(lanes(mixtures.root().resolve("third"), "valid")).isNotEmpty();
    }

    private static Stream<ArtifactFile> lanes(Path dataset, String feed) throws IOException {
        try (Stream<Path> versions = Files.list(dataset.resolve("versions"))) {
            return TestVersion.manifest(versions.findFirst().orElseThrow()).files().stream()
                    .filter(file -> file.path().value().startsWith("lanes/" + feed + "/"));
        }
    }

    @Test
    void dryRun_writesNothing() {
        CommandRun run = mixtures.plan("--dry-run");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("not written");
        assertThat(run.err()).doesNotContain("next:");
        assertThat(mixtures.root().resolve("mixtures")).doesNotExist();
    }

    @Test
    void members_ofOneVersion_areTwo() throws IOException {
        Path a = mixtures.version(mixtures.root(), "third", 3, TEXT);
        String members = "members={a: " + a + ", b: " + a + ", c: " + a + "}";
        CommandRun run = mixtures.plan(
                "--set",
                members,
                "--set",
                "fill={}",
                "--set",
                "batch=9",
                "--set",
                "stages=[{until: 0.5, weights:" + " {a: 1}}, {weights: {b: 1, c: 1}}]",
                "--set",
                "weights={}",
                "--name",
                "one");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(mixtures.written("one").feed().lanes()).isEqualTo(3);
        assertThat(run.out()).contains("c: weight 0, 1; ");
    }

    @Test
    void lanes_withoutCommonDivisor_areOne() throws IOException {
        Path c = mixtures.version(mixtures.root(), "third", 3, TEXT);
        CommandRun run = mixtures.plan("--set", "members.b=" + c, "--name", "one");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("1 lane: only one rank can train on this mixture");
    }
}
