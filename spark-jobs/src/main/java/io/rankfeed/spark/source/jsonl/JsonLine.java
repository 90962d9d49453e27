package io.rankfeed.spark.source.jsonl;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.JsonFault;
import io.rankfeed.spark.source.jsonl.JsonlLines.Line;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** A line of JSON as a tree whose numbers know how they were written. */
public final class JsonLine {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final JsonFactory PARSERS = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** Of one line: each takes ten times the memory of a number. */
    private static final int MAX_CONTAINERS = 1 << 21;

    private final Line line;
    private final JsonParser parser;
    /** Decoded text has whole characters alone; only escapes can write half a one. */
    private final boolean mayHaveHalves;

    private int containers;

    private JsonLine(Line line, JsonParser parser) {
        this.line = line;
        this.parser = parser;
        this.mayHaveHalves = line.text().contains("\\u");
    }

    /**
     * A line as an object.
     *
     * @throws CorruptDataException if it is none, one of its keys is duplicated, a text has half of a surrogate pair, or
     *     it is beyond the limits of docs/job-file.md
     */
    public static ObjectNode object(Line line) {
        try (JsonParser parser = PARSERS.createParser(line.text())) {
            parser.nextToken();
            JsonNode tree = new JsonLine(line, parser).value();
            if (parser.nextToken() != null) {
                throw line.damage("goes on after its JSON" + at(parser.currentTokenLocation()));
            } else if (!(tree instanceof ObjectNode object)) {
                throw line.damage("is not a JSON object");
            } else {
                return object;
            }
        } catch (StreamConstraintsException e) {
            throw line.damage("is larger than JSON is read: " + JsonFault.of(e));
        } catch (JsonProcessingException e) {
            throw line.damage("is not JSON: " + JsonFault.of(e) + at(e.getLocation()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String at(@Nullable JsonLocation place) {
        return place == null ? "" : " (column " + place.getColumnNr() + ")";
    }

    /** The value that begins at the current token; the parser refuses to nest too deep. */
    private JsonNode value() throws IOException {
        if (parser.currentToken().isStructStart() && ++containers > MAX_CONTAINERS) {
            throw line.damage("is larger than JSON is read: more than " + MAX_CONTAINERS + " objects and lists"
                    + at(parser.currentTokenLocation()));
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

    private String whole(String text) {
        if (mayHaveHalves && hasHalfPair(text)) {
            throw line.damage("has half of a surrogate pair (\\ud800 to \\udfff) in the text"
                    + at(parser.currentTokenLocation()) + ", which is not a character; write both halves or none");
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
