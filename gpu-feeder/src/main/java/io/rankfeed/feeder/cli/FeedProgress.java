package io.rankfeed.feeder.cli;

import io.rankfeed.console.LogEvent;
import io.rankfeed.feeder.serve.admission.RankReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Formats the progress of each rank since the last call. */
final class FeedProgress {
    private final Map<String, RankReport> last = new HashMap<>();

    /** Formats rows/s and the part of the time spent waiting since the last call, for each rank that took a row. */
    List<LogEvent> events(Collection<RankReport> now, double secondsSince) {
        List<LogEvent> parts = new ArrayList<>();
        for (RankReport rank : now) {
            String name = rank.feed() + " " + rank.rank();
            RankReport before = last.put(name, rank);
            long rows = rank.rows() - (before == null ? 0 : before.rows());
            double waited = rank.waitedSeconds() - (before == null ? 0 : before.waitedSeconds());
            if (rows > 0) {
                double share = Math.clamp(waited / secondsSince, 0, 1);
                parts.add(LogEvent.info(String.format(
                                Locale.ROOT,
                                "%s: %,.0f rows/s, step %,d, data wait %s",
                                name,
                                rows / secondsSince,
                                rank.steps(),
                                FeedTimes.percent(share)))
                        .with("feed", rank.feed())
                        .with("rank", rank.rank())
                        .with("rows_per_second", rows / secondsSince)
                        .with("steps", rank.steps())
                        .with("data_wait", share));
            }
        }
        return parts;
    }
}
