package io.rankfeed.feeder.text;

import io.rankfeed.schema.DType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A tensor that is made next to the token ids. */
public enum TextTensor {
    /** 1 for a token, 0 for padding. */
    ATTENTION_MASK(DType.INT64),
    /** Number of the token in its sequence. */
    POSITION_IDS(DType.INT64),
    /** Ids to predict, −100 for those that are not. */
    LABELS(DType.INT64),
    /** Number of the sequence that the token belongs to: in the batch (flat) or in its row (padded); −1 for padding. */
    SEQ_IDX(DType.INT32),
    /** Where each sequence begins, and the end of the last; flat only. */
    CU_SEQLENS(DType.INT32),
    /** The same under the names of transformers. */
    CU_SEQ_LENS(DType.INT32);

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

    static List<String> ids() {
        return Arrays.stream(values()).map(TextTensor::id).toList();
    }
}
