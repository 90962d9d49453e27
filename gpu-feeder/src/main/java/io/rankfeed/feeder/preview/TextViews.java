package io.rankfeed.feeder.preview;

import io.rankfeed.feeder.tensor.ColumnRequest;
import io.rankfeed.feeder.tensor.PlannedColumn;
import io.rankfeed.feeder.tensor.PlannedColumn.Tokens;
import io.rankfeed.feeder.tensor.Recipe;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.text.ImageRule;
import io.rankfeed.feeder.text.TextRules;
import io.rankfeed.feeder.text.TextTensor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntToLongFunction;

/** The texts of a batch by row. */
public final class TextViews {
    private static final String ASIDE = "rankfeed_text";

    private final FilledSlot batch;
    private final FilledSlot aside;
    private final int rows;
    private final List<Column> columns = new ArrayList<>();

    /** A column of tokens. */
    private final class Column {
        final Tokens planned;
        /** Number of the sequence of each token, padded. */
        final TensorSpec numbers;
        /** The number of elements in a row of {@code numbers}, padding included. */
        final int width;
        /** First position of each row in the batch, and behind the last one. */
        final int[] first = new int[rows + 1];

        Column(Tokens planned, TensorSpec numbers) {
            this.planned = planned;
            this.numbers = numbers;
            width = aside.width(numbers);
            for (int row = 0; row < rows; row++) {
                int positions = planned.text().rules().isFlat() ? tokens(row) : batch.width(planned.tensor());
                first[row + 1] = Math.addExact(first[row], positions);
            }
        }

        int sequence(int row, int position) {
            return (int) aside.integer(numbers, (long) row * width + position);
        }

        private int tokens(int row) {
            int tokens = 0;
            while (tokens < width && sequence(row, tokens) >= 0) {
                tokens++;
            }
            return tokens;
        }
    }

    /**
     * @param batch as the trainer gets it
     * @param aside has the columns of {@link #numbered} for its columns of tokens, numbered in their order
     */
    public TextViews(FilledSlot batch, FilledSlot aside, int rows) {
        this.batch = batch;
        this.aside = aside;
        this.rows = rows;
        for (PlannedColumn column : batch.columns()) {
            if (column instanceof Tokens tokens) {
                columns.add(new Column(tokens, aside.tensor(ASIDE + columns.size() + "_" + TextTensor.SEQ_IDX.id())));
            }
        }
    }

    /**
     * Requests the same rows of tokens, padded, with the number of each token's sequence: they show which values of the
     * batch are padding, and which ones of a flat batch belong to a row.
     */
    public static ColumnRequest numbered(int number, Recipe.Text text) {
        TextRules rules = text.rules();
        List<String> tensors = rules.made().contains(TextTensor.LABELS)
                ? List.of(TextTensor.LABELS.id(), TextTensor.SEQ_IDX.id())
                : List.of(TextTensor.SEQ_IDX.id());
        TextRules padded = new TextRules(
                Optional.of(tensors),
                TextRules.TextLayout.PADDED,
                rules.maxLength(),
                rules.truncate(),
                rules.padToMultipleOf(),
                rules.padToLength(),
                rules.isFlat() ? TextRules.PadSide.RIGHT : rules.padSide(),
                rules.padId(),
                rules.eos(),
                rules.prompt(),
                rules.spans(),
                rules.members(),
                rules.images(),
                rules.ignoreIds(),
                rules.firstPosition(),
                rules.future(),
                rules.mask(),
                rules.rejected());
        return ColumnRequest.made(ASIDE + number + "_input_ids", new Recipe.Text(text.source(), padded, text.seed()));
    }

    /** The row's texts, one for each column. */
    List<TextView> row(int row) {
        return columns.stream().map(column -> row(column, row)).toList();
    }

    /** The totals of each column over the batch, by column name. */
    Map<String, TextView.Counts> counts() {
        Map<String, TextView.Counts> all = new LinkedHashMap<>();
        for (Column column : columns) {
            TextView.Counts counts = new TextView.Counts();
            for (int row = 0; row < rows; row++) {
                counts.add(row(column, row));
            }
            all.put(column.planned.tensor().name(), counts);
        }
        return all;
    }

    private TextView row(Column column, int row) {
        Tokens planned = column.planned;
        TextRules rules = planned.text().rules();
        long begin = column.first[row];
        Map<String, IntToLongFunction> marks = new LinkedHashMap<>();
        planned.made().forEach((kind, spec) -> {
            if (kind != TextTensor.LABELS && !kind.isBounds()) {
                marks.put(spec.name(), position -> batch.integer(spec, begin + position));
            }
        });
        Optional<TensorSpec> labels = Optional.ofNullable(planned.made().get(TextTensor.LABELS));
        int perToken = labels.map(spec -> rules.future().orElse(1)).orElse(0);
        return new TextView(
                planned.tensor().name(),
                column.first[row + 1] - column.first[row],
                position -> batch.integer(planned.tensor(), begin + position),
                perToken,
                number -> batch.integer(labels.orElseThrow(), begin * perToken + number),
                position -> column.sequence(row, position),
                marks,
                ignored(rules),
                !batch.isPresent(planned.valid(), row));
    }

    private static Set<Long> ignored(TextRules rules) {
        Set<Long> ids = new HashSet<>(rules.ignoreIds());
        rules.images().map(ImageRule::placeholder).ifPresent(ids::add);
        rules.mask().ifPresent(mask -> ids.addAll(mask.special()));
        return ids;
    }
}
