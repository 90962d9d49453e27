package io.rankfeed.spark.source.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.JsonTree;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataTableTest {
    @Test
    void rows_betweenOtherKeys_areRead() {
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
        assertThat(table.value("difficulty", 1)).isEqualTo(new BigDecimal("2.5"));
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
    void file_ofOtherContent_isDamage(String json, String why) {
        assertThatThrownBy(() -> read(json))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("m.json")
                .hasMessageContaining(why);
    }

    /** The number of a line, and that of the metadata; by all their digits, however they are written. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1765432109876543000 | 1765432109876543000 | true",
                "1765432109876543000 | 1765432109876543001 | false",
                "9007199254740993    | 9007199254740992    | false",
                "9007199254740993    | 9007199254740992.0  | false",
                "-9223372036854775808 | -9223372036854775807 | false",
                "100000000000000000000 | 1e20 | true",
                "100000000000000000001 | 1e20 | false",
                "0.1 | 0.10 | true",
                "0.1 | 0.1000000000000000055511151231257827 | false",
                "9007199254740992.5 | 9007199254740992.25 | false",
                "7 | 7.0 | true",
                "70e-1 | 7 | true",
                "-0 | 0 | true",
                "0 | -0.0 | true",
                "1e-99999999999 | 0 | false",
                "1e400 | 1e300 | false",
            })
    void number_ofALine_isComparedByAllDigits(String own, String reported, boolean isEqual) throws Exception {
        MetadataTable table = read("{\"metadata\": [{\"a\": " + reported + "}]}");
        Number value = (Number) Objects.requireNonNull(table.value("a", 0));

        assertThat(MetadataLines.isEqual(value, JsonTree.of(own))).isEqualTo(isEqual);
    }

    /** The double of a value is the nearest one of its text, and -0.0 has a sign. */
    @ParameterizedTest
    @ValueSource(strings = {"2.5", "0.1", "-0.0", "-0e5", "1e-400", "1.7976931348623157e308", "9007199254740993.0"})
    void fraction_isItsNearestDouble(String written) {
        Number value = (Number) Objects.requireNonNull(
                read("{\"metadata\": [{\"a\": " + written + "}]}").value("a", 0));

        assertThat(Double.compare(value.doubleValue(), Double.parseDouble(written)))
                .isZero();
    }

    @Test
    void keys_moreThan4096_areRefused() {
        String row =
                IntStream.range(0, 4096).mapToObj(i -> "\"k" + i + "\": 1").collect(Collectors.joining(", ", "{", "}"));
        assertThat(read("{\"metadata\": [" + row + "]}").names()).hasSize(4096);
        assertThatThrownBy(() -> read("{\"metadata\": [" + row + ", {\"k7\": 2, \"more\": 1}]}"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("m.json: metadata[1] has the key 'more', one more than the 4096 different keys");
    }

    @Test
    void key_ofTwoKinds_isRefused() {
        assertThatThrownBy(() -> read("{\"metadata\": [{\"difficulty\": 7}, {\"difficulty\": \"hard\"}]}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("values of 'difficulty' differ in kind: 7 and hard");
    }

    private static MetadataTable read(String json) {
        return MetadataTable.read("m.json", new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }
}
