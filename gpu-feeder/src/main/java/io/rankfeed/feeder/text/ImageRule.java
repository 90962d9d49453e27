package io.rankfeed.feeder.text;

import io.rankfeed.schema.config.Range;

/**
 * Images that a row of tokens refers to: each placeholder becomes as many tokens as the model has patches of an image.
 *
 * @param from column with the list of the row's images: as many as there are placeholders
 * @param placeholder id of the token that stands for an image
 * @param patches tokens of an image
 */
public record ImageRule(
        String from,
        long placeholder,
        @Range(min = 1, max = ImageRule.MAX_PATCHES) int patches) {
    static final int MAX_PATCHES = 1 << 16;
}
