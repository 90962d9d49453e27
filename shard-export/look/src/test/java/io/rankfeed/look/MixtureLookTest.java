package io.rankfeed.look;

import static io.rankfeed.look.InspectFixture.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rankfeed.look.InspectFixture.Answer;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.mixture.Mixture;
import io.rankfeed.schema.mixture.MixtureJson;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.run.MixtureName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mixture of two members over the golden version, named by its name, its folder or its file: five steps of 4 rows. */
class MixtureLookTest {
    @TempDir
    private Path root;

    private Path version;
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        Path copied = InspectFixture.goldenVersion(root.resolve("copied"));
        Manifest manifest = ManifestJson.read(copied);
        version = root.resolve("golden/versions").resolve(manifest.id());
        Files.createDirectories(version.getParent());
        Files.move(copied, version);
        folder = written(List.of(new Stratum("easy", 15), new Stratum("hard", 11)));
        Files.write(
                root.resolve("mixtures/mixed.json"),
                MixtureName.FILES.toBytes(folder.getFileName().toString()));
    }

    /** Writes a mixture with these strata of its second member. */
    private Path written(List<Stratum> strata) throws IOException {
        Manifest.Version manifest = (Manifest.Version) ManifestJson.read(version);
        List<Stratum> own = List.of(new Stratum("easy", 15), new Stratum("hard", 11));
        TrainFeed feed = new TrainFeed(
                "train",
                7,
                2,
                4,
                1,
                5,
                List.of(),
                EpochMode.STREAM,
                RowOrder.GLOBAL,
                1,
                List.of(
                        new Member("a", "golden", manifest.id(), "train", 2, RowCycles.LIST, own),
                        new Member("b", "golden", manifest.id(), "train", 2, RowCycles.SHUFFLED, strata)),
                List.of(new Segment(0, 5, 0, List.of(1L, 3L, 2L, 4L), List.of(0L, 0L, 0L, 0L), 2, 0)));
        Mixture mixture = Mixture.of(feed, manifest.schema(), Map.of());
        Path mixtures = Files.createDirectories(root.resolve("mixtures").resolve(mixture.id()));
        Files.write(mixtures.resolve(Mixture.FILE_NAME), MixtureJson.toBytes(mixture));
        return mixtures;
    }

    private static JsonNode json(Answer answer) throws IOException {
        assertThat(answer.exitCode()).as(answer.err()).isZero();
        return new JsonMapper().readTree(answer.out());
    }

    @Test
    void simulate_hasTheStrataOfAllMembers() throws IOException {
        for (Path path : List.of(folder, folder.resolve("mixture.json"), root.resolve("mixtures/mixed"))) {
            JsonNode report = json(simulate(path.toString(), "--json"));
            assertThat(report.get("strata of train").findValuesAsText("stratum"))
                    .containsExactly("a/easy", "a/hard", "b/easy", "b/hard");
            assertThat(report.get("plan").asText())
                    .isEqualTo(folder.getFileName().toString());
        }
    }

    @Test
    void simulate_withPlan_isRefusedWithRemedy() {
        Answer answer = simulate(folder.toString(), "--plan", "seed7");
        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err()).contains("is a mixture, which is a plan itself; leave the plan out");
    }

    @Test
    void simulate_withoutTheVersion_isRefusedWithMember() throws IOException {
        Files.move(version, root.resolve("elsewhere"));
        Answer answer = simulate(folder.toString());
        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err()).contains("member 'a'").contains("copy the version to " + version);
        // What the file says is described all the same.
        json(InspectFixture.inspect(folder.toString(), "--json"));
    }

    @Test
    void simulate_otherRowsThanTheVersion_isRefused() throws IOException {
        Path other = written(List.of(new Stratum("easy", 15), new Stratum("hard", 12)));
        Answer answer = simulate(other.toString());
        assertThat(answer.exitCode()).isEqualTo(3);
        assertThat(answer.err()).contains("member 'b'").contains("has other lanes, strata or rows than version");
    }

    @Test
    void inspect_describesMembersAndColumns() throws IOException {
        JsonNode report =
                json(InspectFixture.inspect(root.resolve("mixtures/mixed").toString(), "--json"));
        assertThat(report.get("members").findValuesAsText("drawn")).containsExactly("8", "12");
        assertThat(report.get("columns").findValuesAsText("name")).contains("label", "box");
    }
}
