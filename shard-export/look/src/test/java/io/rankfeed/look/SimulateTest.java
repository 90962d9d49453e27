package io.rankfeed.look;

import static io.rankfeed.look.InspectFixture.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rankfeed.look.InspectFixture.Answer;
import io.rankfeed.report.Picture;
import io.rankfeed.report.Picture.Anchor;
import io.rankfeed.report.SharesPanel;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.TrainFeed;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import picocli.CommandLine;

/** The golden version's run, walked through. */
class SimulateTest {
    @TempDir
    private Path folder;

    private Path version;
    private TrainFeed train;

    @BeforeEach
    void version() throws Exception {
        version = InspectFixture.goldenVersion(folder.resolve("version"));
        Path file = version.resolve("order.json");
        Order order = OrderJson.parse(Files.readAllBytes(file), file.toString());
        train = order.feeds().stream()
                .filter(TrainFeed.class::isInstance)
                .map(TrainFeed.class::cast)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyDrawOfTheRunIsCounted() throws Exception {
        Answer answer = simulate(version.toString(), "--json", "--feed", train.name());
        assertThat(answer.exitCode()).as(answer.err()).isZero();
        JsonNode report = new JsonMapper().readTree(answer.out());
        long draws = train.steps() * train.batch();
        assertThat(sum(report.get("visits of " + train.name()), "draws")).isEqualTo(draws);
        assertThat(sum(report.get("drawn by " + train.name()), "rows")).isEqualTo(draws);
        assertThat(report.get("epochs of " + train.name())).hasSize(train.epochs());
        assertThat(report.get("rowsPerRank").findValuesAsText("feed")).containsOnly(train.name());
        for (JsonNode stratum : report.get("visits of " + train.name())) {
            assertThat(stratum.get("most").asLong() - stratum.get("fewest").asLong())
                    .isLessThanOrEqualTo(2);
        }
        assertThat(simulate(version.toString()).out().lines())
                .hasSizeLessThanOrEqualTo(10)
                .contains("valid: 3 steps of 4 rows, each of 11 rows once; 2 lanes")
                .contains(train.name() + ": draws per row: easy 1.60, hard 1.45; never drawn: 0 rows")
                .contains(train.name() + ": different rows in a batch: at least 75.0 %, mean 97.5 %");
        assertThat(simulate(version.toString(), "--verbose").out())
                .contains("visits of " + train.name(), "coverage by chance", "together: of the pairs of rows")
                .contains("feed valid is sequential", "rows per rank")
                .doesNotContain("coverageByChance");
        assertThat(new CommandLine(InspectFixture.simulateCommand()).getUsageMessage())
                .contains("leastUnique", "coverageByChance", "correlation", "together", "unseen");
    }

    @Test
    void picturesAreDrawn() throws Exception {
        Path pictures = folder.resolve("new/pictures");
        assertThat(simulate(version.toString(), "--pictures", pictures.toString())
                        .exitCode())
                .isZero();
        Document svg = parsed(Files.readString(pictures.resolve(train.name() + ".svg")));
        assertThat(svg.getElementsByTagName("rect").getLength())
                .isGreaterThan(train.strata().size());
    }

    @Test
    void oneStratumMoreThanThereAreColorsHasItsNameAndTwoMoreAreOthers() {
        assertThat(legend(SharesPanel.COLORS.size() + 1)).contains("stratum 7").doesNotContain("others");
        assertThat(legend(SharesPanel.COLORS.size() + 2)).contains("2 others").doesNotContain("stratum 7");
    }

    private static String legend(int strata) {
        List<String> names =
                IntStream.range(0, strata).mapToObj(s -> "stratum " + s).toList();
        Picture picture = new Picture(400, 300);
        new SharesPanel(picture, names, 10, 200, 10, 100).legend();
        return picture.svg();
    }

    @Test
    void namesOutOfDataStayTextInAPicture() throws Exception {
        Picture picture = new Picture(10, 10);
        picture.text(1, 1, "<script>&\"\u0000\uD800\uFFFF😀", Anchor.END);
        picture.rectangle(0, 0, 1, 1, 0x123456, "</title><a>");
        Document svg = parsed(picture.svg());
        assertThat(svg.getElementsByTagName("text").item(0).getTextContent()).isEqualTo("<script>&\"\\u0000??😀");
        assertThat(svg.getElementsByTagName("title").item(0).getTextContent()).isEqualTo("</title><a>");
    }

    @Test
    void whatIsNoPlanIsNamed() throws Exception {
        assertThat(simulate(folder.resolve("none").toString()))
                .satisfies(answer -> assertThat(answer.exitCode()).isEqualTo(2))
                .satisfies(answer -> assertThat(answer.err()).contains("none", "neither a plan nor a version"));
        assertThat(simulate(version.toString(), "--feed", train.name() + "x"))
                .satisfies(answer -> assertThat(answer.exitCode()).isEqualTo(2))
                .satisfies(answer -> assertThat(answer.err()).contains("--feed", "'" + train.name() + "'"));
        Files.writeString(version.resolve("order.json"), "{}");
        assertThat(simulate(version.toString()).exitCode()).isEqualTo(3);
    }

    @Test
    void optionsOfOneProgram_areHandedToIt() {
        assertThat(simulate("job.yaml", "--set", "a=1").err()).contains("job.yaml [a=1]");
        assertThat(simulate(version.toString(), "--set", "a=1").err()).contains("--set is for a job file");
        assertThat(simulate(version.toString(), "--world", "2").err()).contains("--world requires --lengths");
        assertThat(simulate("v", "--lengths", "--world", "2", "--plan", "p").out())
                .contains("Measured[version=v, plan=Optional[p], feed=Optional.empty, config=Optional.empty,"
                        + " world=Optional[2]]");
    }

    private static long sum(JsonNode table, String column) {
        long sum = 0;
        for (JsonNode row : table) {
            sum += row.get(column).asLong();
        }
        return sum;
    }

    private static Document parsed(String xml) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    }
}
