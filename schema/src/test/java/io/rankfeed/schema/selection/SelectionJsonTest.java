package io.rankfeed.schema.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.order.Order;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectionJsonTest {
    private final Selection selection = new Selection(
            "codecontests",
            Optional.of(new Order.Storage(1024, 4096)),
            List.of(
                    new SelectedTrain(
                            "train",
                            8,
                            List.of("correct", "difficulty"),
                            new ListOrder(
                                    new ListOrder.Hash(42),
                                    List.of(new ListOrder.OrderedStage(
                                            "length(text)",
                                            List.of(new ListOrder.Range(0, 0, 16), new ListOrder.Range(1, 8, 24))))),
                            List.of(
                                    new SelectedStratum("false/low", List.of("false", "low"), 40, 33),
                                    new SelectedStratum("true/low", List.of("true", "low"), 50, 50)),
                            List.of("a".repeat(64))),
                    new SelectedSequential("valid", 2, 0, List.of())));

    private final String text = new String(SelectionJson.toBytes(selection), StandardCharsets.UTF_8);

    @Test
    void aSelectionSurvivesItsBytes() {
        Selection read = parse(text);
        assertThat(read).isEqualTo(selection);
        assertThat(SelectionJson.toBytes(read)).isEqualTo(SelectionJson.toBytes(selection));
        assertThat(read.feed("train").map(SelectedFeed::rows)).contains(83L);
        assertThat(read.feed("other")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"formatVersion\": 1        | \"formatVersion\": 2         | 'formatVersion' is 2",
                "\"rankfeed.selection\"      | \"rankfeed.order\"           | must be 'rankfeed.selection'",
                "\"codecontests\"            | \"Code\"                     | dataset 'Code' does not match",
                "\"shardRows\": 4096         | \"shardRows\": 4097          | is not a multiple of batchRows",
                "\"shardRows\": 4096         | \"shardRows\": 4096, \"x\": 1 | 'storage.x' is unknown",
                "\"batchRows\": 1024         | \"batchRows\": 0             | must be 1 to",
                "\"lanes\": 8                | \"lanes\": 0                 | must be 1 to 65536",
                "\"lanes\": 8                | \"lanes\": 65537             | must be 1 to 65536",
                "\"kind\": \"train\"         | \"kind\": \"sequential\"     | is unknown",
                "\"kind\": \"train\"         | \"kind\": \"trian\"          | must be train or sequential",
                "\"name\": \"train\"         | \"name\": \"Train\"          | feed 'Train' does not match",
                "\"name\": \"valid\"         | \"name\": \"a\"              | is not sorted",
                "\"true/low\"                | \"false/low\"                | is not sorted, or a duplicate",
                "\"difficulty\"              | \"correct\"                  | a column is listed twice",
                "\"columns\": [              | \"columns\": [ \"a\",        | has 2 values for the columns",
                "\"rows\": 33                | \"rows\": 41                 | rows 41 must be 0 to 40",
                "\"available\": 40           | \"available\": 32            | rows 33 must be 0 to 32",
                "\"rows\": 33                | \"rows\": -1                 | must be 0 to",
                "\"rows\": 33                | \"rows\": 33, \"x\": 1       | is unknown",
                "\"rows\": 0                 | \"rows\": 1                  | 0 digests of 1 rows",
                "\"rowDigests\": []          | \"rowDigests\": [\"\"]       | 1 digests of 0 rows",
                "\"aaa                       | \"Aaa                        | is not a SHA-256",
                "\"seed\": 42                | \"seed\": -1                 | must be 0 to",
                "\"seed\": 42                | \"column\": \"x\"            | is unknown",
                "\"by\": \"hash\"            | \"by\": \"table\"            | 'feeds[0].list.seed' is unknown",
                "\"by\": \"hash\"            | \"by\": \"random\"           | must be hash, table, given or column",
                "24                          | 51                           | rows 8 to 51 of stratum 'true/low'",
                "24                          | 8                            | rows 8 to 8 of stratum 'true/low'",
                "16                          | 16, 1                        | must be [stratum, from, to]",
                "16                          | \"16\"                       | must be [stratum, from, to]",
                "\"length(text)\"            | \"length(text)\", \"x\": 1   | is unknown"
            })
    void whatBreaksARuleIsNotRead(String right, String wrong, String what) {
        assertThat(text).contains(right);
        String changed = text.replaceFirst(Pattern.quote(right), Matcher.quoteReplacement(wrong));
        assertThatThrownBy(() -> parse(changed))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith("selection.json")
                .hasMessageContaining(what);
    }

    @Test
    void aTruncatedSelectionIsRefusedWhereverItEnds() {
        for (int end = 0; end < text.length() - 2; end++) {
            String cut = text.substring(0, end);
            assertThatThrownBy(() -> parse(cut)).as("cut at %d", end).isInstanceOf(CorruptDataException.class);
        }
    }

    @Test
    void partsThatContradictEachOther_makeNoSelection() {
        ListOrder ordered = new ListOrder(
                new ListOrder.Table(), List.of(new ListOrder.OrderedStage("x", List.of(new ListOrder.Range(0, 0, 1)))));
        SelectedStratum stratum = new SelectedStratum("all", List.of(), 1, 1);
        assertThatThrownBy(() -> train(1, ordered, List.of(stratum))).hasMessageContaining("the list is not by hash");
        ListOrder unknown = new ListOrder(
                new ListOrder.Hash(0), List.of(new ListOrder.OrderedStage("x", List.of(new ListOrder.Range(1, 0, 1)))));
        assertThatThrownBy(() -> train(1, unknown, List.of(stratum)))
                .hasMessageContaining("stratum 1 of the stage by x is unknown");
        ListOrder table = new ListOrder(new ListOrder.Table(), List.of());
        assertThatThrownBy(() -> train(1, table, List.of())).hasMessageContaining("has no stratum");
        List<SelectedStratum> many = IntStream.range(100, 165)
                .mapToObj(i -> new SelectedStratum("s" + i, List.of(), 0, 0))
                .toList();
        assertThatThrownBy(() -> train(1 << 16, table, many)).hasMessageContaining("65 strata exceed 4194304");
        SelectedStratum huge = new SelectedStratum("b", List.of(), Long.MAX_VALUE, Long.MAX_VALUE);
        assertThatThrownBy(() -> train(1, table, List.of(stratum, huge))).hasMessageContaining("2^63 rows or more");
    }

    private static SelectedTrain train(int lanes, ListOrder list, List<SelectedStratum> strata) {
        boolean any = strata.stream().anyMatch(stratum -> stratum.rows() > 0);
        return new SelectedTrain("train", lanes, List.of(), list, strata, any ? List.of("0".repeat(64)) : List.of());
    }

    private static Selection parse(String json) {
        return SelectionJson.parse(json.getBytes(StandardCharsets.UTF_8), "selection.json");
    }
}
