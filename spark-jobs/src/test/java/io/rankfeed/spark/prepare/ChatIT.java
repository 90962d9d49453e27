package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.run.PreparedTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code rf_chat}: tokens and spans are those of transformers (schema/text/src/test/python/chat_golden.py). */
class ChatIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path GOLDEN = Path.of("../schema/text/src/test/resources/chat");
    private static final Path PUBLISHED = GOLDEN.resolve("published");

    @TempDir
    private Path folder;

    @BeforeEach
    void tokenizer() throws IOException {
        Files.copy(Path.of("../schema/text/src/test/resources/tokenizer/tiny.json"), folder.resolve("tokenizer.json"));
    }

    private void template(String source) throws IOException {
        ObjectNode config = JSON.createObjectNode()
                .put("chat_template", source)
                .put("bos_token", "<s>")
                .put("pad_token", "<pad>")
                .put("unk_token", "<unk>");
        config.putObject("eos_token").put("content", "</s>").put("lstrip", false);
        Files.write(folder.resolve("tokenizer_config.json"), JSON.writeValueAsBytes(config));
    }

    @ParameterizedTest
    @CsvSource({"qwen2_5_training.jinja", "llama3.jinja"})
    void idsAndSpans_equalThoseOfTransformers(String name) throws IOException {
        template(Files.readString(PUBLISHED.resolve(name)));
        List<JsonNode> cases = new ArrayList<>();
        StringBuilder lines = new StringBuilder();
        for (JsonNode one : JSON.readTree(Files.readString(GOLDEN.resolve("golden.json")))) {
            if (one.path("template").asText().equals(name) && !one.has("error")) {
                ObjectNode line = JSON.createObjectNode().put("id", cases.size());
                line.set("messages", one.path("messages"));
                line.set("tools", one.path("tools"));
                lines.append(JSON.writeValueAsString(line)).append('\n');
                cases.add(one);
            }
        }
        Files.writeString(folder.resolve("rows.jsonl"), lines);
        PreparedTable table = prepare("SELECT id, c.* FROM (SELECT id, rf_chat('tiny', messages, tools) AS c FROM t)");

        List<Row> rows = PrepareFixture.session()
                .read()
                .parquet(PrepareFixture.folder(table).resolve("data").toString())
                .orderBy("id")
                .collectAsList();
        assertThat(rows).hasSameSizeAs(cases);
        for (int i = 0; i < cases.size(); i++) {
            int[] ids = integers(rows.get(i), "input_ids");
            assertThat(ids).isEqualTo(JSON.convertValue(cases.get(i).path("ids"), int[].class));
            if (cases.get(i).has("mask")) {
                int[] mask = new int[ids.length];
                int[] spans = integers(rows.get(i), "assistant_spans");
                for (int k = 0; k < spans.length; k += 2) {
                    Arrays.fill(mask, spans[k], spans[k + 1], 1);
                }
                assertThat(mask).isEqualTo(JSON.convertValue(cases.get(i).path("mask"), int[].class));
            }
        }
    }

    @ParameterizedTest
    @Tag("nightly")
    @CsvSource({"qwen2_5.jinja", "phi3.jinja", "gemma_training.jinja"})
    void idsAndSpans_moreTemplates_equalThoseOfTransformers(String name) throws IOException {
        idsAndSpans_equalThoseOfTransformers(name);
    }

    @Test
    void template_isPartOfTheIdentity() throws IOException {
        Files.writeString(
                folder.resolve("rows.jsonl"),
                "{\"id\": 1, \"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}], \"tools\": null}\n");
        template(Files.readString(PUBLISHED.resolve("qwen2_5.jinja")));
        String query = "SELECT id, rf_chat('tiny', messages).input_ids AS ids FROM t";
        String first = prepare(query).id();
        template(Files.readString(PUBLISHED.resolve("llama3.jinja")));

        assertThat(prepare(query).id()).isNotEqualTo(first);
    }

    @Test
    void answerPartsAndEnd_areChosenByJobAndRow() throws IOException {
        template(Files.readString(PUBLISHED.resolve("qwen3.jinja")));
        Files.writeString(
                folder.resolve("rows.jsonl"),
                "{\"id\": 1, \"messages\": [{\"role\": \"user\", \"content\": \"Hi\"},"
                        + " {\"role\": \"assistant\", \"content\": \"Yo\"}], \"tools\": null}\n");
        String query =
                "SELECT id, c.assistant_spans AS s, rf_chat('tiny', messages, NULL, '{\\\"continue_final_message\\\": true}').input_ids"
                        + " AS input_ids FROM (SELECT *, rf_chat('tiny', messages) AS c FROM t)";

        PreparedTable whole = prepare(query);
        PreparedTable content = prepare(query, ", train-on: [content]");

        assertThat(content.id()).isNotEqualTo(whole.id());
        assertThat(length(content)).isPositive().isLessThan(length(whole));
    }

    private static int length(PreparedTable table) {
        Row row = PrepareFixture.session()
                .read()
                .parquet(PrepareFixture.folder(table).resolve("data").toString())
                .first();
        int[] spans = integers(row, "s");
        assertThat(spans).hasSize(2);
        // The text that goes on ends with the content.
        assertThat(integers(row, "input_ids").length).isLessThanOrEqualTo(spans[1]);
        return spans[1] - spans[0];
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {{ raise_exception('no robots') }} | [{"role": "user", "content": "x"}] | the chat template rejects the conversation: no robots
        plain text                         | not JSON                           | not a list of messages in JSON
        {{ messages[0].content }}          | [{"role": "user", "content": "x", "content": "y"}] | Duplicate field 'content'
        {{ messages[0].content }}          | [{"role": "user", "content": "\\ud800"}] | half of a surrogate pair
        {{ messages.getClass() }}          | [{"role": "user", "content": "x"}] | cannot be rendered
        """)
    void conversation_notRendered_isABadRow(String source, String messages, String message) throws IOException {
        template(source);
        ObjectNode line =
                JSON.createObjectNode().put("id", 1).put("messages", messages).putNull("tools");
        Files.writeString(folder.resolve("rows.jsonl"), JSON.writeValueAsString(line) + "\n");

        assertThatThrownBy(() -> prepare("SELECT id, rf_chat('tiny', messages).input_ids AS ids FROM t"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(message);
    }

    @Test
    void callOrTemplate_wrong_isRefused() throws IOException {
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\": 1, \"messages\": \"[]\", \"tools\": null}\n");
        template("{{ strftime_now('%d') }}");
        assertThatThrownBy(() -> prepare("SELECT id, rf_chat('tiny', messages).input_ids AS ids FROM t"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("asks for the date");
        template("x");
        assertThatThrownBy(() -> prepare("SELECT id, rf_chat('tiny', id).input_ids AS ids FROM t"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("to_json");
        Files.writeString(folder.resolve("tokenizer_config.json"), "{}");
        assertThatThrownBy(() -> prepare("SELECT id, rf_chat('tiny', messages).input_ids AS ids FROM t"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no chat_template");
        Files.write(folder.resolve("chat_template.jinja"), new byte[] {'a', (byte) 0xFF});
        assertThatThrownBy(() -> prepare("SELECT id, rf_chat('tiny', messages).input_ids AS ids FROM t"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("chat_template.jinja, byte 1: is not valid UTF-8");
    }

    private PreparedTable prepare(String sql) {
        return prepare(sql, "");
    }

    private PreparedTable prepare(String sql, String chatKeys) {
        String sources = "  t: {jsonl: '" + folder.resolve("rows.jsonl")
                + "', schema: 'id BIGINT, messages STRING, tools STRING'}";
        return PrepareFixture.prepare(
                folder.resolve("out"),
                sources,
                "sql: \"" + sql + "\"\nkey: [id]\ntokenizers: {tiny: {file: '" + folder.resolve("tokenizer.json")
                        + "', chat: '" + folder.resolve("tokenizer_config.json") + "'" + chatKeys + "}}\n");
    }

    private static int[] integers(Row row, String column) {
        ByteBuffer bytes = ByteBuffer.wrap(row.getAs(column)).order(ByteOrder.LITTLE_ENDIAN);
        int[] values = new int[bytes.remaining() / 4];
        bytes.asIntBuffer().get(values);
        return values;
    }
}
