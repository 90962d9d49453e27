package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.tensor.PlannedColumn;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.text.TextRules;
import io.rankfeed.feeder.text.TextTensor;
import io.rankfeed.feeder.text.TokenRow;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Writes the values of one row to the tensors of a slot, with padding where the row is shorter than the batch. */
final class TextTensors {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    /** A tensor of one value per token. */
    private record Part(TensorSpec tensor, Optional<TextTensor> kind, Padding padding) {}

    private final List<Part> parts = new ArrayList<>();
    private final Optional<TensorSpec> valid;
    private final boolean isLeft;
    private final long[] ones;

    TextTensors(PlannedColumn.Tokens planned) {
        TextRules rules = planned.text().rules();
        isLeft = rules.padSide() == TextRules.PadSide.LEFT;
        valid = planned.valid();
        parts.add(new Part(planned.tensor(), Optional.empty(), padding(planned.tensor(), rules.padId())));
        planned.made().forEach((kind, tensor) -> {
            if (!kind.isBounds()) {
                parts.add(new Part(tensor, Optional.of(kind), padding(tensor, padValue(kind, rules))));
            }
        });
        ones = new long
                [planned.made().containsKey(TextTensor.ATTENTION_MASK)
                        ? planned.text().maxTokens()
                        : 0];
        Arrays.fill(ones, 1);
    }

    private static Padding padding(TensorSpec tensor, long value) {
        return new Padding(
                tensor.dtype().sizeBytes(), value, (long) Math.max(tensor.maxLength(), 1) * tensor.strideBytes());
    }

    private static long padValue(TextTensor kind, TextRules rules) {
        return switch (kind) {
            case LABELS -> TextRules.IGNORED;
            case SEQ_IDX -> -1;
            // Not the position before the first: after padding on the left, models would read it as the start of the
            // sequence.
            case POSITION_IDS -> rules.firstPosition();
            default -> 0;
        };
    }

    /**
     * Writes row {@code i} of the batch.
     *
     * @param position index of its first value in each tensor, in tokens
     * @param width of a padded batch; 0 where it is flat
     */
    void write(TokenRow row, int i, long position, int width, MemorySegment slot) {
        int padding = width == 0 ? 0 : width - row.length();
        long first = isLeft ? position + padding : position;
        long pad = isLeft ? position : position + row.length();
        for (Part part : parts) {
            TensorSpec tensor = part.tensor();
            values(part, row, slot, tensor.valuesOffset() + first * tensor.strideBytes());
            part.padding()
                    .fill(
                            slot,
                            tensor.valuesOffset() + pad * tensor.strideBytes(),
                            (long) padding * tensor.strideBytes());
        }
        mark(i, (byte) 1, slot);
    }

    private void values(Part part, TokenRow row, MemorySegment slot, long at) {
        int elements = row.length()
                * (part.tensor().strideBytes() / part.tensor().dtype().sizeBytes());
        if (part.kind().isEmpty()) {
            MemorySegment.copy(row.ids(), 0, slot, LONG, at, elements);
            return;
        }
        TextTensor kind = part.kind().get();
        switch (kind) {
            case ATTENTION_MASK -> MemorySegment.copy(ones, 0, slot, LONG, at, elements);
            case SEQ_IDX -> MemorySegment.copy(row.sequences(), 0, slot, INT, at, elements);
            default -> MemorySegment.copy(row.longs(kind), 0, slot, LONG, at, elements);
        }
    }

    /** Writes a row that has only padding. */
    void writeEmpty(int i, long position, int width, MemorySegment slot) {
        for (Part part : parts) {
            TensorSpec tensor = part.tensor();
            part.padding()
                    .fill(
                            slot,
                            tensor.valuesOffset() + position * tensor.strideBytes(),
                            (long) width * tensor.strideBytes());
        }
        mark(i, (byte) 0, slot);
    }

    private void mark(int i, byte value, MemorySegment slot) {
        valid.ifPresent(spec -> slot.set(ValueLayout.JAVA_BYTE, spec.valuesOffset() + i, value));
    }
}
