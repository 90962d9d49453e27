package io.rankfeed.schema.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Reads JSON that may be corrupted or hostile: valid UTF-8 only, no duplicate member, nothing after the value, and within
 * {@link JsonLimits}. A violation is a {@link CorruptDataException} with the byte.
 */
public final class StrictJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** Trees are built by hand: a mapper would load hundreds of classes, which is most of what opening a small file costs. */
    private static final JsonFactory PARSERS = JsonFactory.builder()
            .disable(JsonFactory.Feature.CHARSET_DETECTION)
            // Names are the file's: none is kept for the life of the process.
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(JsonLimits.MAX_DEPTH)
                    .maxStringLength(JsonLimits.MAX_STRING_CHARS)
                    .maxNumberLength(40)
                    .build())
            .build();

    private final JsonParser parser;
    private final String file;
    private final JsonLimits limits;
    private int values;
    private int containers;

    private StrictJson(JsonParser parser, String file, JsonLimits limits) {
        this.parser = parser;
        this.file = file;
        this.limits = limits;
    }

    /** @param file what to call these bytes in a message */
    public static JsonNode parse(byte[] utf8, String file) {
        return parse(utf8, file, JsonLimits.SERVED);
    }

    /** Parses a file within other limits. */
    public static JsonNode parse(byte[] utf8, String file, JsonLimits limits) {
        if (utf8.length > limits.maxBytes()) {
            throw tooLong(file, utf8.length, limits.maxBytes());
        }
        return read(utf8, file, parser -> new StrictJson(parser, file, limits).value());
    }

    /**
     * Checks that bytes are one JSON object, with any number of values: for large files that another library reads. No tree is built.
     *
     * @throws CorruptDataException if they are not
     */
    public static void requireObject(byte[] utf8, String file) {
        read(utf8, file, parser -> {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw new CorruptDataException(file, 0, "not valid JSON: not an object");
            }
            parser.skipChildren();
            return NODES.nullNode();
        });
    }

    private interface Content {
        JsonNode read(JsonParser parser) throws IOException;
    }

    private static JsonNode read(byte[] utf8, String file, Content content) {
        requireUtf8(utf8, file);
        try (JsonParser parser = PARSERS.createParser(utf8)) {
            if (parser.nextToken() == null) {
                throw new CorruptDataException(file, 0, "is empty; expected JSON");
            }
            JsonNode tree = content.read(parser);
            if (parser.nextToken() != null) {
                long offset = parser.currentTokenLocation().getByteOffset();
                throw new CorruptDataException(file, offset, "not valid JSON: text follows its end");
            }
            return tree;
        } catch (JsonProcessingException e) {
            JsonLocation location = e.getLocation();
            long offset = location == null ? 0 : Math.max(0, location.getByteOffset());
            throw new CorruptDataException(file, offset, "not valid JSON: " + JsonFault.of(e));
        } catch (IOException e) {
            throw new CorruptDataException(file, "not valid JSON: " + e.getMessage(), e);
        }
    }

    /**
     * Jackson accepts overlong sequences and halves of surrogate pairs.
     *
     * @param file for messages
     * @throws CorruptDataException with the offset of the first byte that is not UTF-8
     */
    public static void requireUtf8(byte[] bytes, String file) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(1 << 13);
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CoderResult result;
        do {
            result = decoder.decode(in, out.clear(), true);
        } while (result.isOverflow());
        if (result.isError()) {
            throw new CorruptDataException(file, in.position(), "is not valid UTF-8");
        }
    }

    private static CorruptDataException tooLong(String file, long lengthBytes, long maxBytes) {
        return new CorruptDataException(file, "has " + lengthBytes + " bytes; at most " + maxBytes + " are read");
    }

    private CorruptDataException tooMany(String what) {
        return new CorruptDataException(file, parser.currentTokenLocation().getByteOffset(), "has more than " + what);
    }

    /** The value that begins at the current token; the parser limits the depth. */
    private JsonNode value() throws IOException {
        if (++values > limits.maxValues()) {
            throw tooMany(limits.maxValues() + " values");
        }
        if (parser.currentToken().isStructStart() && ++containers > limits.maxContainers()) {
            throw tooMany(limits.maxContainers() + " objects and lists");
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                ObjectNode object = NODES.objectNode();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.set(name, value());
                    if (object.size() > JsonLimits.MAX_MEMBERS) {
                        throw tooMany(JsonLimits.MAX_MEMBERS + " members in an object");
                    }
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
            case VALUE_STRING -> NODES.textNode(parser.getText());
            case VALUE_NUMBER_INT ->
                switch (parser.getNumberType()) {
                    case INT -> NODES.numberNode(parser.getIntValue());
                    case LONG -> NODES.numberNode(parser.getLongValue());
                    default -> NODES.numberNode(parser.getBigIntegerValue());
                };
            case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
            case VALUE_TRUE, VALUE_FALSE -> NODES.booleanNode(parser.getBooleanValue());
            case VALUE_NULL -> NODES.nullNode();
            default -> throw new IllegalStateException("no value begins with " + parser.currentToken());
        };
    }

    /** Reads a file whole; a symbolic link, or more than {@code maxBytes}, is refused before anything is read. */
    public static byte[] readCapped(Path file, long maxBytes) {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                throw Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                        ? new CorruptDataException(
                                file.toString(), "is not a regular file (symbolic links are refused)")
                        : new CorruptDataException(file.toString(), "does not exist");
            }
            long lengthBytes = Files.size(file);
            if (lengthBytes > maxBytes) {
                throw tooLong(file.toString(), lengthBytes, maxBytes);
            }
            try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
                return in.readNBytes((int) lengthBytes);
            }
        } catch (NoSuchFileException e) {
            throw new CorruptDataException(file.toString(), "does not exist", e);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of(file + ": cannot be read", e), e);
        }
    }
}
