package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.run.PreparedTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenizeIT {
    @TempDir
    private Path folder;

    private Path tokenizer;

    @BeforeEach
    void inputs() throws IOException {
        tokenizer = Files.copy(
                Path.of("../schema/text/src/test/resources/tokenizer/tiny.json"), folder.resolve("tokenizer.json"));
        Files.writeString(folder.resolve("rows.jsonl"), """
                {"id": 1, "instruction": "add", "input": "", "output": "def add(first"}
                {"id": 2, "instruction": "add", "input": "in", "output": null}
                """);
    }

    @Test
    void promptsAndAnswers_becomeTokensAndTheirBound() {
        PreparedTable table = prepare(
                "SELECT id, p.input_ids, p.prompt_length, a.input_ids AS apart, a.prompt_length AS apart_length, ids FROM"
                        + " (SELECT id, rf_prompt('tiny', '### Instruction:\\n' || instruction || '\\n\\n### Response:\\n',"
                        + " output, 'whole') AS p, rf_prompt('tiny', array(instruction, input), output, 'apart', 6,"
                        + " 'truncate') AS a, rf_tokenize('tiny', output, 5, 'truncate') AS ids FROM t)");
        assertThat(table.manifest().schema().fields())
                .contains(new Field("input_ids", DType.INT32, Shape.of(Shape.VARIABLE), true));
        List<Row> rows = PrepareFixture.session()
                .read()
                .parquet(PrepareFixture.folder(table).resolve("data").toString())
                .orderBy("id")
                .collectAsList();
        assertThat(tokens(rows.get(0), "input_ids"))
                .containsExactly(
                        0, 263, 276, 262, 306, 288, 294, 27, 200, 283, 69, 200, 200, 263, 315, 307, 261, 27, 200, 289,
                        71, 316, 69, 9, 278, 1);
        assertThat(rows.get(0).<Integer>getAs("prompt_length")).isEqualTo(19);
        assertThat(tokens(rows.get(0), "apart")).containsExactly(0, 283, 69, 289, 71, 1);
        assertThat(rows.get(0).<Integer>getAs("apart_length")).isEqualTo(3);
        assertThat(tokens(rows.get(0), "ids")).containsExactly(0, 289, 71, 316, 1);
        assertThat(rows.get(1).<Object>getAs("input_ids")).isNull();
        assertThat(rows.get(1).<Object>getAs("ids")).isNull();
    }

    @Test
    void tokenizer_contentNotPath_isPartOfTheIdentity() throws IOException {
        String query = "SELECT id, rf_tokenize('tiny', output) AS ids FROM t";
        PreparedTable first = prepare(query);
        assertThat(first.manifest().job().toString()).contains("\"sha256\"").doesNotContain("tokenizer.json");
        tokenizer = Files.move(tokenizer, folder.resolve("moved.json"));
        assertThat(prepare(query).id()).isEqualTo(first.id());
        Files.writeString(
                tokenizer,
                Files.readString(tokenizer).replace("\"add_prefix_space\":false", "\"add_prefix_space\":true"));
        assertThat(prepare(query).id()).isNotEqualTo(first.id());
    }

    @Test
    void text_longerThanAllowed_isRefused() {
        assertThatThrownBy(() -> prepare("SELECT id, rf_tokenize('tiny', output, 3, 'refuse') AS ids FROM t"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("more than the 3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rf_tokenize('tinny', output) | did you mean 'tiny'",
                "rf_tokenize('tiny', id) | the text",
                "rf_tokenize('tiny', output, 3) | 'truncate' or 'refuse'",
                "rf_tokenize('tiny', output, 0, 'refuse') | the limit",
                "rf_tokenize('tiny', output, 3, 'cut') | 'truncate' or 'refuse'",
                "rf_prompt('tiny', input, output) | rf_prompt has 3 arguments",
                "rf_prompt('tiny', array(input), output, 'whole') | 'apart' where the prompt is a list",
            })
    void call_wrong_isRefused(String call, String message) {
        assertThatThrownBy(() -> prepare("SELECT id, " + call + " AS x FROM t"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @Test
    void tokenizerFile_absentOrOther_isReported() throws IOException {
        Files.writeString(tokenizer, "{}");
        assertThatThrownBy(() -> prepare("SELECT id FROM t"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("is not a tokenizer.json");
        Files.delete(tokenizer);
        assertThatThrownBy(() -> prepare("SELECT id FROM t"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("there is no file");
    }

    /** Opened in this JVM, each of them would end it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "\"normalizer\":null | \"normalizer\":{\"type\":\"Precompiled\"} | missing field `precompiled_charsmap`",
                "{\"SpecialToken\":{\"id\":\"<s>\" | {\"SpecialToken\":{\"id\":\"<t>\" | no entry found for key",
            })
    void tokenizerFile_crashingTheLibrary_isNamed(String sound, String damaged, String reason) throws IOException {
        Files.writeString(tokenizer, Files.readString(tokenizer).replace(sound, damaged));
        assertThatThrownBy(() -> prepare("SELECT id FROM t"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith(tokenizer + ": is a tokenizer.json on which the tokenizers library crashes")
                .hasMessageContaining(reason);
    }

    private PreparedTable prepare(String sql) {
        return PrepareFixture.prepare(
                folder.resolve("out"),
                "  t: {jsonl: '" + folder.resolve("rows.jsonl") + "'}",
                "sql: \"" + sql.replace("\\", "\\\\") + "\"\ntokenizers: {tiny: {file: '" + tokenizer + "'}}");
    }

    private static List<Integer> tokens(Row row, String column) {
        ByteBuffer bytes = ByteBuffer.wrap(row.getAs(column)).order(ByteOrder.LITTLE_ENDIAN);
        List<Integer> tokens = new ArrayList<>();
        while (bytes.hasRemaining()) {
            tokens.add(bytes.getInt());
        }
        return tokens;
    }
}
