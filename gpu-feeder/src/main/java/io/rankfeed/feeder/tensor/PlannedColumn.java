package io.rankfeed.feeder.tensor;

import io.rankfeed.feeder.text.BoundText;
import io.rankfeed.feeder.text.TextTensor;
import io.rankfeed.feeder.transform.BoundPipeline;
import io.rankfeed.schema.Field;
import java.util.Map;
import java.util.Optional;

/** A tensor of a slot, and the source of its rows. */
public sealed interface PlannedColumn {
    TensorSpec tensor();

    /**
     * A column of the cache, copied.
     *
     * @param source its name
     * @param padBits the pad element in the low bytes; 0 where nothing is padded
     */
    record Copied(TensorSpec tensor, String source, long padBits) implements PlannedColumn {}

    /**
     * Images that a pipeline makes.
     *
     * @param field the pipeline's source
     * @param maxBytes of the source's longest row; 0 where it has pixels
     * @param valid the tensor that says which rows have an image, where broken ones are fed as zeros
     */
    record Made(TensorSpec tensor, BoundPipeline pipeline, Field field, int maxBytes, Optional<TensorSpec> valid)
            implements PlannedColumn {
        /** Whether a row has a list of images. */
        public boolean isStacked() {
            return tensor.layout() == Layout.STACKED;
        }
    }

    /**
     * A column of lists of strings or binary, copied.
     *
     * @param source its name
     * @param maxBytes of all items of the longest row
     */
    record Listed(TensorSpec tensor, String source, long maxBytes) implements PlannedColumn {}

    /**
     * Token ids by rules.
     *
     * @param made the tensors next to them, which this column's gather writes
     * @param valid the tensor that says which rows were rejected by a rule, where those are fed empty
     */
    record Tokens(TensorSpec tensor, BoundText text, Map<TextTensor, TensorSpec> made, Optional<TensorSpec> valid)
            implements PlannedColumn {}

    /** A tensor of the {@link Tokens} column before it. */
    record Derived(TensorSpec tensor, TextTensor kind) implements PlannedColumn {}

    /**
     * The tensor of the {@link Made} or {@link Tokens} column before it that says which images or rows exist; that column's
     * gather writes it.
     */
    record Marked(TensorSpec tensor) implements PlannedColumn {}

    /**
     * The keys of the rows' random numbers.
     *
     * @param seed of the keys
     */
    record Keyed(TensorSpec tensor, long seed) implements PlannedColumn {}
}
