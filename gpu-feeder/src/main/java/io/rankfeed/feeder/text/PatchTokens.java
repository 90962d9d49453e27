package io.rankfeed.feeder.text;

import io.rankfeed.feeder.text.RejectedRowException.Reason;
import io.rankfeed.schema.DType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** A row whose placeholders are replaced by the tokens of its images' patches. Reused for each row; confined to one thread. */
final class PatchTokens {
    private final ImageRule rule;
    private final IntegerReader reader;
    private final long[] source;
    private final long[] expanded;

    /** The new index of each token of the source; the last element is the new number of tokens. */
    private final int[] expandedIndex;

    private int count;
    private int firstPatch;
    private int endOfPatches;

    /**
     * @param maxSource maximum number of tokens of a row before the replacement
     * @param maxTokens maximum number of tokens of a row after the replacement
     */
    PatchTokens(ImageRule rule, DType dtype, int maxSource, int maxTokens) {
        this.rule = rule;
        reader = new IntegerReader(dtype, maxSource);
        source = new long[maxSource];
        expanded = new long[maxTokens];
        expandedIndex = new int[maxSource + 1];
    }

    /**
     * Reads a row.
     *
     * @param at byte of its first token in the file
     * @param images of the row
     * @return tokens after the replacement
     * @throws RejectedRowException if it has more or fewer placeholders than images
     */
    int read(MemorySegment file, long at, int tokens, int images) throws RejectedRowException {
        reader.read(file, at, tokens, source);
        count = tokens;
        int placeholders = 0;
        for (int i = 0; i < tokens; i++) {
            placeholders += source[i] == rule.placeholder() ? 1 : 0;
        }
        boolean fits = placeholders == images && tokens + (long) images * (rule.patches() - 1) <= expanded.length;
        if (!fits) {
            throw new RejectedRowException(
                    Reason.INVALID_IMAGES,
                    "has " + placeholders + " placeholders (id " + rule.placeholder() + ") for " + images
                            + " images in '" + rule.from() + "'");
        }
        int to = 0;
        firstPatch = Integer.MAX_VALUE;
        endOfPatches = 0;
        for (int i = 0; i < tokens; i++) {
            expandedIndex[i] = to;
            if (source[i] == rule.placeholder()) {
                firstPatch = Math.min(firstPatch, to);
                endOfPatches = to + rule.patches();
                Arrays.fill(expanded, to, endOfPatches, source[i]);
                to = endOfPatches;
            } else {
                expanded[to++] = source[i];
            }
        }
        expandedIndex[tokens] = to;
        return to;
    }

    /** @throws RejectedRowException if a part of an image is cut off */
    void requireAll(int from, int to) throws RejectedRowException {
        if (from > firstPatch || to < endOfPatches) {
            throw new RejectedRowException(
                    Reason.TOO_LONG,
                    "has " + expandedIndex[count]
                            + " tokens, and truncation would remove tokens of an image; set a larger"
                            + " max-length, or filter such rows in the job");
        }
    }

    /** The new index of an index of the source; an index behind the source's end keeps its distance to the end. */
    long expandedIndex(long at) {
        return at <= count ? expandedIndex[(int) at] : expandedIndex[count] + (at - count);
    }

    /** Copies tokens {@code from} to {@code from + length} (exclusive). */
    void copy(int from, int length, long[] out) {
        System.arraycopy(expanded, from, out, 0, length);
    }
}
