package io.rankfeed.spark.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.text.chat.ChatException;
import io.rankfeed.text.chat.ChatOptions;
import io.rankfeed.text.chat.ChatTemplate;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The chat templates of a model, which go with the tasks.
 *
 * @param sha256 of the files and of the options
 * @param sources of the templates by their names; a model that has one calls it default
 * @param special tokens that templates name
 */
record ChatFile(String sha256, HashMap<String, String> sources, HashMap<String, String> special, ChatOptions options)
        implements Serializable {
    static final String DEFAULT = "default";
    static final String WITH_TOOLS = "tool_use";
    private static final Map<String, ChatTemplate> AT_WORK = new ConcurrentHashMap<>();

    /**
     * Reads the files of a model.
     *
     * @param file the tokenizer_config.json, for messages
     * @param jinja the templates in files next to it, by name, which replace those in it
     * @throws ConfigException if there is no chat template, or one that is unsupported
     * @throws CorruptDataException if the configuration is not JSON
     */
    static ChatFile read(String file, byte[] config, SortedMap<String, byte[]> jinja, ChatOptions options) {
        JsonNode json = StrictJson.parse(config, file);
        HashMap<String, String> sources = jinja.isEmpty() ? sources(json.path("chat_template")) : new HashMap<>();
        jinja.forEach((name, bytes) -> sources.put(name, new String(bytes, StandardCharsets.UTF_8)));
        if (!sources.containsKey(DEFAULT)) {
            throw new ConfigException(file + ": no chat_template in it and no chat_template.jinja next to it; name the"
                    + " tokenizer_config.json of a model for conversations");
        }
        StringBuilder identity = new StringBuilder(Sha256.hex(config));
        jinja.forEach(
                (name, bytes) -> identity.append(' ').append(name).append(' ').append(Sha256.hex(bytes)));
        if (options.date() != null) {
            identity.append(' ').append(options.date());
        }
        if (!options.areWhole()) {
            options.trained().forEach(part -> identity.append(' ').append(part.name()));
        }
        String digest = identity.indexOf(" ") < 0
                ? identity.toString()
                : Sha256.hex(identity.toString().getBytes(StandardCharsets.UTF_8));
        ChatFile chat = new ChatFile(digest, sources, special(json), options);
        sources.keySet().forEach(name -> {
            try {
                AT_WORK.put(chat.key(name), chat.parsed(name));
            } catch (ChatException e) {
                String which = sources.size() == 1 ? "" : " (template '" + name + "')";
                throw new ConfigException(file + which + ": " + e.getMessage(), e);
            }
        });
        return chat;
    }

    /**
     * Returns the special tokens by name: all members whose names end in "_token", and those of the members with
     * further tokens.
     */
    private static HashMap<String, String> special(JsonNode config) {
        HashMap<String, String> special = new HashMap<>();
        for (String further : List.of("model_specific_special_tokens", "extra_special_tokens")) {
            config.path(further).properties().forEach(member -> putToken(special, member));
        }
        config.properties().stream()
                .filter(member -> member.getKey().endsWith("_token"))
                .forEach(member -> putToken(special, member));
        return special;
    }

    private static void putToken(Map<String, String> special, Map.Entry<String, JsonNode> member) {
        JsonNode token = member.getValue().isObject() ? member.getValue().path("content") : member.getValue();
        if (token.isTextual()) {
            special.put(member.getKey(), token.textValue());
        }
    }

    /** Returns the templates by name, from a member that is one text or several named ones. */
    private static HashMap<String, String> sources(JsonNode template) {
        HashMap<String, String> sources = new HashMap<>();
        if (template.isTextual()) {
            sources.put(DEFAULT, template.textValue());
        }
        for (JsonNode one : template) {
            if (one.path("name").isTextual() && one.path("template").isTextual()) {
                sources.put(one.path("name").textValue(), one.path("template").textValue());
            }
        }
        sources.keySet().removeIf(name -> !name.equals(DEFAULT) && !name.equals(WITH_TOOLS));
        return sources;
    }

    private String key(String name) {
        return sha256 + " " + name;
    }

    private ChatTemplate parsed(String name) throws ChatException {
        return new ChatTemplate(String.valueOf(sources.get(name)), special, options);
    }

    /** The template for a conversation, which may be another one where the model has tools. */
    ChatTemplate template(boolean hasTools) {
        String name = hasTools && sources.containsKey(WITH_TOOLS) ? WITH_TOOLS : DEFAULT;
        return AT_WORK.computeIfAbsent(key(name), digest -> {
            try {
                return parsed(name);
            } catch (ChatException e) {
                throw new IllegalStateException("was checked when it was read", e);
            }
        });
    }
}
