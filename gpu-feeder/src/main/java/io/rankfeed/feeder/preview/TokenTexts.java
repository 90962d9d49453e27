package io.rankfeed.feeder.preview;

import io.rankfeed.schema.failure.ConfigException;
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
    /** Used if there is no tokenizer. */
    public static final TokenTexts NONE = new TokenTexts(TokenizerFile.NONE);

    private static final String FILE_NAME = "tokenizer.json";
    private static final Pattern BYTE = Pattern.compile("<0x([0-9A-F]{2})>");
    private static final String SPACE_MARK = "\u2581";
    private static final Map<Character, Byte> ALPHABET = alphabet();

    private final TokenizerFile tokenizer;

    private TokenTexts(TokenizerFile tokenizer) {
        this.tokenizer = tokenizer;
    }

    /**
     * @param path a {@code tokenizer.json}, or the folder that contains it
     * @throws ConfigException if it is not the file of a tokenizer
     */
    public static TokenTexts of(Path path) {
        Path file = Files.isDirectory(path) ? path.resolve(FILE_NAME) : path;
        if (!Files.isRegularFile(file)) {
            throw new ConfigException("--tokenizer " + path + ": no such file"
                    + (file.equals(path) ? "; name a tokenizer.json, or its folder" : ": " + file));
        }
        return new TokenTexts(TokenizerFile.read(file));
    }

    /** The text of a token; empty without a tokenizer, or if it has no token of this id. */
    Optional<String> of(long id) {
        String special = tokenizer.added().get(id);
        return special != null
                ? Optional.of(special)
                : Optional.ofNullable(tokenizer.pieces().get(id)).map(this::text);
    }

    private String text(String piece) {
        Matcher fallback = BYTE.matcher(piece);
        if (fallback.matches()) {
            return utf8(new byte[] {(byte) Integer.parseInt(fallback.group(1), 16)});
        }
        if (!tokenizer.isByteLevel()) {
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
