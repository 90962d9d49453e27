package io.rankfeed.job;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Range;
import io.rankfeed.schema.failure.Suggestion;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The number of a feed's rows, as a part of another feed's rows.
 *
 * @param feed the other, which says its rows
 * @param part of the other's rows per epoch, rounded down
 * @param atLeast rows, where the part is less
 * @param atMost rows, where it is more
 */
public record RowsOf(
        String feed,
        BigDecimal part,
        @Range(min = 1) Optional<Long> atLeast,
        @Range(min = 1) Optional<Long> atMost) {
    public RowsOf {
        if (part.signum() <= 0) {
            throw new BadValue("part", part.toPlainString() + " must be above 0");
        }
        if (atMost.isPresent() && atMost.get() < atLeast.orElse(1L)) {
            throw new BadValue("at-most", atMost.get() + " is less than at-least, " + atLeast.orElse(1L));
        }
    }

    /** The feeds with the rows that they have of others. */
    static Map<String, FeedSection> resolved(Map<String, FeedSection> sample) {
        Map<String, FeedSection> resolved = new LinkedHashMap<>();
        sample.forEach((name, feed) -> resolved.put(
                name,
                feed.rowsOf().map(of -> feed.withRows(of.rows(name, sample))).orElse(feed)));
        return resolved;
    }

    private long rows(String name, Map<String, FeedSection> sample) {
        String where = name + ".rows-of: ";
        FeedSection other = sample.get(feed);
        if (other == null || feed.equals(name)) {
            throw new BadValue(
                    "sample",
                    where + "there is no other feed '" + feed + "'"
                            + Suggestion.hint(feed, List.copyOf(sample.keySet())));
        }
        long all = other.rowsAsked()
                .orElseThrow(() -> new BadValue(
                        "sample", where + "feed '" + feed + "' does not say its rows; write how many it has"));
        long share = BigDecimal.valueOf(all)
                .multiply(part)
                .setScale(0, RoundingMode.FLOOR)
                .min(BigDecimal.valueOf(Long.MAX_VALUE))
                .longValueExact();
        return Math.min(Math.max(share, atLeast.orElse(1L)), atMost.orElse(Long.MAX_VALUE));
    }
}
