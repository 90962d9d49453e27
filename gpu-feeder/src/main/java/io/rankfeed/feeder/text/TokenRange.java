package io.rankfeed.feeder.text;

import io.rankfeed.feeder.text.RejectedRowException.Reason;

/**
 * The part of a row that is fed: tokens {@code from} to {@code to} (exclusive), and the end-of-sequence token if
 * {@code hasEos}. Reused for each row.
 */
public final class TokenRange {
    private final TextRules rules;
    private int from;
    private int to;
    private boolean hasEos;

    public TokenRange(TextRules rules) {
        this.rules = rules;
    }

    /**
     * Applies the rules to a row.
     *
     * @param tokens number of its tokens
     * @param last the last token; any number where there is none
     * @throws RejectedRowException if it is too long
     */
    public void of(int tokens, long last) throws RejectedRowException {
        from = 0;
        to = tokens;
        hasEos = rules.eos().isPresent() && adds(rules.eos().get(), tokens, last);
        int max = rules.maxLength().orElse(Integer.MAX_VALUE);
        long excess = (long) tokens + (hasEos ? 1 : 0) - max;
        if (excess > 0) {
            truncate((int) excess, max);
        }
    }

    private static boolean adds(EosRule eos, int tokens, long last) {
        return eos.add() == EosRule.Add.ALWAYS || tokens == 0 || last != eos.id();
    }

    private void truncate(int excess, int max) throws RejectedRowException {
        switch (rules.truncate()) {
            case LEFT -> from = excess;
            case RIGHT -> {
                hasEos = rules.eos().isPresent() && rules.eos().get().truncated() == EosRule.Truncated.KEEP;
                to = hasEos ? max - 1 : max;
            }
            case REFUSE ->
                throw new RejectedRowException(
                        Reason.TOO_LONG,
                        "has " + ((long) max + excess) + " tokens, max-length is " + max
                                + "; set truncate to left or right, or filter such rows in the job");
        }
    }

    /** The index of the first token that is fed. */
    public int from() {
        return from;
    }

    /** The index after the last token that is fed. */
    public int to() {
        return to;
    }

    public boolean hasEos() {
        return hasEos;
    }

    /** The number of tokens that are fed, with an added end-of-sequence token. */
    public int length() {
        return to - from + (hasEos ? 1 : 0);
    }
}
