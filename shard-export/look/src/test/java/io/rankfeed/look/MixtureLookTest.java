package io.rankfeed.look;

import static io.rankfeed.look.InspectFixture.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rankfeed.look.InspectFixture.Answer;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.mixture.FillValue;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mixture of two members, named by its name, its folder or its file: five steps of 4 rows. */
class MixtureLookTest {
    @TempDir
    private Path root;

    private Path folder;

    @BeforeEach
    void write() throws Exception {
        List<Member> members = List.of(
                new Member("a", "one", "00000000000000aa", "train", 4, RowCycles.LIST, List.of(new Stratum("x", 5))),
                new Member("b", "two", "00000000000000bb", "all", 6, RowCycles.SHUFFLED, List.of(new Stratum("x", 9))));
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
                members,
                List.of(new Segment(0, 5, 0, List.of(4L, 6L), List.of(0L, 0L), 2, 0)));
        Field label = new Field("label", DType.INT8, Shape.scalar(), false);
        Mixture mixture =
                Mixture.of(feed, new SampleSchema(List.of(label)), Map.of("label", new FillValue(List.of("-1"))));
        folder = Files.createDirectories(root.resolve("mixtures").resolve(mixture.id()));
        Files.write(folder.resolve(Mixture.FILE_NAME), MixtureJson.toBytes(mixture));
        Files.write(root.resolve("mixtures/mixed.json"), MixtureName.FILES.toBytes(mixture.id()));
    }

    @Test
    void simulate_hasTheStrataOfAllMembers() throws Exception {
        for (Path path : List.of(folder, folder.resolve("mixture.json"), root.resolve("mixtures/mixed"))) {
            Answer answer = simulate(path.toString(), "--json");
            assertThat(answer.exitCode()).as(answer.err()).isZero();
            JsonNode report = new JsonMapper().readTree(answer.out());
            assertThat(report.get("strata of train").findValuesAsText("stratum"))
                    .containsExactly("a/x", "b/x");
            assertThat(report.get("plan").asText())
                    .isEqualTo(folder.getFileName().toString());
        }
        assertThat(simulate(folder.toString(), "--plan", "seed7").err())
                .contains("--plan requires a version")
                .contains("is a mixture");
    }

    @Test
    void inspect_describesMembersAndColumns() throws Exception {
        Answer answer = InspectFixture.inspect(root.resolve("mixtures/mixed").toString(), "--json");
        assertThat(answer.exitCode()).as(answer.err()).isZero();
        JsonNode report = new JsonMapper().readTree(answer.out());
        assertThat(report.get("members").findValuesAsText("drawn")).containsExactly("8", "12");
        assertThat(report.get("columns").findValuesAsText("dtype")).containsExactly("int8");
    }
}
