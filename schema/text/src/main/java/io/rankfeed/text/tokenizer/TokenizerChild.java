package io.rankfeed.text.tokenizer;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The main class of the child process: opens the file that is its only argument, and encodes texts. Ends with its parent. */
final class TokenizerChild {
    static final int INVALID = 3;
    static final int CANNOT = 4;

    /** Text in many scripts, with characters that normalizers and pre-tokenizers treat specially. */
    private static final String TEXT = "The quick brown fox's 3,141.59 <s> [CLS] ▁Ġ _-/\\ \0\t\r\n  “ü”ßœ ﬁ ½ １２③ Ωλ Жы"
            + " 日本語。한국어 العربية עִברית हिन्दी ไทย e\u0301 \u200b\u200d\ufeff\ufffd 👩\u200d👩\u200d👧 🇩🇪 \ud835\udd4f "
            + "a".repeat(200) + " https://example.org/?q=1&r=%20#x";

    private TokenizerChild() {}

    public static void main(String[] arguments) {
        Thread parent = new Thread(TokenizerChild::awaitParent, "parent");
        parent.setDaemon(true);
        parent.start();
        Runtime.getRuntime().halt(exitCode(arguments[0]));
    }

    private static int exitCode(String file) {
        try {
            tryOut(Files.readString(Path.of(file), StandardCharsets.UTF_8));
            return 0;
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            return INVALID;
        } catch (EnvironmentException | IOException e) {
            System.err.println(e.getMessage());
            return CANNOT;
        }
    }

    /**
     * Calls a tokenizer as tasks do.
     *
     * @throws IllegalArgumentException if it cannot be opened
     */
    static Tokenizer tryOut(String json) {
        Tokenizer tokenizer = Tokenizer.of("it", json);
        for (String text : new String[] {"", " ", TEXT}) {
            for (SpecialTokens special : SpecialTokens.values()) {
                tryOut(tokenizer, text, special);
            }
        }
        return tokenizer;
    }

    /** A text without tokens is not an error: a vocabulary may be closed. */
    private static void tryOut(Tokenizer tokenizer, String text, SpecialTokens special) {
        try {
            tokenizer.encode(text, special);
            tokenizer.encode(text);
        } catch (CorruptDataException e) {
            // The library refused the text and did not crash.
        }
    }

    /** Waits for the end of the parent. The parent never writes, so the pipe ends with it, also if it is killed. */
    private static void awaitParent() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is expected.
            }
        } catch (IOException e) {
            // The same as the end of the pipe.
        }
        Runtime.getRuntime().halt(CANNOT);
    }
}
