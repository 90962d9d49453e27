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
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of each token, from the vocabulary of a {@code tokenizer.json}. Bytes that are no whole character are {@code \xNN}. */
public final class TokenTexts {
    /** Without a tokenizer. */
    public static final TokenTexts NONE = new TokenTexts("", false);

    private static final String FILE_NAME = "tokenizer.json";
    private static final long MAX_BYTES = 256L << 20;
    private static final Pattern BYTE = Pattern.compile("<0x([0-9A-F]{2})>");
    private static final String SPACE_MARK = "\u2581";
    private static final Map<Character, Byte> ALPHABET = alphabet();
    private static final JsonFactory PARSERS = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    private final String file;
    private final Map<Long, String> pieces = new HashMap<>();
    private final Map<Long, String> added = new HashMap<>();
    private boolean isByteLevel;

    private TokenTexts(String file, boolean isByteLevel) {
        this.file = file;
        this.isByteLevel = isByteLevel;
    }

    /**
     * @param place the file, or the folder that has it
     * @throws ConfigException if it is not the file of a tokenizer
     */
    public static TokenTexts of(Path place) {
        Path file = Files.isDirectory(place) ? place.resolve(FILE_NAME) : place;
        if (!Files.isRegularFile(file)) {
            throw new ConfigException("--tokenizer " + place + ": no such file"
                    + (file.equals(place) ? "; name a tokenizer.json, or its folder" : ": " + file));
        }
        TokenTexts texts = new TokenTexts(file.toString(), false);
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw texts.unfit("has more than " + new ByteSize(MAX_BYTES));
            }
            try (JsonParser parser = PARSERS.createParser(file.toFile())) {
                texts.read(parser);
            }
        } catch (JsonProcessingException e) {
            throw texts.unfit("not valid JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("--tokenizer " + file + " cannot be read", file, e), e);
        }
        if (texts.pieces.isEmpty()) {
            throw texts.unfit("has no vocabulary (model.vocab)");
        }
        return texts;
    }

    /** The text of a token; empty without a tokenizer, or if it has no token of this id. */
    Optional<String> of(long id) {
        String special = added.get(id);
        return special != null
                ? Optional.of(special)
                : Optional.ofNullable(pieces.get(id)).map(this::text);
    }

    private ConfigException unfit(String what) {
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
            throw unfit("is not the file of a tokenizer");
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

    private String text(String piece) {
        Matcher fallback = BYTE.matcher(piece);
        if (fallback.matches()) {
            return utf8(new byte[] {(byte) Integer.parseInt(fallback.group(1), 16)});
        }
        if (!isByteLevel) {
            return piece.replace(SPACE_MARK, " ");
        }
        byte[] bytes = new byte[piece.length()];
        for (int i = 0; i < bytes.length; i++) {
            Byte value = ALPHABET.get(piece.charAt(i));
            if (value == null) {
                return piece;
            }
            bytes[i] = value;
        }
        return utf8(bytes);
    }

    private static String utf8(byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(4 * bytes.length);
        CoderResult result = decoder.decode(in, out, true);
        while (result.isError()) {
            for (int i = 0; i < result.length(); i++) {
                out.put(String.format(Locale.ROOT, "\\x%02X", in.get()));
            }
            result = decoder.decode(in, out, true);
        }
        return out.flip().toString();
    }

    /** The characters by which byte-level vocabularies write bytes: printable ones for themselves, the rest from 256 on. */
    private static Map<Character, Byte> alphabet() {
        Map<Character, Byte> alphabet = new HashMap<>();
        int next = 256;
        for (int value = 0; value < 256; value++) {
            boolean isItself = (value >= '!' && value <= '~') || (value >= 0xA1 && value <= 0xFF && value != 0xAD);
            alphabet.put((char) (isItself ? value : next++), (byte) value);
        }
        return alphabet;
    }
}
