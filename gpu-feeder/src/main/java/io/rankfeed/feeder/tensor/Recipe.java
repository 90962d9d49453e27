package io.rankfeed.feeder.tensor;

import io.rankfeed.feeder.text.TextRules;
import io.rankfeed.feeder.transform.Pipeline;
import java.util.Optional;

/** The way in which a column of a batch is made from columns of the version. */
public sealed interface Recipe {
    /**
     * Images by steps.
     *
     * @param maxImages most images of a rank's batch, where rows have lists; empty: as many as there can be
     */
    record Images(Pipeline pipeline, Optional<Integer> maxImages) implements Recipe {}

    /**
     * Token ids, and the tensors next to them.
     *
     * @param source field of the tokens
     * @param seed of masked tokens; empty: the feed's
     */
    record Text(String source, TextRules rules, Optional<Long> seed) implements Recipe {}
}
