package io.rankfeed.spark.job;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * A column that makes strata.
 *
 * @param bins inclusive ranges {@code [least, most]} by name, in the file's order; empty where every value is a part of
 *     its own
 */
public record StrataColumn(
        String column,
        @Default("{}") Map<String, List<BigDecimal>> bins,
        @Default("error") OnUnbinned onUnbinned) {
    /** What to do with a value that lies in no bin. */
    public enum OnUnbinned {
        ERROR,
        DROP
    }

    public StrataColumn {
        if (bins.isEmpty() && onUnbinned == OnUnbinned.DROP) {
            throw new BadValue("on-unbinned", "is only for a column with bins; give bins, or leave it out");
        }
        bins.forEach((name, range) -> {
            if (range.size() != 2 || range.get(0).compareTo(range.get(1)) > 0) {
                throw new BadValue("bins", "'" + name + "' must be [least, most], both inclusive, as in [1, 3]");
            }
        });
        bins.forEach((name, range) -> bins.forEach((other, second) -> {
            boolean apart =
                    range.get(1).compareTo(second.get(0)) < 0 || second.get(1).compareTo(range.get(0)) < 0;
            if (!apart && !name.equals(other)) {
                throw new BadValue("bins", "'" + name + "' and '" + other + "' overlap");
            }
        }));
    }
}
