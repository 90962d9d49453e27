package io.rankfeed.schema.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.regex.Pattern;

/** What may be printed: values of secret keys, secrets in {@code key=value} text and users in URIs are blotted out. */
public final class Redaction {
    private static final String BLOT = "<redacted>";
    private static final String WORDS =
            "passwo?r?d|passphrase|secret|token(?!iz|s)|credential|access.?key|api.?key|private.?key|signature";
    private static final Pattern SECRET_KEY = Pattern.compile("(?i)" + WORDS);
    private static final Pattern ASSIGNED =
            Pattern.compile("(?i)([\\w.-]*(?:" + WORDS + ")[\\w.-]*)(\\s*[=:]\\s*)([^\\s&;,]+)");
    private static final Pattern USER_INFO = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*://)[^/\\s@]+@");

    private Redaction() {}

    /** A copy that may be printed. */
    public static JsonNode json(JsonNode tree) {
        return copy(tree, false);
    }

    /** A text (a URI, a command line, a message) that may be printed. */
    public static String text(String text) {
        String withoutUsers = USER_INFO.matcher(text).replaceAll("$1" + BLOT + "@");
        return ASSIGNED.matcher(withoutUsers).replaceAll("$1$2" + BLOT);
    }

    private static JsonNode copy(JsonNode node, boolean secret) {
        if (node.isObject()) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            node.properties()
                    .forEach(member -> object.set(
                            member.getKey(),
                            copy(
                                    member.getValue(),
                                    secret
                                            || SECRET_KEY
                                                    .matcher(member.getKey())
                                                    .find())));
            return object;
        } else if (node.isArray()) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            node.forEach(element -> array.add(copy(element, secret)));
            return array;
        } else if (node.isNull() || node.isBoolean()) {
            return node;
        } else if (secret) {
            return JsonNodeFactory.instance.textNode(BLOT);
        }
        return node.isTextual() ? JsonNodeFactory.instance.textNode(text(node.textValue())) : node;
    }
}
