package io.rankfeed.feeder.text;

import io.rankfeed.schema.config.Default;

/**
 * The token that ends a sequence.
 *
 * @param id id of the token
 * @param add when it is appended
 * @param truncated whether a sequence that is truncated on the right ends with it
 */
public record EosRule(
        long id,
        @Default("missing") Add add,
        @Default("drop") Truncated truncated) {
    /** When the token is appended. */
    public enum Add {
        /** Append to rows whose last token is another one. */
        MISSING,
        /** Append to every row. */
        ALWAYS
    }

    /** Whether a sequence that is truncated on the right keeps its end-of-sequence token. */
    public enum Truncated {
        /** Truncate the token like any other token. */
        DROP,
        /** Keep it as the last token. */
        KEEP
    }
}
