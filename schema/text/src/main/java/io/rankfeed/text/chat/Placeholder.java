package io.rankfeed.text.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** The text that refers to an image, and its literal form: with a word joiner, so that no tokenizer reads the token of an image. */
final class Placeholder {
    /** U+2060, zero width. */
    private static final String WORD_JOINER = "\u2060";

    private final String placeholder;
    private final String text;
    private final String literal;
    private int ofParts;
    private int ofTexts;
    private boolean isTextAfterPart;
    private boolean inTextPart;

    /** @param placeholder spaces around it are written for image parts, but ignored in a search */
    Placeholder(String placeholder) {
        this.placeholder = placeholder;
        this.text = placeholder.strip();
        int second = text.offsetByCodePoints(0, 1);
        this.literal = text.substring(0, second) + WORD_JOINER + text.substring(second);
    }

    String text() {
        return text;
    }

    String ofPart() {
        ofParts++;
        return placeholder;
    }

    /** The text of a text part, which never refers to an image. */
    String textPart(String content) {
        inTextPart |= content.contains(text);
        return literal(content);
    }

    /** Escapes a text outside of the content, which never refers to an image. */
    String literal(String any) {
        return any.replace(text, literal);
    }

    /** Escapes the keys and texts of a value, which never refer to an image. */
    JsonNode literal(JsonNode any) throws ChatException {
        if (any instanceof ObjectNode object) {
            ObjectNode read = JsonNodeFactory.instance.objectNode();
            for (Map.Entry<String, JsonNode> entry : object.properties()) {
                if (read.replace(literal(entry.getKey()), literal(entry.getValue())) != null) {
                    throw new ChatException(
                            "an object has the key '" + entry.getKey() + "' with and without a word joiner");
                }
            }
            return read;
        } else if (any instanceof ArrayNode list) {
            ArrayNode read = JsonNodeFactory.instance.arrayNode();
            for (JsonNode item : list) {
                read.add(literal(item));
            }
            return read;
        }
        return any.isTextual() ? JsonNodeFactory.instance.textNode(literal(any.textValue())) : any;
    }

    /** Whether a text part contained the text of an image. */
    boolean inTextPart() {
        return inTextPart;
    }

    /** The text of a plain content: each placeholder is an image, unless it is escaped by a backslash, which is removed. */
    String unescaped(String content) {
        StringBuilder read = new StringBuilder();
        int from = 0;
        for (int at = content.indexOf(text); at >= 0; at = content.indexOf(text, from)) {
            boolean escaped = at > from && content.charAt(at - 1) == '\\';
            read.append(content, from, escaped ? at - 1 : at).append(escaped ? literal : text);
            if (!escaped) {
                ofTexts++;
                isTextAfterPart |= ofParts > 0;
            }
            from = at + text.length();
        }
        return read.append(content, from, content.length()).toString();
    }

    /** The number of images of parts so far. */
    int ofParts() {
        return ofParts;
    }

    /** The number of images so far. */
    int count() {
        return ofParts + ofTexts;
    }

    /** Whether the image of a text came after that of a part. */
    boolean isTextAfterPart() {
        return isTextAfterPart;
    }
}
