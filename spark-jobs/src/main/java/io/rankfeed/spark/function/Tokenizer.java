package io.rankfeed.spark.function;

import ai.djl.huggingface.tokenizers.jni.CharSpan;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.util.Arrays;

/**
 * A tokenizer.json at work. What the file says of truncation and padding is switched off: a job writes what it wants.
 * Lives as long as its JVM; any number of threads may use it at once.
 */
final class Tokenizer {
    private final TokenizersLibrary library;
    private final long handle;
    private final int addedBehind;

    private Tokenizer(TokenizersLibrary library, long handle, int addedBehind) {
        this.library = library;
        this.handle = handle;
        this.addedBehind = addedBehind;
    }

    /** @throws IllegalArgumentException if it is not a tokenizer.json */
    static Tokenizer of(String json) {
        TokenizersLibrary library = NativeTokenizers.library();
        long handle = opened(library, json);
        library.disableTruncation(handle);
        library.disablePadding(handle);
        return new Tokenizer(library, handle, addedBehind(library, handle));
    }

    private static long opened(TokenizersLibrary library, String json) {
        try {
            return library.createTokenizerFromString(json);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static int addedBehind(TokenizersLibrary library, long handle) {
        long encoding = library.encode(handle, "a", true);
        try {
            long[] added = library.getSpecialTokenMask(encoding);
            int behind = 0;
            while (behind < added.length && added[added.length - 1 - behind] != 0) {
                behind++;
            }
            return behind;
        } finally {
            library.deleteEncoding(encoding);
        }
    }

    /** How many tokens the post-processor adds at the end, where it adds any. */
    int addedBehind(SpecialTokens special) {
        return special == SpecialTokens.ADDED ? addedBehind : 0;
    }

    /** @param special adds what the file's post-processor does, such as a token for the begin */
    int[] encode(String text, SpecialTokens special) {
        long encoding = library.encode(handle, text, special == SpecialTokens.ADDED);
        try {
            return Arrays.stream(library.getTokenIds(encoding))
                    .mapToInt(Math::toIntExact)
                    .toArray();
        } finally {
            library.deleteEncoding(encoding);
        }
    }

    /** The tokens of a text without those that the post-processor adds, and where they are in it. */
    Tokens encode(String text) {
        long encoding = library.encode(handle, text, false);
        try {
            int[] ids = Arrays.stream(library.getTokenIds(encoding))
                    .mapToInt(Math::toIntExact)
                    .toArray();
            CharSpan[] spans = library.getTokenCharSpans(encoding);
            int[] begins = new int[ids.length];
            int[] ends = new int[ids.length];
            for (int i = 0; i < ids.length; i++) {
                begins[i] = spans[i] == null ? 0 : spans[i].getStart();
                ends[i] = spans[i] == null ? 0 : spans[i].getEnd();
            }
            return new Tokens(ids, begins, ends);
        } finally {
            library.deleteEncoding(encoding);
        }
    }

    /** At most so many of them, cut before those that the post-processor adds at the end. */
    static int[] cut(int[] ids, int addedBehind, int limit) {
        if (ids.length <= limit) {
            return ids;
        }
        int[] kept = Arrays.copyOf(ids, limit);
        int behind = Math.min(addedBehind, limit);
        System.arraycopy(ids, ids.length - behind, kept, limit - behind, behind);
        return kept;
    }
}
