package io.rankfeed.feeder.tensor;

import io.rankfeed.feeder.text.TextRules;
import io.rankfeed.feeder.transform.Pipeline;
import java.util.Optional;

/** The way in which a column of a batch is made from columns of the version. */
public sealed interface Recipe {
    /**
     * A column of images, which the steps of a pipeline make.
     *
     * @param maxImages maximum number of images of a rank's batch, where rows have lists; empty: as many as there can be
     */
    record Images(Pipeline pipeline, Optional<Integer> maxImages) implements Recipe {}

    /**
     * A column of token ids, and the tensors next to it.
     *
     * @param source field of the tokens
     * @param seed of masked tokens; empty: the feed's
     */
    record Text(String source, TextRules rules, Optional<Long> seed) implements Recipe {}
}
