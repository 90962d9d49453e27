package io.rankfeed.job;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.NotEmpty;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * The columns whose statistics are measured while the table is prepared.
 *
 * @param columns of numbers; of tensors every element counts
 * @param where a Spark SQL condition over the prepared columns; without it all rows
 */
public record StatisticsSection(@NotEmpty List<String> columns, Optional<String> where) {
    public StatisticsSection {
        if (new HashSet<>(columns).size() < columns.size()) {
            throw new BadValue("columns", "a column is listed twice in " + columns + "; write it once");
        }
    }
}
