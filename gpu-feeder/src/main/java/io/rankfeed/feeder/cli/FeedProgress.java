package io.rankfeed.feeder.cli;

import io.rankfeed.feeder.serve.admission.RankReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Formats the progress since the last call as one line. */
final class FeedProgress {
    private final Map<String, RankReport> last = new HashMap<>();

    /** Formats rows/s and the share of time spent waiting since the last call, for each rank; empty if no rank took a row. */
    String line(Collection<RankReport> now, double secondsSince) {
        List<String> parts = new ArrayList<>();
        for (RankReport rank : now) {
            String name = rank.feed() + " " + rank.rank();
            RankReport before = last.put(name, rank);
            long rows = rank.rows() - (before == null ? 0 : before.rows());
            double waited = rank.waitedSeconds() - (before == null ? 0 : before.waitedSeconds());
            if (rows > 0) {
                parts.add(String.format(
                        Locale.ROOT,
                        "%s: %,.0f rows/s, step %,d, waited ≤%.0f %%",
                        Objects.requireNonNull(name),
                        rows / secondsSince,
                        rank.steps(),
                        Math.clamp(100 * waited / secondsSince, 0, 100)));
            }
        }
        return String.join(" | ", parts);
    }
}
