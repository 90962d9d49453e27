package io.rankfeed.feeder.preview;

import io.rankfeed.feeder.text.TextRules;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;

/**
 * The tokens of one row in a column of the batch, padding included, by their position in the row.
 *
 * @param name of the tensor of ids
 * @param positions tokens and padding
 * @param ids of the tokens
 * @param labelsPerToken 0 where the batch has no labels
 * @param labels by {@code position · labelsPerToken + number}
 * @param sequences number of the token's sequence in the row, −1 for padding
 * @param marks values of the other tensors with one value for each position, by name
 * @param ignored ids that are never to be predicted
 * @param isRejected whether a rule rejected the row, which is fed without tokens
 */
public record TextView(
        String name,
        int positions,
        IntToLongFunction ids,
        int labelsPerToken,
        IntToLongFunction labels,
        IntUnaryOperator sequences,
        Map<String, IntToLongFunction> marks,
        Set<Long> ignored,
        boolean isRejected) {
    static final int PADDING = -1;

    /** The role of a token in training; the style of a sheet has a class for each. */
    enum Kind {
        TRAINED("t", "trained: the label is the token"),
        REPLACED("r", "trained: the label (below) is another token"),
        NOT_TRAINED("n", "not trained: the label is −100"),
        IGNORED("i", "not trained: the id is never to be predicted (ignored, special, or an image)"),
        PADDING("p", "padding"),
        UNLABELED("u", "token of a column without labels");

        private final String style;
        private final String meaning;

        Kind(String style, String meaning) {
            this.style = style;
            this.meaning = meaning;
        }

        String style() {
            return style;
        }

        String meaning() {
            return meaning;
        }
    }

    Kind kind(int position) {
        if (sequences.applyAsInt(position) == PADDING) {
            return Kind.PADDING;
        }
        if (labelsPerToken == 0) {
            return Kind.UNLABELED;
        }
        long id = ids.applyAsLong(position);
        if (!isTrained(position)) {
            return ignored.contains(id) ? Kind.IGNORED : Kind.NOT_TRAINED;
        }
        return labelsPerToken == 1 && labels.applyAsLong(position) != id ? Kind.REPLACED : Kind.TRAINED;
    }

    private boolean isTrained(int position) {
        for (int k = 0; k < labelsPerToken; k++) {
            if (labels.applyAsLong(position * labelsPerToken + k) != TextRules.IGNORED) {
                return true;
            }
        }
        return false;
    }

    /** Formats the labels of a position, separated by spaces. */
    String labelsAt(int position) {
        StringBuilder all = new StringBuilder();
        for (int k = 0; k < labelsPerToken; k++) {
            all.append(k == 0 ? "" : " ").append(labels.applyAsLong(position * labelsPerToken + k));
        }
        return all.toString();
    }

    /** Whether a position has the same id and labels as the one before it, and the same meaning. */
    boolean repeats(int position) {
        if (ids.applyAsLong(position) != ids.applyAsLong(position - 1) || kind(position) != kind(position - 1)) {
            return false;
        }
        for (int k = 0; k < labelsPerToken; k++) {
            int at = position * labelsPerToken + k;
            if (labels.applyAsLong(at) != labels.applyAsLong(at - labelsPerToken)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the index after the last token of the sequence, or stretch of padding, that begins at {@code begin}. */
    int end(int begin) {
        int end = begin;
        while (end < positions && sequences.applyAsInt(end) == sequences.applyAsInt(begin)) {
            end++;
        }
        return end;
    }

    /**
     * Formats the values of another tensor from {@code begin} to {@code end} (exclusive): one number, two of a sequence
     * that counts up by one, or that they vary.
     */
    static String range(IntToLongFunction values, int begin, int end) {
        long first = values.applyAsLong(begin);
        boolean isConstant = true;
        boolean isCounting = true;
        for (int position = begin; position < end; position++) {
            isConstant &= values.applyAsLong(position) == first;
            isCounting &= values.applyAsLong(position) == first + position - begin;
        }
        if (isConstant) {
            return Long.toString(first);
        }
        return isCounting ? first + " to " + (first + end - begin - 1) : "varies";
    }

    /** The totals of a column. */
    static final class Counts {
        private long tokens;
        private long trained;
        private long positions;
        private long sequences;

        void add(TextView row) {
            positions += row.positions;
            for (int begin = 0; begin < row.positions; ) {
                int end = row.end(begin);
                if (row.sequences.applyAsInt(begin) != PADDING) {
                    sequences++;
                    tokens += end - begin;
                    for (int position = begin; position < end; position++) {
                        trained += row.isTrained(position) ? 1 : 0;
                    }
                }
                begin = end;
            }
        }

        long tokens() {
            return tokens;
        }

        long trained() {
            return trained;
        }

        long positions() {
            return positions;
        }

        long sequences() {
            return sequences;
        }
    }
}
