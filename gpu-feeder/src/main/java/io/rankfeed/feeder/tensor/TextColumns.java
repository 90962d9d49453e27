package io.rankfeed.feeder.tensor;

import io.rankfeed.feeder.text.BoundText;
import io.rankfeed.feeder.text.TextRules;
import io.rankfeed.feeder.text.TextTensor;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.ConfigException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plans the tensors of a column of tokens. */
final class TextColumns {
    private static final String IDS = "input_ids";
    private static final String ROW_VALID = "row.valid";

    private TextColumns() {}

    /**
     * Allocates the tensors: the ids, those next to them, and which rows were rejected.
     *
     * @param name of the ids; what precedes {@code input_ids} in it precedes the names of the others
     * @throws ConfigException if the others cannot be named, or the slot would be too large
     */
    static List<PlannedColumn> allocate(String name, BoundText text, SlotLayout slot, int rows) {
        TextRules rules = text.rules();
        boolean isAlone = rules.made().isEmpty() && rules.rejected() == TextRules.OnRejected.FAIL;
        if (!isAlone && !name.endsWith(IDS)) {
            throw new ConfigException(
                    "column '" + name + "': the tensors next to it are named after it; end its name with " + IDS
                            + ", or write tensors: []");
        }
        String prefix = isAlone ? "" : name.substring(0, name.length() - IDS.length());
        TensorSpec ids = tokens(name, DType.INT64, List.of(), text, slot, rows);
        Map<TextTensor, TensorSpec> made = new EnumMap<>(TextTensor.class);
        for (TextTensor tensor : rules.made()) {
            made.put(tensor, allocate(prefix + tensor.id(), tensor, text, slot, rows));
        }
        Optional<TensorSpec> valid = rules.rejected() == TextRules.OnRejected.FAIL
                ? Optional.empty()
                : Optional.of(slot.allocate(prefix + ROW_VALID, DType.UINT8, Layout.FIXED, List.of(), 0, rows));
        List<PlannedColumn> columns = new ArrayList<>();
        columns.add(new PlannedColumn.Tokens(ids, text, made, valid));
        made.forEach((tensor, spec) -> columns.add(new PlannedColumn.Derived(spec, tensor)));
        valid.ifPresent(spec -> columns.add(new PlannedColumn.Marked(spec)));
        return columns;
    }

    private static TensorSpec allocate(String name, TextTensor tensor, BoundText text, SlotLayout slot, int rows) {
        if (!Field.isName(name)) {
            throw new ConfigException("tensor name '" + name + "' " + Field.NAME_RULE + "; rename the column");
        }
        if (tensor.isBounds()) {
            return slot.allocateBounds(name, (long) rows * text.maxMembers(), text.maxTokens());
        }
        List<Integer> inner = tensor == TextTensor.LABELS
                ? text.rules().future().map(List::of).orElse(List.of())
                : List.of();
        return tokens(name, tensor.dtype(), inner, text, slot, rows);
    }

    private static TensorSpec tokens(
            String name, DType dtype, List<Integer> inner, BoundText text, SlotLayout slot, int rows) {
        return text.rules().isFlat()
                ? slot.allocate(name, dtype, Layout.FLAT, inner, text.maxTokens(), rows)
                : slot.allocate(name, dtype, Layout.DENSE, inner, text.maxWidth(), rows);
    }
}
