package io.rankfeed.schema.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderJsonTest {
    private final Order order = new Order(
            "codecontests",
            "0123456789abcdef",
            Optional.of(new Order.Storage(1024, 4096)),
            List.of(
                    new TrainFeed(
                            "train",
                            42,
                            2,
                            4,
                            2,
                            5,
                            EpochMode.STREAM,
                            RowOrder.GLOBAL,
                            1,
                            List.of(new Stratum("false/low", 40, 14), new Stratum("true/low", 50, 20)),
                            List.of(
                                    new Segment(0, 3, 0, List.of(4L, 2L), List.of(0L, 0L), 1, 2),
                                    new Segment(3, 7, 2, List.of(5L, 9L), List.of(4L, 2L), 3, 6, 1))),
                    new SequentialFeed("valid", 2, 4, 9, 3)));

    private final String text = new String(OrderJson.toBytes(order), StandardCharsets.UTF_8);

    @Test
    void anOrderSurvivesItsBytes() {
        Order read = parse(text);
        assertThat(read).isEqualTo(order);
        assertThat(new String(OrderJson.toBytes(read), StandardCharsets.UTF_8)).isEqualTo(text);
        assertThat(read.feed("valid").map(Feed::stepsPerPass)).contains(3L);
        assertThat(read.feed("other")).isEmpty();
    }

    @Test
    void aPlansOrderHasNoStorage() {
        Order plan = new Order(order.dataset(), order.plan(), Optional.empty(), order.feeds());
        String written = new String(OrderJson.toBytes(plan), StandardCharsets.UTF_8);
        assertThat(written).doesNotContain("storage");
        assertThat(parse(written)).isEqualTo(plan);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"formatVersion\": 1  | \"formatVersion\": 3           | 'formatVersion' is 3",
                "\"formatVersion\": 1  | \"formatVersion\": 2           | 'feeds[0].strata' is unknown",
                "\"rankfeed.order\"    | \"rankfeed.plan\"              | must be 'rankfeed.order'",
                "\"shardRows\": 4096   | \"shardRows\": 4097            | is not a multiple of batchRows",
                "\"batchRows\": 1024   | \"batchRows\": 0               | must be 1 to",
                "\"batch\": 4          | \"batch\": 5                   | must be a multiple of 2 lanes",
                "\"lanes\": 2          | \"lanes\": 4611686018427387904 | must be 1 to 65536",
                "\"epochs\": 2         | \"epochs\": 2147483648        | must be 1 to 2147483647",
                "\"epochs\": 2         | \"epochs\": 3                  | but the run has 15",
                "\"stepsPerEpoch\": 5  | \"stepsPerEpoch\": 4           | after the run",
                "\"step\": 3           | \"step\": 4                    | must begin at step 3",
                "\"steps\": 7          | \"steps\": 4611686018427387904 | after the run",
                "\"m\": 3              | \"m\": 8                       | must be coprime",
                "\"c\": 6              | \"c\": 7                       | and c 7 less than",
                "\"seed\": 42          | \"seed\": -1                   | must be 0 to",
                "\"mode\": \"stream\"  | \"mode\": \"strem\"            | must be one of [pass, stream, padded]",
                "\"window\": 1         | \"window\": 6                  | must be 1 or the steps per epoch",
                "\"true/low\"          | \"false/low\"                  | is not sorted, or a duplicate",
                "\"name\": \"valid\"   | \"name\": \"Valid\"            | feed 'Valid' does not match",
                "\"name\": \"valid\"   | \"name\": \"a\"                | is not sorted",
                "\"steps\": 3          | \"steps\": 3, \"x\": 1         | is unknown",
                "\"rows\": 9           | \"rows\": 13                   | are not what 13 rows need",
                "\"rows\": 14          | \"rows\": 41                   | rows 41 must be 0 to 40",
                "\"kind\": \"train\"   | \"kind\": \"sequential\"       | is unknown"
            })
    void whatBreaksARuleIsNotRead(String right, String wrong, String what) {
        assertThat(text).contains(right);
        String changed = text.replaceFirst(Pattern.quote(right), Matcher.quoteReplacement(wrong));
        assertThatThrownBy(() -> parse(changed))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith("order.json")
                .hasMessageContaining(what);
    }

    @Test
    void quotasAreTheUnitsOfTheirSegment() {
        assertThatThrownBy(() -> parse(text.replaceFirst("4,\\s+2", "4, 3")))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("segment at step");
    }

    @Test
    void aTruncatedOrderIsRefusedWhereverItEnds() {
        for (int end = 0; end < text.length() - 2; end++) {
            String cut = text.substring(0, end);
            assertThatThrownBy(() -> parse(cut)).as("cut at %d", end).isInstanceOf(CorruptDataException.class);
        }
    }

    private static Order parse(String json) {
        return OrderJson.parse(json.getBytes(StandardCharsets.UTF_8), "order.json");
    }
}
