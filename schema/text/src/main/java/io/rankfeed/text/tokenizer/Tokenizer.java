package io.rankfeed.text.tokenizer;

import ai.djl.huggingface.tokenizers.jni.CharSpan;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import io.rankfeed.schema.failure.CorruptDataException;
import java.util.Arrays;
import java.util.function.LongFunction;

/**
 * An open tokenizer.json. Truncation and padding of the file are ignored: the job defines both. It is never closed, and
 * any number of threads may use it. Only files that passed {@link TokenizerCheck} may be opened: the library ends the
 * process on some of the others.
 */
public final class Tokenizer {
    private final String file;
    private final TokenizersLibrary library;
    private final long handle;
    private final int addedBehind;

    private Tokenizer(String file, TokenizersLibrary library, long handle, int addedBehind) {
        this.file = file;
        this.library = library;
        this.handle = handle;
        this.addedBehind = addedBehind;
    }

    /**
     * Opens a tokenizer.
     *
     * @param file for messages
     * @throws IllegalArgumentException if it is not a tokenizer.json
     */
    public static Tokenizer of(String file, String json) {
        TokenizersLibrary library = NativeTokenizers.library();
        try {
            long handle = library.createTokenizerFromString(json);
            library.disableTruncation(handle);
            library.disablePadding(handle);
            return new Tokenizer(file, library, handle, addedBehind(library, handle));
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

    /** The number of tokens that the post-processor adds at the end. */
    public int addedBehind(SpecialTokens special) {
        return special == SpecialTokens.ADDED ? addedBehind : 0;
    }

    /**
     * The tokens of a text.
     *
     * @param special adds what the file's post-processor does, such as a token for the begin
     * @throws CorruptDataException if the file has no tokens for the text
     */
    public int[] encode(String text, SpecialTokens special) {
        return encoded(text, special, this::ids);
    }

    /** The tokens of a text without those that the post-processor adds, and where they are in it. */
    public Tokens encode(String text) {
        return encoded(text, SpecialTokens.LEFT_OUT, encoding -> {
            int[] ids = ids(encoding);
            CharSpan[] spans = library.getTokenCharSpans(encoding);
            int[] begins = new int[ids.length];
            int[] ends = new int[ids.length];
            for (int i = 0; i < ids.length; i++) {
                begins[i] = spans[i] == null ? 0 : spans[i].getStart();
                ends[i] = spans[i] == null ? 0 : spans[i].getEnd();
            }
            return new Tokens(ids, begins, ends);
        });
    }

    private <T> T encoded(String text, SpecialTokens special, LongFunction<T> result) {
        try {
            long encoding = library.encode(handle, text, special == SpecialTokens.ADDED);
            try {
                return result.apply(encoding);
            } finally {
                library.deleteEncoding(encoding);
            }
        } catch (RuntimeException e) {
            throw new CorruptDataException(
                    file,
                    "cannot tokenize a text of " + text.length() + " characters: " + e.getMessage()
                            + "; use the tokenizer.json of a model that knows all characters of the texts",
                    e);
        }
    }

    private int[] ids(long encoding) {
        return Arrays.stream(library.getTokenIds(encoding))
                .mapToInt(Math::toIntExact)
                .toArray();
    }

    /** Truncates to at most {@code limit} tokens; removes tokens before those that the post-processor adds at the end. */
    public static int[] truncated(int[] ids, int addedBehind, int limit) {
        if (ids.length <= limit) {
            return ids;
        }
        int[] kept = Arrays.copyOf(ids, limit);
        int behind = Math.min(addedBehind, limit);
        System.arraycopy(ids, ids.length - behind, kept, limit - behind, behind);
        return kept;
    }
}
