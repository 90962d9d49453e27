package io.rankfeed.importing.index;

import io.rankfeed.schema.failure.ConfigException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The samples of a part. A sample has the same number whether others are damaged or not.
 *
 * @param rows number of samples, with those that are damaged; each column has as many values
 * @param columns in the order of the format
 * @param keys the samples' names in the source; empty if the format has none
 * @param hasFilePerRow whether sample i is in file i of the part, and not in the file of its column
 * @param refused columns that cannot be fed, each with the reason
 */
public record IndexedPart(
        long rows,
        List<IndexedColumn> columns,
        List<String> keys,
        boolean hasFilePerRow,
        Map<String, String> refused,
        Damages damages) {
    static final int MAX_ROWS = Integer.MAX_VALUE - 8;

    public IndexedPart {
        columns = List.copyOf(columns);
        keys = List.copyOf(keys);
        refused = Map.copyOf(refused);
        if (rows > MAX_ROWS) {
            throw new ConfigException(
                    "a part has " + rows + " samples; at most " + MAX_ROWS + " can be indexed, divide its files");
        }
        for (IndexedColumn column : columns) {
            if (column.values().rows() != rows) {
                throw new IllegalArgumentException("column '" + column.name() + "' has "
                        + column.values().rows() + " values for " + rows + " samples");
            }
        }
    }

    /** A part whose samples have no names, and are in the files of their columns. */
    public static IndexedPart of(long rows, List<IndexedColumn> columns, Damages damages) {
        return new IndexedPart(rows, columns, List.of(), false, Map.of(), damages);
    }

    /** The column of this name; empty if no sample of the part has it. */
    public Optional<IndexedColumn> column(String name) {
        return columns.stream().filter(column -> column.name().equals(name)).findFirst();
    }

    /** Samples that are not damaged. */
    public long wholeRows() {
        return rows - damages.damagedSamples(rows);
    }
}
