package io.rankfeed.feeder.tensor;

import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import java.util.List;
import java.util.Optional;

/**
 * The columns of the batches of a feed.
 *
 * @param columns empty: {@link ColumnPlan#ROW_ID} and every field of the version
 * @param transformSeed of random numbers, where a column has none of its own; empty: the feed's
 * @param rowKeys whether {@link ColumnPlan#ROW_KEY} comes after them
 */
public record ColumnSelection(Optional<List<ColumnRequest>> columns, Optional<Long> transformSeed, boolean rowKeys) {
    /** Selects all columns of the version. */
    public static ColumnSelection all() {
        return new ColumnSelection(Optional.empty(), Optional.empty(), false);
    }

    /** Selects these columns. */
    public static ColumnSelection of(List<ColumnRequest> columns) {
        return new ColumnSelection(Optional.of(List.copyOf(columns)), Optional.empty(), false);
    }

    /** Keeps the columns that have tokens: padded columns and texts. */
    public ColumnSelection ofLengths(SampleSchema schema) {
        List<ColumnRequest> all = columns.orElseGet(
                () -> schema.names().stream().map(ColumnRequest::of).toList());
        return new ColumnSelection(
                Optional.of(
                        all.stream().filter(column -> hasTokens(column, schema)).toList()),
                transformSeed,
                false);
    }

    private static boolean hasTokens(ColumnRequest column, SampleSchema schema) {
        if (column.recipe().isPresent()) {
            return column.recipe().get() instanceof Recipe.Text;
        }
        return schema.find(column.name())
                        .filter(field -> field.kind() == Field.Kind.RAGGED)
                        .isPresent()
                && column.layout().orElse(Layout.PADDED) == Layout.PADDED;
    }

    /** Whether pipelines make some of the columns. */
    public boolean hasPipelines() {
        return columns.stream().flatMap(List::stream).anyMatch(column -> column.pipeline()
                .isPresent());
    }
}
