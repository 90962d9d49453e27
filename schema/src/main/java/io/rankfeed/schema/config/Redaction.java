package io.rankfeed.schema.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Replaces secrets in what is printed or stored. A secret is a value that {@code secrets.json} describes, or one that
 * this process {@linkplain #learn learned} from its settings. Messages of libraries repeat such values without their
 * names.
 */
public final class Redaction {
    private static final String BLOT = "<redacted>";

    /** Sections in which every value is a secret. */
    private static final Pattern SECTION = Pattern.compile("(?i)credentials?");

    private static final int MIN_KNOWN_CHARS = 6;
    private static final Pattern DIGIT = Pattern.compile("[0-9]");
    private static final Pattern NO_DIGIT = Pattern.compile("[^0-9.]");
    private static final Set<String> KNOWN = ConcurrentHashMap.newKeySet();

    private Redaction() {}

    /** A copy to print. Numbers are kept, because a member often has the name of a column. */
    public static JsonNode json(JsonNode tree) {
        return copy(tree, Part.PLAIN, Redaction::text);
    }

    /** A copy without the secrets that the patterns find. It does not depend on what the process learned. */
    public static JsonNode byPatterns(JsonNode tree) {
        return copy(tree, Part.PLAIN, text -> SecretPatterns.replaced(text, BLOT, secret -> {}));
    }

    /** A text (a URI, a command line, a message) that may be printed. */
    public static String text(String text) {
        String shown = SecretPatterns.replaced(text, BLOT, secret -> {});
        if (!KNOWN.isEmpty()) {
            List<String> longestFirst = KNOWN.stream()
                    .sorted(Comparator.comparingInt(String::length).reversed())
                    .toList();
            for (String secret : longestFirst) {
                shown = shown.replace(secret, BLOT);
            }
        }
        return shown;
    }

    /** Learns the secrets in a text: from now on they are replaced wherever they occur. */
    public static void learn(String text) {
        SecretPatterns.replaced(text, BLOT, Redaction::keep);
    }

    /** Learns the value if the name is that of a secret; else the secrets in the value. */
    public static void learn(String name, String value) {
        if (SecretPatterns.isSecret(name)) {
            keep(value);
        } else {
            learn(value);
        }
    }

    /** Ignores short and common words, which would be replaced in unrelated texts. */
    private static void keep(String secret) {
        int colon = secret.indexOf(':');
        if (colon >= 0) {
            // The user of an address, and what follows.
            keep(secret.substring(colon + 1));
        } else if (secret.length() >= MIN_KNOWN_CHARS
                && DIGIT.matcher(secret).find()
                && NO_DIGIT.matcher(secret).find()
                && !BLOT.contains(secret)) {
            KNOWN.add(secret);
        }
    }

    private enum Part {
        PLAIN,
        SECRET,
        SECTION
    }

    private static JsonNode copy(JsonNode node, Part part, UnaryOperator<String> texts) {
        if (node.isObject()) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            node.properties()
                    .forEach(member -> object.set(
                            member.getKey(),
                            copy(member.getValue(), part(member.getKey(), member.getValue(), part), texts)));
            return object;
        } else if (node.isArray()) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            node.forEach(element -> array.add(copy(element, part, texts)));
            return array;
        } else if (node.isNull() || node.isBoolean()) {
            return node;
        } else if (part == Part.SECTION || (part == Part.SECRET && node.isTextual())) {
            return JsonNodeFactory.instance.textNode(BLOT);
        }
        return node.isTextual() ? JsonNodeFactory.instance.textNode(texts.apply(node.textValue())) : node;
    }

    private static Part part(String name, JsonNode value, Part around) {
        if (around == Part.SECTION
                || (value.isContainerNode() && SECTION.matcher(name).matches())) {
            return Part.SECTION;
        }
        return !value.isObject() && SecretPatterns.isSecret(name) ? Part.SECRET : Part.PLAIN;
    }
}
