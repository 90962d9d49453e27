package io.rankfeed.feeder.preview;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The vocabulary of a {@code tokenizer.json}: its pieces and added tokens by id, and how pieces write bytes. */
final class TokenizerFile {
    static final TokenizerFile NONE = new TokenizerFile(Path.of(""));

    private static final long MAX_BYTES = 256L << 20;
    private static final JsonFactory PARSERS = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    private final Path file;
    private final Map<Long, String> pieces = new HashMap<>();
    private final Map<Long, String> added = new HashMap<>();
    private boolean isByteLevel;

    private TokenizerFile(Path file) {
        this.file = file;
    }

    /** @throws ConfigException if it is not the file of a tokenizer */
    static TokenizerFile read(Path file) {
        TokenizerFile tokenizer = new TokenizerFile(file);
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw unfit(file, "has more than " + new ByteSize(MAX_BYTES));
            }
            try (JsonParser parser = PARSERS.createParser(file.toFile())) {
                tokenizer.read(parser);
            }
        } catch (JsonProcessingException e) {
            throw unfit(file, "not valid JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("--tokenizer " + file + " cannot be read", file, e), e);
        }
        if (tokenizer.pieces.isEmpty()) {
            throw unfit(file, "has no vocabulary (model.vocab)");
        }
        return tokenizer;
    }

    /** Pieces as the model writes them, by id. */
    Map<Long, String> pieces() {
        return pieces;
    }

    /** Texts of added tokens, by id. */
    Map<Long, String> added() {
        return added;
    }

    /** Whether pieces write bytes as characters of the byte-level alphabet. */
    boolean isByteLevel() {
        return isByteLevel;
    }

    private static ConfigException unfit(Path file, String what) {
        return new ConfigException("--tokenizer " + file + ": " + what);
    }

    private void read(JsonParser parser) throws IOException {
        require(parser.nextToken() == JsonToken.START_OBJECT);
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case "added_tokens" -> readAdded(parser);
                case "model" -> readModel(parser);
                case "decoder", "pre_tokenizer" -> isByteLevel |= isByteLevel(parser);
                default -> parser.skipChildren();
            }
        }
    }

    private void require(boolean condition) {
        if (!condition) {
            throw unfit(file, "is not the file of a tokenizer");
        }
    }

    private void readAdded(JsonParser parser) throws IOException {
        require(parser.currentToken() == JsonToken.START_ARRAY);
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            require(parser.currentToken() == JsonToken.START_OBJECT);
            long id = -1;
            String content = "";
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case "id" -> id = parser.getLongValue();
                    case "content" -> content = parser.getText();
                    default -> parser.skipChildren();
                }
            }
            added.put(id, content);
        }
    }

    private void readModel(JsonParser parser) throws IOException {
        require(parser.currentToken() == JsonToken.START_OBJECT);
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (!name.equals("vocab")) {
                parser.skipChildren();
            } else if (value == JsonToken.START_ARRAY) {
                readList(parser);
            } else {
                require(value == JsonToken.START_OBJECT);
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String piece = parser.currentName();
                    parser.nextToken();
                    pieces.put(parser.getLongValue(), piece);
                }
            }
        }
    }

    /** Pairs of a piece and its score, in the order of the ids. */
    private void readList(JsonParser parser) throws IOException {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            require(parser.currentToken() == JsonToken.START_ARRAY);
            require(parser.nextToken() == JsonToken.VALUE_STRING);
            pieces.put((long) pieces.size(), parser.getText());
            parser.nextToken();
            require(parser.nextToken() == JsonToken.END_ARRAY);
        }
    }

    private static boolean isByteLevel(JsonParser parser) throws IOException {
        boolean found = false;
        int depth = 0;
        do {
            JsonToken token = parser.currentToken();
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            found |= token == JsonToken.VALUE_STRING
                    && "type".equals(parser.currentName())
                    && parser.getText().equals("ByteLevel");
        } while (depth > 0 && parser.nextToken() != null);
        return found;
    }
}
