package io.rankfeed.job;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.Range;
import java.util.List;
import java.util.Optional;

/**
 * Rows become sequences of at most {@code to} tokens.
 *
 * @param to most tokens of a sequence
 * @param within columns that are equal in all rows of a sequence
 * @param tokens column of token ids; empty: the only column of lists of integers that is not {@code spans}
 * @param spans column of [begin, end) pairs of tokens, which move with the tokens; empty: none
 */
public record PackSection(
        @Range(min = 1, max = PackSection.MAX_TOKENS) int to,
        @Default("[]") List<String> within,
        Optional<String> tokens,
        Optional<String> spans) {
    static final int MAX_TOKENS = 1 << 20;

    /** The prefix of a key column's name that names the column with the key of a sequence's first row. */
    private static final String FIRST = "first_";

    /** Lengths of the rows that a sequence was made of, in tokens. */
    public static final String MEMBER_LENGTHS = "member_lengths";

    /** The column with the number of rows that were packed into a sequence. */
    public static final String MEMBER_COUNT = "member_count";

    /** Tokens of a sequence. */
    public static final String TOKEN_COUNT = "token_count";

    public PackSection {
        if (within.stream().distinct().count() != within.size()) {
            throw new BadValue("within", within + " has a duplicate");
        }
    }

    /** The column that identifies sequences by a key column of their first row. */
    public static String first(String key) {
        return FIRST + key;
    }
}
