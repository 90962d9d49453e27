package io.rankfeed.feeder.text;

import io.rankfeed.feeder.text.RejectedRowException.Reason;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Computes the values of the tensors of one row after another. For each row call {@link #begin}, {@link #members} where
 * the rules have them and {@link #prompts} or {@link #spans} where they have those: length and sequences are known
 * then. After {@link #finish} the arrays are valid up to {@link #length}. Confined to one thread; allocates nothing per
 * row.
 */
public final class TokenRow {
    private final TextRules rules;
    private final TokenRange cut;
    private final DType dtype;
    private final IntegerReader tokenReader;
    private final @Nullable PatchTokens patches;
    private final long[] ignored;
    private final IntegerReader memberReader;
    private final IntegerReader promptReader;
    private final IntegerReader spanReader;
    private final @Nullable TokenMasking masking;

    private final boolean isLabeled;
    private final long[] ids;
    private final long[] labels;
    private final long[] positions;
    private final int[] sequences;
    private final long[] future;

    /** The lengths of the row's members before truncation. */
    private final long[] members;

    private final long[] prompts;
    private final long[] spans;
    private int spanCount;
    private int memberCount;

    /** Index of the first token of each sequence that truncation has left; the last element is the index behind the last token. */
    private final int[] bounds;

    /** Index of the sequence's first token without truncation, which may be negative. */
    private final int[] start;

    /** The index of each sequence among the members. */
    private final int[] member;

    private int count;

    /** The number of tokens in the file. */
    private int length;

    /** The number of tokens before truncation, with the tokens of image patches. */
    private int tokens;

    private MemorySegment file = MemorySegment.NULL;
    private long at;

    /** @param text the rules, and the maximum numbers of tokens, sequences and spans of a row */
    public TokenRow(BoundText text) {
        rules = text.rules();
        cut = new TokenRange(rules);
        int max = text.maxTokens();
        Set<TextTensor> made = rules.made();
        isLabeled = made.contains(TextTensor.LABELS);
        ids = new long[max];
        labels = new long[isLabeled ? max : 0];
        positions = new long[made.contains(TextTensor.POSITION_IDS) ? max : 0];
        sequences = new int[made.contains(TextTensor.SEQ_IDX) ? max : 0];
        future = new long[rules.future().orElse(0) * max];
        members = new long[text.maxMembers()];
        prompts = new long[text.maxMembers()];
        spans = new long[text.maxSpans()];
        bounds = new int[text.maxMembers() + 1];
        start = new int[text.maxMembers()];
        member = new int[text.maxMembers()];
        dtype = text.tokens().dtype();
        tokenReader = new IntegerReader(dtype, max);
        patches = rules.images()
                .map(rule -> new PatchTokens(rule, dtype, text.longestSource(), text.longestRow()))
                .orElse(null);
        ignored = LongStream.concat(
                        rules.ignoreIds().stream().mapToLong(id -> id),
                        rules.images().stream().mapToLong(ImageRule::placeholder))
                .toArray();
        memberReader = reader(text.members(), members.length);
        promptReader = reader(text.prompt(), prompts.length);
        spanReader = reader(text.spans(), spans.length);
        masking = rules.mask().map(TokenMasking::new).orElse(null);
    }

    private static IntegerReader reader(Optional<Field> field, int max) {
        return new IntegerReader(field.map(Field::dtype).orElse(DType.INT64), max);
    }

    /**
     * Begins a row, which is one sequence unless {@link #members} follows.
     *
     * @param at byte of the row's first token in the file
     * @param length of the row, in tokens
     * @param images of the row; any number where the rules have none
     * @throws RejectedRowException if it is too long, or has other placeholders than images
     */
    public void begin(MemorySegment file, long at, int length, int images) throws RejectedRowException {
        this.file = file;
        this.at = at;
        this.length = length;
        long last = length == 0 ? 0 : IntegerReader.one(dtype, file, at + (length - 1L) * dtype.sizeBytes());
        tokens = patches == null ? length : patches.read(file, at, length, images);
        cut.of(tokens, last);
        if (patches != null) {
            patches.requireAll(cut.from(), cut.to());
        }
        memberCount = 1;
        single();
    }

    private void single() {
        bounds[0] = 0;
        bounds[1] = cut.length();
        start[0] = -cut.from();
        member[0] = 0;
        this.count = 1;
    }

    /**
     * Reads the lengths of the row's sequences.
     *
     * @param at byte of the first in the file
     * @throws RejectedRowException if they are not the row's
     */
    public void members(MemorySegment file, long at, int lengths) throws RejectedRowException {
        memberReader.read(file, at, lengths, members);
        memberCount = lengths;
        long sum = 0;
        for (int k = 0; k < lengths; k++) {
            if (members[k] < 1 || members[k] > tokens) {
                throw new RejectedRowException(
                        Reason.INVALID_MEMBERS, "has a member of " + members[k] + " tokens; must be 1 to " + tokens);
            }
            sum += members[k];
        }
        if (sum != tokens) {
            throw new RejectedRowException(
                    Reason.INVALID_MEMBERS, "has members of " + sum + " tokens in all, but " + tokens + " tokens");
        }
        int left = 0;
        int begin = -cut.from();
        for (int k = 0; k < lengths; k++) {
            int end = begin + (int) members[k];
            if (end > 0 && begin < cut.length()) {
                start[left] = begin;
                member[left] = k;
                bounds[++left] = Math.min(end, cut.length());
            }
            begin = end;
        }
        count = left;
        if (left == 0) {
            single();
        }
    }

    /**
     * Reads how many tokens at the start of each member are not to be predicted.
     *
     * @throws RejectedRowException if there are more or fewer numbers than members, or negative ones
     */
    public void prompts(MemorySegment file, long at, int numbers) throws RejectedRowException {
        if (numbers != memberCount) {
            throw new RejectedRowException(
                    Reason.INVALID_PROMPT, "has " + numbers + " prompt lengths for " + memberCount + " sequences");
        }
        promptReader.read(file, at, numbers, prompts);
        for (int k = 0; k < numbers; k++) {
            if (prompts[k] < 0) {
                throw new RejectedRowException(
                        Reason.INVALID_PROMPT, "has a prompt of " + prompts[k] + " tokens; must be at least 0");
            }
            prompts[k] = patches == null ? prompts[k] : patches.expandedIndex(prompts[k]);
        }
    }

    /**
     * Reads which tokens are to be predicted.
     *
     * @throws RejectedRowException if a span is outside of the row
     */
    public void spans(MemorySegment file, long at, int numbers) throws RejectedRowException {
        if (numbers % 2 != 0) {
            throw new RejectedRowException(
                    Reason.INVALID_SPANS, "has " + numbers + " bounds of spans; must be pairs of begin and end");
        }
        spanReader.read(file, at, numbers, spans);
        spanCount = numbers;
        for (int k = 0; k < numbers; k += 2) {
            if (spans[k] < 0 || spans[k] > spans[k + 1] || spans[k + 1] > length) {
                throw new RejectedRowException(
                        Reason.INVALID_SPANS,
                        "has a span of tokens " + spans[k] + " to " + spans[k + 1] + "; must be within 0 to " + length);
            }
        }
        for (int k = 0; k < numbers && patches != null; k++) {
            spans[k] = patches.expandedIndex(spans[k]);
        }
    }

    /**
     * Computes the values of every tensor.
     *
     * @param seed of the masked tokens
     */
    public void finish(long seed, long rowId, long cycle, int firstSequence) {
        int kept = cut.to() - cut.from();
        if (patches == null) {
            tokenReader.read(file, at + (long) cut.from() * dtype.sizeBytes(), kept, ids);
        } else {
            patches.copy(cut.from(), kept, ids);
        }
        if (cut.hasEos()) {
            ids[kept] = rules.eos().orElseThrow().id();
        }
        if (isLabeled) {
            label(seed, rowId, cycle);
        }
        for (int s = 0; s < count; s++) {
            number(s, firstSequence);
        }
    }

    private void label(long seed, long rowId, long cycle) {
        if (rules.spans().isPresent()) {
            labelSpans();
        } else {
            System.arraycopy(ids, 0, labels, 0, length());
        }
        if (rules.prompt().isPresent()) {
            ignorePrompts();
        }
        for (long id : ignored) {
            for (int i = 0; i < length(); i++) {
                labels[i] = ids[i] == id ? TextRules.IGNORED : labels[i];
            }
        }
        if (masking != null) {
            masking.apply(ids, labels, length(), cut.from(), seed, rowId, cycle);
        } else if (length() > 0 && (rules.isFlat() || rules.members().isPresent())) {
            // The token before a sequence's first one belongs to another sequence: it must not predict it.
            for (int s = 0; s < count; s++) {
                labels[bounds[s]] = TextRules.IGNORED;
            }
        }
        rules.future().ifPresent(this::shift);
    }

    /**
     * Sets the labels of prompts to {@link TextRules#IGNORED}. The end-of-sequence token belongs to the answer,
     * whatever the length of the prompt.
     */
    private void ignorePrompts() {
        int max = length() - (cut.hasEos() ? 1 : 0);
        for (int s = 0; s < count; s++) {
            int end = (int) Math.min(start[s] + prompts[member[s]], Math.min(bounds[s + 1], max));
            if (end > bounds[s]) {
                Arrays.fill(labels, bounds[s], end, TextRules.IGNORED);
            }
        }
    }

    /**
     * Keeps only the labels of spans. The end-of-sequence token is to be predicted if a span reaches the end of the
     * row.
     */
    private void labelSpans() {
        Arrays.fill(labels, 0, length(), TextRules.IGNORED);
        int kept = cut.to() - cut.from();
        for (int k = 0; k < spanCount; k += 2) {
            int begin = (int) Math.max(spans[k] - cut.from(), 0);
            int end = (int) Math.min(spans[k + 1] - cut.from(), kept);
            if (begin < end) {
                System.arraycopy(ids, begin, labels, begin, end - begin);
            }
            if (cut.hasEos() && spans[k] < spans[k + 1] && spans[k + 1] == tokens) {
                labels[kept] = ids[kept];
            }
        }
    }

    /** Shifts the labels: [t, k] is the label of token t + k + 1 of the same sequence. */
    private void shift(int ahead) {
        for (int s = 0; s < count; s++) {
            for (int t = bounds[s]; t < bounds[s + 1]; t++) {
                int known = Math.min(ahead, bounds[s + 1] - t - 1);
                System.arraycopy(labels, t + 1, future, t * ahead, known);
                Arrays.fill(future, t * ahead + known, (t + 1) * ahead, TextRules.IGNORED);
            }
        }
    }

    private void number(int s, int firstSequence) {
        if (positions.length > 0) {
            int offset = rules.firstPosition() - bounds[s];
            for (int i = bounds[s]; i < bounds[s + 1]; i++) {
                positions[i] = (long) i + offset;
            }
        }
        if (sequences.length > 0) {
            Arrays.fill(sequences, bounds[s], bounds[s + 1], firstSequence + s);
        }
    }

    /** The number of tokens of the row in the batch. */
    public int length() {
        return cut.length();
    }

    /** The number of sequences of the row in the batch, at least 1. */
    public int sequenceCount() {
        return count;
    }

    /** Index in the row behind a sequence's last token. */
    public int end(int sequence) {
        return bounds[sequence + 1];
    }

    /** The number of tokens of the longest sequence. */
    public int longestSequence() {
        int longest = 0;
        for (int s = 0; s < count; s++) {
            longest = Math.max(longest, bounds[s + 1] - bounds[s]);
        }
        return longest;
    }

    /** The values of a tensor of int64: [length], labels with {@code future} [length, future]. */
    public long[] longs(TextTensor tensor) {
        return switch (tensor) {
            case LABELS -> rules.future().isPresent() ? future : labels;
            case POSITION_IDS -> positions;
            default -> throw new IllegalArgumentException(tensor.id());
        };
    }

    /** The ids of the tokens after truncation and masking, [length]. */
    public long[] ids() {
        return ids;
    }

    /** The number of each token's sequence, [length]. */
    public int[] sequences() {
        return sequences;
    }
}
