package io.rankfeed.look;

import static io.rankfeed.look.InspectFixture.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rankfeed.look.InspectFixture.Answer;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.run.OrderName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plan over a version, named by its folder: three steps of 8 rows, then two of 4, in epochs of two and three steps. */
class PlanOverVersionTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void plan() throws Exception {
        List<Stratum> strata = List.of(new Stratum("a", 40), new Stratum("b", 3));
        Member member = new Member("train", "code", "fedcba9876543210", "train", 6, RowCycles.SHUFFLED, strata);
        List<Segment> segments = List.of(
                new Segment(0, 3, 0, List.of(9L, 3L), List.of(0L, 0L), 1, 2),
                new Segment(3, 2, 1, List.of(1L, 3L), List.of(9L, 3L), 1, 1, 1, OptionalInt.of(4)));
        TrainFeed train = new TrainFeed("train", 42, 2, 8, List.of(0L, 2L), RowOrder.GLOBAL, List.of(member), segments);
        Order order = OrderId.identified(new Order("code", OrderId.NONE, Optional.empty(), List.of(train)));
        Files.write(folder.resolve(Order.FILE_NAME), OrderJson.toBytes(order));
    }

    @Test
    void epochsAndBatches_thatDiffer_areCounted() throws Exception {
        Answer answer = simulate(folder.toString(), "--json");
        assertThat(answer.exitCode()).as(answer.err()).isZero();
        JsonNode report = new JsonMapper().readTree(answer.out());
        assertThat(report.get("epochs of train")).hasSize(2);
        assertThat(report.get("rowsPerRank").findValuesAsText("least")).containsExactly("32", "16");
        assertThat(report.get("stages of train").findValuesAsText("rows")).containsExactly("24", "8");
    }

    @Test
    void name_inTheFolderOfPlans_isItsPlan() throws Exception {
        byte[] order = Files.readAllBytes(folder.resolve(Order.FILE_NAME));
        String id = OrderId.parse(order, Order.FILE_NAME).plan();
        Path orders = folder.resolve("orders");
        Files.write(Files.createDirectories(orders.resolve(id)).resolve(Order.FILE_NAME), order);
        Files.write(orders.resolve("small.json"), OrderName.FILES.toBytes(id));
        for (String name : List.of("small", "small.json", id, id + "/" + Order.FILE_NAME)) {
            Answer answer = simulate(orders + "/" + name, "--json");
            assertThat(answer.exitCode()).as(answer.err()).isZero();
            assertThat(new JsonMapper().readTree(answer.out()).get("epochs of train"))
                    .hasSize(2);
        }
        assertThat(simulate(orders + "/large").exitCode()).isEqualTo(2);
    }

    @Test
    void planOption_isRefused() {
        Answer answer = simulate(folder.toString(), "--plan", "seed7");
        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err()).contains("--plan requires a version");
    }
}
