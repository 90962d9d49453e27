package io.rankfeed.job.mixture;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.WrittenShort;
import java.util.List;
import java.util.Optional;

/**
 * The value of a column for rows of a member that lacks it.
 *
 * @param value a single one, also for all elements of a fixed shape; or
 * @param values the elements of the value, row-major, or the items of a list of strings
 */
@WrittenShort("value")
public record Fill(Optional<String> value, Optional<List<String>> values) {
    public Fill {
        if (value.isPresent() == values.isPresent()) {
            throw new BadValue("", "must be one value, or {values: [a, b]} for the elements of a value");
        }
    }

    List<String> all() {
        return values.orElseGet(() -> value.stream().toList());
    }
}
