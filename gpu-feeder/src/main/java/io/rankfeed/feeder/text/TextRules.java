package io.rankfeed.feeder.text;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.Range;
import io.rankfeed.schema.failure.Suggestion;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The rules by which a column of token ids becomes a batch (docs/text.md).
 *
 * @param tensors made next to the ids; empty: attention mask and labels (padded), positions, labels and numbers of sequences (padded
 *     with members), positions, labels and bounds (flat)
 * @param layout one row of the tensor for each row, or all rows in one sequence
 * @param maxLength maximum number of tokens of a row; empty: as many as the longest has
 * @param truncate what becomes of a longer row
 * @param padToMultipleOf the width of a batch is a multiple of this
 * @param padToLength the width of every batch
 * @param padSide where padding goes
 * @param padId the id of padding
 * @param eos the token that ends a sequence; empty: none is added
 * @param prompt column with the number of tokens at the start that are not to be predicted; with members one number for each
 * @param spans column with the [begin, end) pairs of tokens that are to be predicted
 * @param members column with the lengths of the sequences that are packed into a row
 * @param images the rule that replaces placeholders by the patches of images
 * @param ignoreIds ids that are never to be predicted
 * @param firstPosition of a sequence's first token
 * @param future labels of this many tokens after each one
 * @param mask masked language modeling
 * @param rejected what is fed for a row that breaks a rule
 */
public record TextRules(
        Optional<List<String>> tensors,
        @Default("padded") TextLayout layout,
        @Range(min = 1, max = TextRules.MAX_LENGTH) Optional<Integer> maxLength,
        @Default("refuse") Truncation truncate,
        @Range(min = 1, max = TextRules.MAX_LENGTH) Optional<Integer> padToMultipleOf,
        @Range(min = 1, max = TextRules.MAX_LENGTH) Optional<Integer> padToLength,
        @Default("right") PadSide padSide,
        @Default("0") long padId,
        Optional<EosRule> eos,
        Optional<String> prompt,
        Optional<String> spans,
        Optional<String> members,
        Optional<ImageRule> images,
        @Default("[]") List<Long> ignoreIds,

        @Default("0") @Range(min = 0, max = TextRules.MAX_LENGTH)
        int firstPosition,

        @Range(min = 1, max = TextRules.MAX_FUTURE) Optional<Integer> future,
        Optional<MaskRule> mask,
        @Default("fail") OnRejected rejected) {
    /** The label of a token that is not to be predicted. */
    public static final long IGNORED = -100;

    static final int MAX_LENGTH = 1 << 24;
    static final int MAX_FUTURE = 64;

    /** The layout of the rows of a batch. */
    public enum TextLayout {
        PADDED,
        FLAT
    }

    /** How a row of more than {@code maxLength} tokens is truncated. */
    public enum Truncation {
        LEFT,
        RIGHT,
        REFUSE
    }

    /** The side of a row on which padding is added. */
    public enum PadSide {
        LEFT,
        RIGHT
    }

    /** What is fed for a row that breaks a rule. */
    public enum OnRejected {
        FAIL,
        EMPTY
    }

    public TextRules {
        tensors = tensors.map(List::copyOf);
        ignoreIds = List.copyOf(ignoreIds);
        tensors.ifPresent(TextRules::requireKnown);
        Set<TextTensor> made = made(tensors, layout, members);
        boolean isFlat = layout == TextLayout.FLAT;
        require(
                members.isEmpty() || !made.contains(TextTensor.ATTENTION_MASK),
                "members",
                "cannot be combined with attention_mask, with which each token sees the members before its own; write"
                        + " tensors: [position_ids, labels, seq_idx]");
        require(!isFlat || !made.contains(TextTensor.ATTENTION_MASK), "tensors", "a flat batch has no padding to mask");
        require(isFlat || made.stream().noneMatch(TextTensor::isBounds), "tensors", "cu_seqlens needs layout: flat");
        Set<TextTensor> separating = mask.isEmpty() ? TextTensor.SEPARATING : TextTensor.SEPARATING_FOR_ENCODERS;
        require(
                (members.isEmpty() && (!isFlat || made.isEmpty())) || !Collections.disjoint(made, separating),
                "tensors",
                "sequences of one row need " + TextTensor.anyOf(separating) + ", or a model cannot keep them apart");
        require(!isFlat || padToMultipleOf.isEmpty(), "pad-to-multiple-of", "a flat batch has no padding");
        require(!isFlat || padToLength.isEmpty(), "pad-to-length", "a flat batch has no padding");
        require(padToLength.isEmpty() || padToMultipleOf.isEmpty(), "pad-to-length", "excludes pad-to-multiple-of");
        require(truncate == Truncation.REFUSE || maxLength.isPresent(), "truncate", "needs max-length");
        require(prompt.isEmpty() || spans.isEmpty(), "spans", "excludes prompt");
        require(members.isEmpty() || eos.isEmpty(), "eos", "excludes members; append the token in the job's query");
        require(images.isEmpty() || (members.isEmpty() && mask.isEmpty()), "images", "excludes members and mask");
        boolean isLabeling = prompt.isPresent() || spans.isPresent() || future.isPresent() || !ignoreIds.isEmpty();
        require(
                !isLabeling || made.contains(TextTensor.LABELS),
                "tensors",
                "prompt, spans, ignore-ids and future need labels");
        require(mask.isEmpty() || made.contains(TextTensor.LABELS), "mask", "needs labels among tensors");
        require(
                mask.isEmpty() || (prompt.isEmpty() && spans.isEmpty() && future.isEmpty()),
                "mask",
                "excludes prompt, spans and future");
    }

    /** The tensors next to the ids, in the order of their declaration. */
    public Set<TextTensor> made() {
        return made(tensors, layout, members);
    }

    public boolean isFlat() {
        return layout == TextLayout.FLAT;
    }

    private static Set<TextTensor> made(Optional<List<String>> tensors, TextLayout layout, Optional<String> members) {
        if (tensors.isPresent()) {
            Set<TextTensor> made = EnumSet.noneOf(TextTensor.class);
            tensors.get().forEach(id -> TextTensor.of(id).ifPresent(made::add));
            return made;
        }
        if (layout == TextLayout.FLAT) {
            return EnumSet.of(TextTensor.POSITION_IDS, TextTensor.LABELS, TextTensor.CU_SEQLENS);
        }
        return members.isPresent()
                ? EnumSet.of(TextTensor.POSITION_IDS, TextTensor.LABELS, TextTensor.SEQ_IDX)
                : EnumSet.of(TextTensor.ATTENTION_MASK, TextTensor.LABELS);
    }

    private static void requireKnown(List<String> ids) {
        for (String id : ids) {
            require(
                    TextTensor.of(id).isPresent(),
                    "tensors",
                    "unknown tensor '" + id + "'" + Suggestion.hint(id, TextTensor.ids()));
        }
        require(Set.copyOf(ids).size() == ids.size(), "tensors", ids + " has a duplicate");
    }

    private static void require(boolean condition, String key, String what) {
        if (!condition) {
            throw new BadValue(key, what);
        }
    }
}
