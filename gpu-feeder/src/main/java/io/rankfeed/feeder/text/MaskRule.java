package io.rankfeed.feeder.text;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.Range;
import java.util.List;

/**
 * Masked language modeling: a random part of the tokens is to be predicted.
 *
 * @param id of the mask token
 * @param vocabulary number of ids that a random token may have: 0 to this (exclusive)
 * @param probability that a token is to be predicted
 * @param replace part of them that is replaced by the mask token
 * @param random part of them that is replaced by a random token; the rest is unchanged
 * @param special ids that are never to be predicted
 */
public record MaskRule(
        long id,
        @Range(min = 1, max = Integer.MAX_VALUE) int vocabulary,
        @Default("0.15") double probability,
        @Default("0.8") double replace,
        @Default("0.1") double random,
        @Default("[]") List<Long> special) {
    public MaskRule {
        special = List.copyOf(special);
        requirePart("probability", probability);
        requirePart("replace", replace);
        requirePart("random", random);
        if (replace + random > 1) {
            throw new BadValue("random", "replace + random is " + (replace + random) + ", must be at most 1");
        }
    }

    private static void requirePart(String key, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new BadValue(key, value + " is out of range; must be 0 to 1");
        }
    }
}
