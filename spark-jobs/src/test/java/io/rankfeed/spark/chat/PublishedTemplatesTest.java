package io.rankfeed.spark.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.spark.chat.jinja.Marked;
import io.rankfeed.spark.chat.jinja.Template;
import io.rankfeed.spark.chat.jinja.Variables;
import io.rankfeed.spark.chat.jinja.value.TemplateError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every template of TRL renders 48 conversations as transformers does, or refuses them as it does (published_golden.py). */
class PublishedTemplatesTest {
    private static final Path FOLDER = Path.of("src/test/resources/chat");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final LocalDate DATE = LocalDate.of(2026, 7, 1);

    @Test
    void textsAndGenerationBlocksAreThoseOfTransformers() throws IOException {
        JsonNode golden = JSON.readTree(Files.readString(FOLDER.resolve("published.json")));
        JsonNode conversations = JSON.readTree(Files.readString(FOLDER.resolve("conversations.json")));
        List<String> wrong = new ArrayList<>();
        int compared = 0;
        for (Map.Entry<String, JsonNode> template : golden.properties()) {
            byte[] source = Files.readAllBytes(FOLDER.resolve("published/" + template.getKey() + ".jinja"));
            Template parsed = Template.parse(new String(source, StandardCharsets.UTF_8));
            for (JsonNode conversation : conversations) {
                String name = conversation.path("name").textValue();
                String expected = template.getValue().path(name).textValue();
                String actual = result(parsed, conversation);
                compared++;
                if (!actual.equals(expected)) {
                    wrong.add(template.getKey() + ", " + name + ": " + actual + ", not " + expected);
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(compared).isEqualTo(72 * 48);
    }

    private static String result(Template template, JsonNode conversation) {
        List<Map<String, Object>> messages = JSON.convertValue(conversation.path("messages"), new TypeReference<>() {});
        Map<String, Object> arguments = JSON.convertValue(conversation.path("arguments"), new TypeReference<>() {});
        Variables variables = new Variables()
                .set("bos_token", "<s>")
                .set("eos_token", "</s>")
                .set("pad_token", "<pad>")
                .set("unk_token", "<unk>")
                .set("messages", messages.stream().map(Message::prepared).toList())
                .set("tools", JSON.convertValue(conversation.path("tools"), Object.class))
                .set("documents", JSON.convertValue(conversation.path("documents"), Object.class))
                .set("add_generation_prompt", false)
                .setDate(DATE);
        if (arguments != null) {
            arguments.forEach(variables::set);
        }
        try {
            Marked made = template.render(variables);
            StringBuilder result = new StringBuilder(
                    Sha256.hex(made.text().getBytes(StandardCharsets.UTF_8)).substring(0, 16));
            for (Rendered.Span span : ChatTemplate.tagged(made).spans()) {
                result.append(' ')
                        .append(made.text().codePointCount(0, span.begin()))
                        .append('-')
                        .append(made.text().codePointCount(0, span.end()));
            }
            return result.toString();
        } catch (TemplateError e) {
            return "refused";
        }
    }
}
