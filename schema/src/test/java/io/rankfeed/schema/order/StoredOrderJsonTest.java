package io.rankfeed.schema.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Orders of format 2. */
class StoredOrderJsonTest {
    private static final String ID = "0123456789abcdef";

    private static Member member(String name, int lanes, RowCycles cycles, Stratum... strata) {
        return new Member(name, "code", "fedcba9876543210", "train", lanes, cycles, List.of(strata));
    }

    /** A plan in which the batch changes: 8 rows, then 4. */
    private final Order plan = new Order(
            "code",
            ID,
            Optional.empty(),
            List.of(
                    new TrainFeed(
                            "train",
                            42,
                            2,
                            8,
                            List.of(0L, 2L),
                            RowOrder.GLOBAL,
                            List.of(member("train", 6, RowCycles.SHUFFLED, new Stratum("a", 40), new Stratum("b", 3))),
                            List.of(
                                    new Segment(0, 3, 0, List.of(9L, 3L), List.of(0L, 0L), 1, 2),
                                    new Segment(
                                            3, 2, 1, List.of(1L, 3L), List.of(9L, 3L), 1, 1, 1, OptionalInt.of(4)))),
                    new SequentialFeed("valid", 2, 4, 9, 3)));

    private final Order mixture = new Order(
            Optional.empty(),
            ID,
            Optional.empty(),
            List.of(new TrainFeed(
                    "train",
                    7,
                    2,
                    4,
                    2,
                    3,
                    List.of(),
                    EpochMode.STREAM,
                    RowOrder.GLOBAL,
                    1,
                    List.of(
                            member("math", 4, RowCycles.LIST, new Stratum("all", 5)),
                            member("web", 6, RowCycles.SHUFFLED, new Stratum("en", 100), new Stratum("fr", 0))),
                    List.of(new Segment(0, 5, 0, List.of(4L, 6L, 0L), List.of(0L, 0L, 0L), 2, 0)))));

    private final Order pass = new Order(
            "code",
            ID,
            Optional.empty(),
            List.of(new TrainFeed(
                    "train",
                    7,
                    2,
                    4,
                    1,
                    3,
                    List.of(),
                    EpochMode.PASS,
                    RowOrder.GLOBAL,
                    1,
                    List.of(member("train", 4, RowCycles.LIST_FIRST, new Stratum("all", 15))),
                    List.of(new Segment(0, 3, 0, List.of(6L), List.of(0L), 1, 0)))));

    private static String text(Order order) {
        return new String(OrderJson.toBytes(order), StandardCharsets.UTF_8);
    }

    private static Order parse(String json) {
        return OrderJson.parse(json.getBytes(StandardCharsets.UTF_8), "order.json");
    }

    @Test
    void order_ofStoredPools_isReadFromItsBytes() {
        for (Order order : List.of(plan, mixture, pass)) {
            assertThat(parse(text(order))).isEqualTo(order);
            assertThat(text(parse(text(order)))).isEqualTo(text(order));
        }
    }

    @Test
    void epochs_listedOrNot_haveTheirSteps() {
        TrainFeed changing = (TrainFeed) plan.feeds().get(0);
        assertThat(List.of(changing.epochs(), changing.stepsPerEpoch())).containsExactly(2, 3);
        assertThat(List.of(changing.steps(), changing.epochStart(1), changing.epochStart(2)))
                .containsExactly(5L, 2L, 5L);
        assertThat(List.of(changing.epochAt(0), changing.epochAt(1), changing.epochAt(2), changing.epochAt(4)))
                .containsExactly(0, 0, 1, 1);
        TrainFeed shorter = (TrainFeed) mixture.feeds().get(0);
        assertThat(List.of(shorter.steps(), shorter.epochStart(1))).containsExactly(5L, 3L);
        assertThat(shorter.strata().stream().map(Stratum::name)).containsExactly("math/all", "web/en", "web/fr");
    }

    @Test
    void order_ofItsOwnPlan_isReadFromTheFirstFormatThatCanExpressIt() {
        assertThat(text(ofPlan(12, 12))).contains("\"formatVersion\": 1", "\"strata\"");
        for (Order order : List.of(ofPlan(12, 12), ofPlan(15, 15), ofPlan(14, 20))) {
            assertThat(parse(text(order))).isEqualTo(order);
        }
        assertThat(text(ofPlan(14, 20)))
                .contains("\"formatVersion\": 2", "\"members\"")
                .doesNotContain("version\":");
        TrainFeed shuffled = ((TrainFeed) ofPlan(12, 12).feeds().get(0)).shuffled();
        Order ofAnySeed = new Order("code", ID, Optional.empty(), List.of(shuffled));
        assertThat(parse(text(ofAnySeed))).isEqualTo(ofAnySeed);
        assertThat(text(ofAnySeed)).contains("\"formatVersion\": 2", "\"cycles\": \"shuffled\"");
        String first = text(ofPlan(12, 12)).replace("\"rows\": 12", "\"rows\": 11");
        assertThatThrownBy(() -> parse(first)).hasMessageContaining("pool of 11 rows does not fit 3 batches of 4");
        String larger = text(ofPlan(12, 20)).replace("\"rows\": 12", "\"rows\": 13");
        assertThatThrownBy(() -> parse(larger)).hasMessageContaining("a pool has more rows than the run draws");
    }

    /** A pass of three steps of 4 rows. */
    private static Order ofPlan(long rows, long available) {
        return new Order(
                "code",
                ID,
                Optional.of(new Order.Storage(2, 4)),
                List.of(new TrainFeed(
                        "train",
                        1,
                        2,
                        4,
                        1,
                        3,
                        EpochMode.PASS,
                        RowOrder.GLOBAL,
                        1,
                        List.of(new Stratum("all", available, rows)),
                        List.of(new Segment(0, 3, 0, List.of(6L), List.of(0L), 1, 0, 0, OptionalInt.empty())))));
    }

    @Test
    void storageOfOrdersOverVersions_isRefused() {
        Optional<Order.Storage> storage = Optional.of(new Order.Storage(2, 4));
        assertThatThrownBy(() -> new Order("code", ID, storage, plan.feeds()))
                .hasMessageContaining("no storage of its own");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "plan    | \"lanes\": 6              | \"lanes\": 5                | do not divide the 5 stored lanes",
                "plan    | \"name\": \"b\"           | \"name\": \"a\"             | is not sorted, or a duplicate",
                "plan    | \"name\": \"train\"       | \"name\": \"other\"         | one member, with its name",
                "plan    | \"dataset\": \"code\"     | \"dataset\": \"text\"       | draws from dataset",
                "plan    | \"version\": \"fedc       | \"version\": \"ba          | not an id of 16",
                "plan    | \"cycles\": \"shuffled\"  | \"cycles\": \"shuffle\"     | must be one of [list, list-first, shuffled]",
                "plan    | \"epochStarts\": [0, 2]   | \"epochStarts\": [0, 0]     | must begin with 0 and increase",
                "plan    | \"epochStarts\": [0, 2]   | \"epochStarts\": [1, 2]     | must begin with 0 and increase",
                "plan    | \"epochStarts\": [0, 2]   | \"epochStarts\": [0, 5]     | but the run has 5",
                "plan    | \"epochStarts\": [0, 2]   | \"epochStarts\": [0, 1, 2]  | 3 epochStarts for 2 epochs",
                "plan    | \"epochStarts\": [0, 2]   | \"epochStarts\": []         | must list the first step",
                "plan    | \"epochs\": 2             | \"epochs\": 2, \"stepsPerEpoch\": 3 | cannot be combined with epochStarts",
                "plan    | \"mode\": \"stream\"      | \"mode\": \"pass\"          | epochStarts require",
                "plan    | \"window\": 1             | \"window\": 3               | epochStarts require",
                "plan    | \"batch\": 4,             | \"batch\": 3,               | must be a multiple of 2 lanes",
                "plan    | \"batch\": 4,             | \"batch\": 8,               | less than 8",
                "plan    | \"batch\": 4,             | \"batch\": 2,               | quotas exceed the 2 rows",
                "plan    | \"rows\": 40              | \"rows\": 9223372036854775000 | too large for 64-bit arithmetic",
                "plan    | \"rows\": 3               | \"rows\": 0                 | pool of 0 rows for 12 draws",
                "mixture | \"stepsPerEpoch\": 3      | \"stepsPerEpoch\": 5        | but the run has 10",
                "mixture | \"stepsPerEpoch\": 3      | \"stepsPerEpoch\": 2        | ends after the run of 4 steps",
                "mixture | \"order\": \"global\"     | \"order\": \"planned\"      | several members require",
                "mixture | \"name\": \"web\"         | \"name\": \"a\"             | is not sorted, or a duplicate",
                "mixture | \"name\": \"web\"         | \"name\": \"Web\"           | member 'Web' does not match",
                "mixture | \"rows\": 100             | \"rows\": -1                | 'feeds[0].members[1].strata[0].rows'",
                "pass    | \"rows\": 15              | \"rows\": 11                | does not fit 3 batches of 4",
                "pass    | \"cycles\": \"list-first\" | \"cycles\": \"list-first\", \"x\": 1 | is unknown",
                "pass    | \"order\": \"global\"     | \"order\": \"planned\"      | requires cycles list, not list-first"
            })
    void file_thatBreaksARule_isNotRead(String which, String right, String wrong, String what) {
        String text = text(which.equals("plan") ? plan : which.equals("pass") ? pass : mixture)
                .replaceAll("\\s+(?=[\\]\\d])", " ")
                .replace("[ ", "[")
                .replace(" ]", "]");
        assertThat(text).contains(right);
        String changed = text.replaceFirst(Pattern.quote(right), Matcher.quoteReplacement(wrong));
        assertThatThrownBy(() -> parse(changed))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith("order.json")
                .hasMessageContaining(what);
    }

    @Test
    void quotas_ofOtherLength_areNotRead() {
        String changed = text(mixture).replaceFirst("(\"quotas\": \\[\\s*4,\\s*6),\\s*0", "$1");
        assertThat(changed).isNotEqualTo(text(mixture));
        assertThatThrownBy(() -> parse(changed))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("2 quotas but 3 bases");
    }

    @Test
    void counters_beyondTheLimit_areRefused() {
        List<Stratum> strata = IntStream.range(0, 65)
                .mapToObj(s -> new Stratum(String.format("%02d", s), 1))
                .toList();
        Member member = new Member("train", "code", ID, "train", 1 << 16, RowCycles.SHUFFLED, strata);
        assertThatThrownBy(() -> new TrainFeed(
                        "train",
                        1,
                        1,
                        1,
                        1,
                        1,
                        List.of(),
                        EpochMode.STREAM,
                        RowOrder.GLOBAL,
                        1,
                        List.of(member),
                        List.of()))
                .hasMessageContaining("4259840 over all members, exceed 4194304");
    }
}
