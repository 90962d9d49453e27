package io.rankfeed.feeder.text;

import io.rankfeed.schema.DType;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A tensor that is made next to the token ids. */
public enum TextTensor {
    /** 1 for a token, 0 for padding. */
    ATTENTION_MASK(DType.INT64),
    /** The position of the token in its sequence. */
    POSITION_IDS(DType.INT64),
    /** Ids to predict, −100 for those that are not. */
    LABELS(DType.INT64),
    /** Number of the sequence that the token belongs to: in the batch (flat) or in its row (padded); −1 for padding. */
    SEQ_IDX(DType.INT32),
    /** The offset of each sequence's first token, and the number of tokens at the end; flat only. */
    CU_SEQLENS(DType.INT32),
    /** The same values as {@link #CU_SEQLENS}, under the names that transformers uses. */
    CU_SEQ_LENS(DType.INT32);

    /**
     * The tensors of which each one shows a decoder where sequences begin; transformers also derives that from positions.
     */
    static final Set<TextTensor> SEPARATING =
            Collections.unmodifiableSet(EnumSet.of(POSITION_IDS, SEQ_IDX, CU_SEQLENS, CU_SEQ_LENS));

    /** The tensors of which each one shows an encoder where sequences begin; its masks do not depend on positions. */
    static final Set<TextTensor> SEPARATING_FOR_ENCODERS =
            Collections.unmodifiableSet(EnumSet.of(SEQ_IDX, CU_SEQLENS, CU_SEQ_LENS));

    private final DType dtype;

    TextTensor(DType dtype) {
        this.dtype = dtype;
    }

    public DType dtype() {
        return dtype;
    }

    /** The name in batches and in YAML. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it has one value per sequence instead of per token. */
    public boolean isBounds() {
        return this == CU_SEQLENS || this == CU_SEQ_LENS;
    }

    static Optional<TextTensor> of(String id) {
        return Arrays.stream(values()).filter(one -> one.id().equals(id)).findFirst();
    }

    /** The names, with "or" before the last one. */
    static String anyOf(Set<TextTensor> tensors) {
        List<String> ids = tensors.stream().map(TextTensor::id).toList();
        return String.join(", ", ids.subList(0, ids.size() - 1)) + " or " + ids.getLast();
    }

    static List<String> ids() {
        return Arrays.stream(values()).map(TextTensor::id).toList();
    }
}
