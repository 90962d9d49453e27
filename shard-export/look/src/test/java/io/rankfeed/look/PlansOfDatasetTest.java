package io.rankfeed.look;

import static io.rankfeed.look.InspectFixture.inspect;
import static io.rankfeed.look.InspectFixture.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rankfeed.look.InspectFixture.Answer;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.run.IdFiles;
import io.rankfeed.schema.run.OrderName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans over the golden version, in its dataset. */
class PlansOfDatasetTest {
    private static final String VERSION = "298170fcc4c026ca";

    @TempDir
    private Path folder;

    private Path dataset = Path.of("");
    private TrainFeed train;
    private SequentialFeed valid;

    @BeforeEach
    void version() throws IOException {
        dataset = folder.resolve("golden");
        Path version = InspectFixture.goldenVersion(dataset.resolve("versions").resolve(VERSION));
        Order order = OrderJson.parse(Files.readAllBytes(version.resolve(Order.FILE_NAME)), Order.FILE_NAME);
        train = (TrainFeed) order.feed("train").orElseThrow();
        valid = (SequentialFeed) order.feed("valid").orElseThrow();
    }

    @Test
    void simulate_planOfTheVersion_isSimulated() throws IOException {
        write("mine", over(VERSION, 2, 15), valid);
        Answer answer = simulated("mine");
        assertThat(answer.exitCode()).as(answer.err()).isZero();
        assertThat(answer.out()).contains("train: 10 steps of 4 rows");
    }

    @Test
    void simulate_planThatDoesNotFitTheVersion_isRefused() throws IOException {
        write("lanes", over(VERSION, 4, 15), valid);
        write("rows", over(VERSION, 2, 16), valid);
        write("list", over(VERSION, 2, 15), new SequentialFeed("valid", 2, 4, 12, 3));
        write("elsewhere", over("0123456789abcdef", 2, 15), valid);
        for (String name : List.of("lanes", "rows", "list")) {
            Answer answer = simulated(name);
            assertThat(answer.exitCode()).as(name).isEqualTo(3);
            assertThat(answer.err())
                    .contains("plan " + name, "has other lanes, strata or rows than version " + VERSION);
        }
        Answer answer = simulated("elsewhere");
        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err()).contains("is a plan over version 0123456789abcdef", "and not over version " + VERSION);
    }

    @Test
    void inspect_dataset_listsPlansAndTheirNames() throws IOException {
        String id = write("mine", over(VERSION, 2, 15), valid);
        Files.write(dataset.resolve("orders/also.json"), OrderName.FILES.toBytes(id));
        Files.write(dataset.resolve("orders/gone.json"), OrderName.FILES.toBytes("0123456789abcdef"));
        assertThat(inspect(dataset.toString()).out())
                .contains("orders: 1 complete, 1 missing; names: also, gone, mine");
        Answer answer = inspect(dataset.toString(), "--json");
        JsonNode plans = new JsonMapper().readTree(answer.out()).get("orders");
        assertThat(plans).hasSize(2);
        assertThat(plans.get(0).findValuesAsText("id")).containsExactly(id);
        assertThat(List.of("names", "version", "feeds", "batch", "epochs", "state"))
                .extracting(member -> plans.get(0).get(member).asText())
                .containsExactly("also, mine", VERSION, "train, valid", "4, 4", "2, 1", "complete");
        assertThat(plans.get(1).get("names").asText()).isEqualTo("gone");
    }

    private Answer simulated(String plan) {
        return simulate(dataset.resolve("versions").resolve(VERSION).toString(), "--plan", plan);
    }

    private TrainFeed over(String version, int lanes, long rows) {
        List<Stratum> strata = List.of(new Stratum("easy", rows), new Stratum("hard", 11));
        return new TrainFeed(
                "train",
                train.seed(),
                train.lanes(),
                train.batch(),
                train.epochs(),
                train.stepsPerEpoch(),
                List.of(),
                train.mode(),
                train.order(),
                train.window(),
                List.of(new Member("train", "golden", version, "train", lanes, RowCycles.SHUFFLED, strata)),
                train.segments());
    }

    /** Writes a plan and its name; returns its id. */
    private String write(String name, Feed... feeds) throws IOException {
        Order order = OrderId.identified(new Order("golden", OrderId.NONE, Optional.empty(), List.of(feeds)));
        Path file = dataset.resolve("orders").resolve(order.plan()).resolve(Order.FILE_NAME);
        Files.createDirectories(file.getParent());
        Files.write(file, OrderJson.toBytes(order));
        Files.write(dataset.resolve("orders").resolve(IdFiles.file(name)), OrderName.FILES.toBytes(order.plan()));
        return order.plan();
    }
}
