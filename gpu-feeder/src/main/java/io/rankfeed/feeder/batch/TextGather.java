package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.MappedColumn;
import io.rankfeed.feeder.tensor.PlannedColumn;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.text.BoundText;
import io.rankfeed.feeder.text.RejectedRowException;
import io.rankfeed.feeder.text.RejectedRowException.Reason;
import io.rankfeed.feeder.text.TextRules.OnRejected;
import io.rankfeed.feeder.text.TextTensor;
import io.rankfeed.feeder.text.TokenRow;
import io.rankfeed.feeder.timing.Stage;
import io.rankfeed.feeder.transform.MemberSeeds;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.cache.CacheColumn;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gathers token ids by text rules, and the tensors next to them. Lengths are known after {@link #measure}, values come
 * with {@link #copy}.
 */
final class TextGather extends ColumnGather {
    private static final ValueLayout.OfLong ROW_ID = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt BOUND = ValueLayout.JAVA_INT_UNALIGNED;

    /** A nullable column that the rules need, and which rows have it. */
    private record Presence(String name, MappedColumn valid) {}

    private final PlannedColumn.Tokens planned;
    private final BoundText text;
    private final LaneCache cache;
    private final RowContext context;
    private final TextTensors tensors;
    private final MappedColumn rowIds;
    /** By member of the feed. */
    private final long[] seeds;

    private final List<Presence> presences;
    private final VariableRows tokens;
    private final @Nullable VariableRows members;
    private final @Nullable VariableRows prompts;
    private final @Nullable VariableRows spans;
    private final @Nullable MappedColumn prompt;
    private final @Nullable MappedColumn images;
    private final ThreadLocal<TokenRow> scratch;

    /** The number of tokens of each row in the batch; −1 for a rejected row. */
    private final int[] length;

    private final int[] sequenceCount;
    private final int[] longestSequence;

    /**
     * The index of the first token, and of the first sequence, of each row in the batch; used only by the flat layout.
     */
    private final long[] firstToken;

    private final int[] firstSequence;
    private int rows;
    private int sequences;
    private int longest;
    private int width;
    private long tokenCount;

    TextGather(PlannedColumn.Tokens planned, LaneCache cache, int rows, RowContext context) {
        super(planned.tensor());
        this.planned = planned;
        this.cache = cache;
        this.context = context;
        text = planned.text();
        tensors = new TextTensors(planned);
        rowIds = cache.column(CacheColumn.ROW_ID.name());
        seeds = MemberSeeds.of(text.seed(), cache.mixedMembers());
        presences = Stream.of(
                        Stream.of(text.tokens()),
                        text.prompt().stream(),
                        text.spans().stream(),
                        text.members().stream())
                .flatMap(fields -> fields)
                .filter(Field::nullable)
                .map(field -> new Presence(field.name(), cache.column(field.name() + CacheColumn.VALID_SUFFIX)))
                .toList();
        tokens = VariableRows.ofElements(text.tokens(), text.longestSource(), cache, rows);
        members = text.members()
                .map(field -> VariableRows.ofElements(field, text.maxMembers(), cache, rows))
                .orElse(null);
        boolean isScalar =
                text.prompt().filter(field -> field.kind() == Field.Kind.FIXED).isPresent();
        prompt = isScalar ? cache.column(text.prompt().orElseThrow().name()) : null;
        prompts = isScalar
                ? null
                : text.prompt()
                        .map(field -> VariableRows.ofElements(field, text.maxMembers(), cache, rows))
                        .orElse(null);
        spans = text.spans()
                .map(field -> VariableRows.ofElements(field, text.maxSpans(), cache, rows))
                .orElse(null);
        images = text.images().map(field -> cache.column(field.name())).orElse(null);
        scratch = ThreadLocal.withInitial(() -> new TokenRow(text));
        length = new int[rows];
        sequenceCount = new int[rows];
        longestSequence = new int[rows];
        firstToken = new long[rows];
        firstSequence = new int[rows];
    }

    @Override
    boolean isVariable() {
        return true;
    }

    @Override
    void measure(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        for (VariableRows column : new VariableRows[] {tokens, members, prompts, spans}) {
            if (column != null) {
                column.measure(addresses, from, to);
            }
        }
        TokenRow row = scratch.get();
        for (int i = from; i < to; i++) {
            try {
                begin(row, addresses, i);
                length[i] = row.length();
                sequenceCount[i] = row.sequenceCount();
                longestSequence[i] = row.longestSequence();
            } catch (RejectedRowException e) {
                reject(addresses.block[i], addresses.row[i], e);
                length[i] = -1;
                sequenceCount[i] = 1;
                longestSequence[i] = 0;
            }
        }
    }

    private void begin(TokenRow row, BatchAddresses addresses, int i) throws RejectedRowException {
        int block = addresses.block[i];
        for (Presence presence : presences) {
            MappedColumn valid = presence.valid();
            if (valid.file(block).get(ValueLayout.JAVA_BYTE, valid.values(block) + addresses.row[i]) == 0) {
                throw new RejectedRowException(Reason.MISSING, "has no " + presence.name());
            }
        }
        row.begin(tokens.bytes(addresses, i), tokens.source[i], tokens.length[i], images(block, addresses.row[i]));
        if (members != null) {
            row.members(members.bytes(addresses, i), members.source[i], members.length[i]);
        }
        if (prompt != null) {
            int promptBytes = text.prompt().orElseThrow().dtype().sizeBytes();
            row.prompts(prompt.file(block), prompt.values(block) + (long) addresses.row[i] * promptBytes, 1);
        } else if (prompts != null) {
            row.prompts(prompts.bytes(addresses, i), prompts.source[i], prompts.length[i]);
        }
        if (spans != null) {
            row.spans(spans.bytes(addresses, i), spans.source[i], spans.length[i]);
        }
    }

    private int images(int block, int row) {
        return images == null ? 0 : images.offset(block, row + 1) - images.offset(block, row);
    }

    private void reject(int block, int row, RejectedRowException e) {
        long rowId = rowIds.file(block).get(ROW_ID, rowIds.values(block) + 8L * row);
        String what = "column '" + tensor.name() + "': row id " + rowId + " (row " + row + " of record batch at byte "
                + rowIds.values(block) + ") " + e.getMessage();
        if (text.rules().rejected() == OnRejected.FAIL) {
            throw cache.damage(
                    block,
                    rowIds.values(block) + 8L * row,
                    what + "; to feed an empty row and continue, write 'rejected: empty' in the column's text");
        }
        context.rejections()
                .add(tensor.name(), e.reason().id(), cache.file(block) + ": " + what, "an empty row is fed");
    }

    @Override
    void settle(int validRows, MemorySegment slot) {
        rows = validRows;
        sequences = 0;
        longest = 0;
        tokenCount = 0;
        int longestRow = 0;
        for (int i = 0; i < validRows; i++) {
            firstToken[i] = tokenCount;
            firstSequence[i] = sequences;
            tokenCount += Math.max(length[i], 0);
            sequences += sequenceCount[i];
            longest = Math.max(longest, longestSequence[i]);
            longestRow = Math.max(longestRow, length[i]);
        }
        width = text.rules().isFlat() ? 0 : text.width(longestRow);
        planned.made().forEach((kind, spec) -> {
            if (kind.isBounds()) {
                slot.set(BOUND, spec.valuesOffset(), 0);
            }
        });
    }

    @Override
    Stage stage() {
        return Stage.TEXT;
    }

    @Override
    void copy(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        TokenRow row = scratch.get();
        for (int i = from; i < to; i++) {
            long position = text.rules().isFlat() ? firstToken[i] : (long) i * width;
            if (length[i] < 0) {
                tensors.writeEmpty(i, position, width, slot);
                bounds(row, i, slot);
                continue;
            }
            int block = addresses.block[i];
            try {
                begin(row, addresses, i);
            } catch (RejectedRowException e) {
                throw new IllegalStateException("row " + i + " was accepted when it was measured", e);
            }
            long rowId = rowIds.file(block).get(ROW_ID, rowIds.values(block) + 8L * addresses.row[i]);
            int sequence = text.rules().isFlat() ? firstSequence[i] : 0;
            row.finish(seeds[addresses.member[i]], rowId, addresses.cycle[i], sequence);
            tensors.write(row, i, position, width, slot);
            bounds(row, i, slot);
        }
    }

    /** Writes the ends of a row's sequences to the tensors of bounds. */
    private void bounds(TokenRow row, int i, MemorySegment slot) {
        planned.made().forEach((kind, spec) -> {
            if (kind.isBounds()) {
                for (int s = 0; s < sequenceCount[i]; s++) {
                    long end = firstToken[i] + (length[i] < 0 ? 0 : row.end(s));
                    slot.set(BOUND, spec.valuesOffset() + 4L * (firstSequence[i] + s + 1), (int) end);
                }
            }
        });
    }

    /** The size of the used part of a tensor of this gather, in bytes. */
    long usedBytes(TextTensor kind, TensorSpec spec) {
        return kind.isBounds() ? 4L * (sequences + 1) : paddedTokens() * spec.strideBytes();
    }

    /** The width of a tensor of this gather. */
    int width(TextTensor kind) {
        return kind.isBounds() ? longest : width;
    }

    @Override
    int count() {
        return rows;
    }

    @Override
    long tokens() {
        return tokenCount;
    }

    @Override
    long paddedTokens() {
        return text.rules().isFlat() ? tokenCount : (long) rows * width;
    }

    @Override
    long usedBytes() {
        return paddedTokens() * strideBytes;
    }

    @Override
    long costBytes() {
        return usedBytes() * (1 + planned.made().size());
    }

    @Override
    int width() {
        return width;
    }
}
