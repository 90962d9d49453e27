package io.rankfeed.spark.source.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetadataTableTest {
    @Test
    void rowsAreReadWithWhatStandsAroundThemPassedOver() {
        MetadataTable table = read("""
            {"problem_index_map": {"p": {"correct_indices": [0], "difficulty": 7}},
             "metadata": [{"is_correct": true, "difficulty": 7, "problem_id": "p"}, {"difficulty": 2.5}, {"is_correct": null, "tags": ["a"]}],
             "stats": {"total": 3}, "source_file": "train.jsonl"}\
            """);

        assertThat(table.rows()).isEqualTo(3);
        assertThat(table.firstKeys()).containsExactly("is_correct", "difficulty", "problem_id");
        assertThat(table.schema().simpleString())
                .isEqualTo("struct<is_correct:boolean,difficulty:double,problem_id:string>");
        assertThat(table.value("is_correct", 0)).isEqualTo(true);
        assertThat(table.value("is_correct", 2)).isNull();
        assertThat(table.value("difficulty", 0)).isEqualTo(7L);
        assertThat(table.value("difficulty", 1)).isEqualTo(2.5);
        assertThat(table.value("problem_id", 1)).isNull();
        assertThat(table.value("tags", 2)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1, 2]                                 | is not a JSON object",
                "{\"stats\": {}}                        | has no list 'metadata'",
                "{\"metadata\": {}}                     | 'metadata' is not a list",
                "{\"metadata\": [{}, 7]}                | metadata[1] is not an object",
                "{\"metadata\": [{\"a\": 1, \"a\": 2}]} | is not JSON: Duplicate",
                "{\"metadata\": [{\"a\": 1}             | is not JSON: Unexpected end",
                "{\"metadata\": [{\"a\": NaN}]}          | is not JSON: 'NaN' is not a number in JSON; write null, or a text (line 1, column 24)",
                "{\"metadata\": [{}, {\"a\": -1e400}]} | metadata[1]: '-1e400' is not a double (line 1, column 25)",
                "{\"metadata\": [{\"a\": \"x\\ud800\"}]} | metadata[0]: a text has half of a surrogate pair",
                "{\"metadata\": []} []                  | has text after its object",
            })
    void whatIsNoSuchFileIsDamage(String json, String why) {
        assertThatThrownBy(() -> read(json))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("m.json")
                .hasMessageContaining(why);
    }

    @Test
    void keysAreAsManyAsColumnsMayBe() {
        String row =
                IntStream.range(0, 4096).mapToObj(i -> "\"k" + i + "\": 1").collect(Collectors.joining(", ", "{", "}"));
        assertThat(read("{\"metadata\": [" + row + "]}").names()).hasSize(4096);
        assertThatThrownBy(() -> read("{\"metadata\": [" + row + ", {\"k7\": 2, \"more\": 1}]}"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("m.json: metadata[1] has the key 'more', one more than the 4096 different keys");
    }

    @Test
    void aKeyOfTwoKindsIsRefused() {
        assertThatThrownBy(() -> read("{\"metadata\": [{\"difficulty\": 7}, {\"difficulty\": \"hard\"}]}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("values of 'difficulty' differ in kind: 7 and hard");
    }

    private static MetadataTable read(String json) {
        return MetadataTable.read("m.json", new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }
}
