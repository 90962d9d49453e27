package io.rankfeed.text.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.text.chat.jinja.Marked;
import io.rankfeed.text.chat.jinja.Template;
import io.rankfeed.text.chat.jinja.Variables;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Every template of TRL renders 48 conversations as transformers does, or refuses them as it does (published_golden.py). */
class PublishedTemplatesTest {
    private static final Path FOLDER = Path.of("src/test/resources/chat");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final LocalDate DATE = LocalDate.of(2026, 7, 1);
    private static final Map<String, String> SPECIAL =
            Map.of("bos_token", "<s>", "eos_token", "</s>", "pad_token", "<pad>", "unk_token", "<unk>");

    @Test
    void storedTemplates_textsAndBlocks_areThoseOfTransformers() throws IOException {
        JsonNode golden = JSON.readTree(Files.readString(FOLDER.resolve("published.json")));
        JsonNode conversations = JSON.readTree(Files.readString(FOLDER.resolve("conversations.json")));
        List<String> wrong = new ArrayList<>();
        int compared = 0;
        for (Map.Entry<String, JsonNode> template : golden.properties()) {
            String source = Files.readString(FOLDER.resolve("published/" + template.getKey() + ".jinja"));
            Template parsed = Template.parse(source);
            for (JsonNode conversation : conversations) {
                for (boolean isContinued : new boolean[] {false, true}) {
                    String name = conversation.path("name").textValue() + (isContinued ? ", continued" : "");
                    String expected = template.getValue().path(name).textValue();
                    String actual = isContinued ? continued(source, conversation) : result(parsed, conversation);
                    compared++;
                    if (!actual.equals(expected)) {
                        wrong.add(template.getKey() + ", " + name + ": " + actual + ", not " + expected);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(compared).isEqualTo(2 * 72 * 48);
    }

    /** With templates that others published, of which the repository has digests: mvn … -Drankfeed.templates=FOLDER, with SHA256.jinja. */
    @Test
    @EnabledIfSystemProperty(named = "rankfeed.templates", matches = ".+")
    void otherTemplates_texts_areThoseOfTransformers() throws IOException {
        JsonNode conversations = JSON.readTree(Files.readString(FOLDER.resolve("conversations.json")));
        List<String> wrong = new ArrayList<>();
        List<String> unusable = new ArrayList<>();
        int compared = 0;
        for (String line : Files.readAllLines(FOLDER.resolve("elsewhere.tsv"))) {
            String[] cells = line.split("\t", -1);
            Path file = Path.of(System.getProperty("rankfeed.templates"), cells[3] + ".jinja");
            if (Files.exists(file)) {
                String source = Files.readString(file);
                if (!digest(String.join(" ", texts(source, conversations))).equals(cells[5])) {
                    wrong.add(line);
                }
                usable(source, conversations).ifPresent(why -> unusable.add(cells[0] + " " + cells[2] + ": " + why));
                compared++;
            }
        }
        unusable.forEach(System.out::println);
        System.out.println(compared + " templates, " + unusable.size() + " unusable for a plain conversation");
        assertThat(wrong).isEmpty();
        assertThat(unusable.size()).isLessThanOrEqualTo(compared / 20);
    }

    private static List<String> texts(String source, JsonNode conversations) {
        List<String> texts = new ArrayList<>();
        for (JsonNode conversation : conversations) {
            try {
                texts.add(result(Template.parse(source), conversation).split(" ", -1)[0]);
            } catch (TemplateError e) {
                texts.add("refused");
            }
        }
        return texts;
    }

    /** Why answers of a conversation of five turns have no spans although the template renders it. */
    private static Optional<String> usable(String source, JsonNode conversations) {
        for (JsonNode conversation : conversations) {
            if (conversation.path("name").textValue().equals("five_turns_plain")) {
                List<Map<String, Object>> messages =
                        JSON.convertValue(conversation.path("messages"), new TypeReference<>() {});
                try {
                    new ChatTemplate(source, SPECIAL, new ChatOptions(DATE, AnswersTest.WHOLE))
                            .render(messages, Map.of());
                } catch (ChatException e) {
                    return Optional.of(e.getMessage());
                }
            }
        }
        return Optional.empty();
    }

    private static String result(Template template, JsonNode conversation) {
        List<Map<String, Object>> messages = JSON.convertValue(conversation.path("messages"), new TypeReference<>() {});
        Map<String, Object> arguments = JSON.convertValue(conversation.path("arguments"), new TypeReference<>() {});
        Variables variables = new Variables()
                .set("messages", messages.stream().map(Message::prepared).toList())
                .set("tools", JSON.convertValue(conversation.path("tools"), Object.class))
                .set("documents", JSON.convertValue(conversation.path("documents"), Object.class))
                .set("add_generation_prompt", false)
                .setDate(DATE);
        SPECIAL.forEach(variables::set);
        if (arguments != null) {
            arguments.forEach(variables::set);
        }
        try {
            Marked made = template.render(variables);
            StringBuilder result = new StringBuilder(digest(made.text()));
            for (Rendered.Span span : Rendering.tagged(made)) {
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

    private static String continued(String source, JsonNode conversation) {
        List<Map<String, Object>> messages = JSON.convertValue(conversation.path("messages"), new TypeReference<>() {});
        Map<String, Object> arguments = new HashMap<>();
        conversation
                .path("arguments")
                .properties()
                .forEach(one -> arguments.put(one.getKey(), JSON.convertValue(one.getValue(), Object.class)));
        for (String name : List.of("tools", "documents")) {
            arguments.put(name, JSON.convertValue(conversation.path(name), Object.class));
        }
        List<Map<String, Object>> prepared =
                new ArrayList<>(messages.stream().map(Message::prepared).toList());
        try {
            ChatTemplate template = new ChatTemplate(source, SPECIAL, new ChatOptions(DATE, AnswersTest.WHOLE));
            Continuation continuation = Continuation.of(true, prepared, source, Rendering.isPrompt(arguments))
                    .orElseThrow();
            Marked made = template.marked(prepared, arguments, arguments.getOrDefault("add_generation_prompt", false));
            return digest(
                    continuation.truncated(new Rendered(made.text(), List.of())).text());
        } catch (ChatException e) {
            return "refused";
        }
    }

    private static String digest(String text) {
        return Sha256.hex(text.getBytes(StandardCharsets.UTF_8)).substring(0, 16);
    }
}
