package io.rankfeed.spark.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.run.OrderName;
import io.rankfeed.spark.inspect.InspectFixture.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rankfeed diff} of plans over a version, which needs no rows and no Spark. */
class PlanDiffTest {
    private static final Path GOLDEN = Path.of("../schema/src/test/resources/golden/dataset");
    private static final String VERSION = "a46aef0157b1abee";
    private static final String OWN = "ed3322a593a243bf";

    @TempDir
    private Path root;

    private Path dataset;
    private String version;
    private String other;

    @BeforeEach
    void write() throws IOException {
        dataset = root.resolve("golden");
        try (Stream<Path> files = Files.walk(GOLDEN)) {
            for (Path file : files.toList()) {
                Files.copy(file, dataset.resolve(GOLDEN.relativize(file).toString()));
            }
        }
        version = dataset.resolve("versions").resolve(VERSION).toString();
        other = plan(VERSION);
        Files.write(dataset.resolve("orders/seed7.json"), OrderName.FILES.toBytes(other));
    }

    /** Writes the version's own plan with another seed. */
    private String plan(String over) throws IOException {
        String text = Files.readString(dataset.resolve("orders").resolve(OWN).resolve(Order.FILE_NAME));
        Order own = OrderJson.parse(
                text.replace("\"seed\": 42", "\"seed\": 7")
                        .replace(VERSION, over)
                        .getBytes(StandardCharsets.UTF_8),
                "own");
        Order order = OrderId.identified(own);
        Path folder = Files.createDirectories(dataset.resolve("orders").resolve(order.plan()));
        Files.write(folder.resolve(Order.FILE_NAME), OrderJson.toBytes(order));
        return order.plan();
    }

    private String order(String name) {
        return dataset.resolve("orders").resolve(name).toString();
    }

    private static JsonNode answer(Answer answer, int exitCode) throws IOException {
        assertThat(answer.err()).isEmpty();
        assertThat(answer.exitCode()).isEqualTo(exitCode);
        return new ObjectMapper().readTree(answer.out());
    }

    private static Answer diff(String... words) {
        return InspectFixture.call(new DiffCommand(), words);
    }

    @Test
    void plansOfAVersion_byPathNameOrOption_areComparedByTheirNumbers() throws IOException {
        for (String[] words : List.of(
                new String[] {order(OWN), order(other)},
                new String[] {order(OWN) + "/order.json", order("seed7")},
                new String[] {version, order("seed7.json")},
                new String[] {version, "--plan", "seed7"},
                new String[] {version, "--plan", OWN, "--plan", other},
                new String[] {root + "/golden@latest", "--plan", order(other)})) {
            List<String> all = new ArrayList<>(List.of(words));
            all.addAll(List.of("--json", "--exit-code"));
            JsonNode report = answer(diff(all.toArray(String[]::new)), 10);
            JsonNode seed = report.at("/numbers of train/0");
            assertThat(seed.get("number").textValue()).isEqualTo("seed");
            assertThat(seed.get("before").longValue()).isEqualTo(42);
            assertThat(seed.get("after").longValue()).isEqualTo(7);
            assertThat(report.get("rows of train")).isNotEmpty();
            assertThat(report.get("numbers of valid")).isNotEmpty();
        }
        String text = diff(order(OWN), order(other)).out();
        assertThat(text).contains("feed train, seed: 42 before, 7 after", "both draw from version " + VERSION);
    }

    @Test
    void equalPlans_areTheSame() {
        Answer same = diff(version, "--plan", OWN, "--exit-code");
        assertThat(same.exitCode()).as(same.err()).isZero();
        assertThat(same.out()).contains("the same plan: " + OWN);
        assertThat(diff(version, "--plan", "seed7", "--feed", "valid", "--exit-code")
                        .exitCode())
                .isZero();
    }

    @Test
    void plansOfTwoVersions_nameTheCommandForTheirRows() throws IOException {
        String second = plan("0011223344556677");
        assertThat(diff(order(OWN), order(second)).out())
                .contains("stored rows: rankfeed diff " + version + " "
                        + dataset.resolve("versions").resolve("0011223344556677"));
    }

    @Test
    void wrongNumberOfPlans_isRefused() {
        for (String[] words :
                List.of(new String[] {version}, new String[] {version, order(other), "--plan", "seed7"}, new String[] {
                    version, "--plan", "seed7", "--plan", OWN, "--plan", "seed7"
                })) {
            Answer answer = diff(words);
            assertThat(answer.exitCode()).isEqualTo(2);
            assertThat(answer.err()).contains("name two plans or versions");
        }
        Answer unknown = diff(version, "--plan", "seed8");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err()).contains("seed8");
    }
}
