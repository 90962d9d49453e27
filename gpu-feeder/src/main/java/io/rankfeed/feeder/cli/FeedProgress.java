package io.rankfeed.feeder.cli;

import io.rankfeed.console.LogEvent;
import io.rankfeed.feeder.serve.admission.RankFeed;
import io.rankfeed.feeder.serve.admission.RankState;
import io.rankfeed.feeder.timing.Share;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Formats the progress of each rank since the last call. */
final class FeedProgress {
    private final Map<RankFeed, RankState> last = new HashMap<>();

    /** Formats rows/s and the part of the time spent waiting since the last call, for each rank that took a row or waited. */
    List<LogEvent> events(Collection<RankState> now, double secondsSince) {
        List<LogEvent> parts = new ArrayList<>();
        for (RankState rank : now) {
            RankState before = last.put(rank.key(), rank);
            RankState since = before == null ? rank : rank.since(before);
            double share = since.times().dataWait();
            if (since.rows() > 0 || share > 0) {
                parts.add(LogEvent.info(String.format(
                                Locale.ROOT,
                                "%s %d: %,.0f rows/s, step %,d, data wait %s",
                                rank.key().feed(),
                                rank.key().rank(),
                                since.rows() / secondsSince,
                                rank.batches(),
                                Share.percent(share)))
                        .with("feed", rank.key().feed())
                        .with("rank", rank.key().rank())
                        .with("rows_per_second", since.rows() / secondsSince)
                        .with("steps", rank.batches())
                        .with("data_wait", share));
            }
        }
        return parts;
    }
}
