package io.rankfeed.spark.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.spark.chat.ChatException;
import io.rankfeed.spark.chat.ChatTemplate;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The chat template of a tokenizer_config.json, which goes with the tasks.
 *
 * @param sha256 of the file
 * @param source of the template
 * @param special tokens that the template names
 */
record ChatFile(String sha256, String source, HashMap<String, String> special) implements Serializable {
    private static final Map<String, ChatTemplate> AT_WORK = new ConcurrentHashMap<>();
    private static final List<String> SPECIAL =
            List.of("bos_token", "eos_token", "pad_token", "unk_token", "sep_token", "cls_token", "mask_token");

    /**
     * Reads a file.
     *
     * @param file for messages
     * @throws ConfigException if it has no chat template, or one that is unsupported
     * @throws CorruptDataException if it is not JSON
     */
    static ChatFile read(String file, byte[] bytes) {
        JsonNode config = StrictJson.parse(bytes, file);
        String source = source(config.path("chat_template"));
        if (source == null) {
            throw new ConfigException(
                    file + ": no chat_template; name the tokenizer_config.json of a model for conversations");
        }
        HashMap<String, String> special = new HashMap<>();
        for (String name : SPECIAL) {
            JsonNode token = config.path(name).isObject() ? config.path(name).path("content") : config.path(name);
            if (token.isTextual()) {
                special.put(name, token.textValue());
            }
        }
        ChatFile chat = new ChatFile(Sha256.hex(bytes), source, special);
        try {
            AT_WORK.put(chat.sha256, new ChatTemplate(source, special));
        } catch (ChatException e) {
            throw new ConfigException(file + ": " + e.getMessage(), e);
        }
        return chat;
    }

    /** A text, or of several templates the one that is called default. */
    private static @Nullable String source(JsonNode template) {
        if (template.isTextual()) {
            return template.textValue();
        }
        for (JsonNode one : template) {
            if (one.path("name").asText().equals("default")
                    && one.path("template").isTextual()) {
                return one.path("template").textValue();
            }
        }
        return null;
    }

    ChatTemplate template() {
        return AT_WORK.computeIfAbsent(sha256, digest -> {
            try {
                return new ChatTemplate(source, special);
            } catch (ChatException e) {
                throw new IllegalStateException("was checked when it was read", e);
            }
        });
    }
}
