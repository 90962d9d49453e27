package io.rankfeed.spark.function;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.engine.Argument;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import io.rankfeed.text.tokenizer.Tokenizer;
import java.io.Serializable;
import java.util.List;

/**
 * The maximum number of tokens of a value, and the handling of longer values: values are truncated only if the query says so.
 *
 * @param tokens at most; {@link Integer#MAX_VALUE} for any number
 */
record TokenLimit(int tokens, Beyond beyond) implements Serializable {
    private enum Beyond {
        TRUNCATE,
        REFUSE
    }

    private static final int MAX_TOKENS = 1 << 24;

    /**
     * @param first where the limit is among the arguments; none may
     * @throws ConfigException if it says not what becomes of longer texts
     */
    static TokenLimit of(String function, List<Argument> arguments, int first) {
        if (arguments.size() <= first) {
            return new TokenLimit(Integer.MAX_VALUE, Beyond.REFUSE);
        } else if (arguments.size() != first + 2) {
            throw new ConfigException(function + ": a limit needs the word for what is longer, as in "
                    + arguments.get(first).sql() + ", 'truncate' or 'refuse' (docs/functions.md)");
        }
        int tokens = arguments.get(first).number(function, "the limit", 1, MAX_TOKENS);
        Argument word = arguments.get(first + 1);
        return switch (word.text(function, "the word for what is longer")) {
            case "truncate" -> new TokenLimit(tokens, Beyond.TRUNCATE);
            case "refuse" -> new TokenLimit(tokens, Beyond.REFUSE);
            default -> throw word.refused(function, "the word for what is longer", "'truncate' or 'refuse'");
        };
    }

    /**
     * The tokens that are kept.
     *
     * @param addedBehind how many of them are at the end in any case
     * @throws UnfitValueException if there are more than may be
     */
    int[] kept(int[] ids, int addedBehind) {
        if (ids.length > tokens && beyond == Beyond.REFUSE) {
            throw new UnfitValueException(
                    Reason.TEXT_TOO_LONG,
                    "a text of " + ids.length + " tokens, more than the " + tokens + " that it may have");
        }
        return Tokenizer.truncated(ids, addedBehind, tokens);
    }
}
