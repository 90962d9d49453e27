package io.rankfeed.text.tokenizer;

import java.util.OptionalInt;

/** Tokens and the code points of the text that each stands for, [begin, end). */
public final class Tokens {
    private final int[] ids;
    private final int[] begins;
    private final int[] ends;

    Tokens(int[] ids, int[] begins, int[] ends) {
        this.ids = ids;
        this.begins = begins;
        this.ends = ends;
    }

    public int[] ids() {
        return ids;
    }

    /** The first token that stands for a code point; empty where none does. */
    public OptionalInt at(int codePoint) {
        for (int i = 0; i < ids.length; i++) {
            if (begins[i] <= codePoint && codePoint < ends[i]) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }
}
