package io.rankfeed.schema.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A JSON tree whose numbers keep their text. */
public final class JsonTree {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final JsonFactory PARSERS = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** Maximum of objects and lists. Each takes ten times the memory of a number. */
    private static final int MAX_CONTAINERS = 1 << 21;

    private final JsonParser parser;
    /** Whether texts may have half of a surrogate pair. Decoded UTF-8 has none, but escapes can write one. */
    private final boolean mayHaveHalves;

    private int containers;

    private JsonTree(JsonParser parser, String text) {
        this.parser = parser;
        this.mayHaveHalves = text.contains("\\u");
    }

    /** JSON that is valid, but has a text, a size or an end that is refused. */
    public static final class RefusedException extends JsonParseException {
        private static final long serialVersionUID = 1L;

        private RefusedException(JsonParser parser, String what, String advice) {
            super(
                    parser,
                    what + " (column " + parser.currentTokenLocation().getColumnNr() + ")" + advice,
                    parser.currentTokenLocation());
        }
    }

    /**
     * The tree of a text; empty text is a missing node.
     *
     * @throws RefusedException if a text has half of a surrogate pair, there are too many objects and lists, or the text goes on
     *     after the value
     * @throws JsonProcessingException if it is not JSON, a key of an object is duplicated, or it is beyond the limits of the parser
     */
    public static JsonNode of(String text) throws JsonProcessingException {
        try (JsonParser parser = PARSERS.createParser(text)) {
            if (parser.nextToken() == null) {
                return NODES.missingNode();
            }
            JsonNode tree = new JsonTree(parser, text).value();
            if (parser.nextToken() != null) {
                throw new RefusedException(parser, "goes on after its JSON", "");
            }
            return tree;
        } catch (JsonProcessingException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The value that begins at the current token; the parser refuses to nest too deep. */
    private JsonNode value() throws IOException {
        if (parser.currentToken().isStructStart() && ++containers > MAX_CONTAINERS) {
            throw new RefusedException(
                    parser, "is larger than JSON is read: more than " + MAX_CONTAINERS + " objects and lists", "");
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                ObjectNode object = NODES.objectNode();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = whole(parser.currentName());
                    parser.nextToken();
                    object.set(name, value());
                }
                yield object;
            }
            case START_ARRAY -> {
                ArrayNode array = NODES.arrayNode();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value());
                }
                yield array;
            }
            case VALUE_STRING -> NODES.textNode(whole(parser.getText()));
            case VALUE_NUMBER_INT ->
                switch (parser.getNumberType()) {
                    case INT ->
                        parser.getText().equals(NegativeZero.WRITTEN)
                                ? new NegativeZero()
                                : NODES.numberNode(parser.getIntValue());
                    case LONG -> NODES.numberNode(parser.getLongValue());
                    default -> NODES.numberNode(parser.getBigIntegerValue());
                };
            case VALUE_NUMBER_FLOAT -> new WrittenNumber(parser.getText());
            case VALUE_TRUE, VALUE_FALSE -> NODES.booleanNode(parser.getBooleanValue());
            case VALUE_NULL -> NODES.nullNode();
            default -> throw new IllegalStateException("no value begins with " + parser.currentToken());
        };
    }

    private String whole(String text) throws RefusedException {
        if (mayHaveHalves && hasHalfPair(text)) {
            throw new RefusedException(
                    parser,
                    "has half of a surrogate pair (\\ud800 to \\udfff) in the text",
                    ", which is not a character; write both halves or none");
        }
        return text;
    }

    /** Whether a surrogate is unpaired; UTF-8 cannot encode it. */
    public static boolean hasHalfPair(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i)) && !Character.isSupplementaryCodePoint(text.codePointAt(i++))) {
                return true;
            }
        }
        return false;
    }
}
