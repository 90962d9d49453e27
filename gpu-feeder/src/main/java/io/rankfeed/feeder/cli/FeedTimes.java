package io.rankfeed.feeder.cli;

import io.rankfeed.console.Log;
import io.rankfeed.console.LogEvent;
import io.rankfeed.console.LogLevel;
import io.rankfeed.feeder.serve.admission.RankState;
import io.rankfeed.feeder.timing.Bottleneck;
import io.rankfeed.feeder.timing.Share;
import io.rankfeed.feeder.timing.StageTimes;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** Logs how fast each feed is and what limits it: every minute, and for the whole run at its end. Time is monotonic nanoseconds. */
final class FeedTimes {
    private static final long MINUTE_NANOS = 60_000_000_000L;
    private static final double NANOS = 1e9;

    private final Log log;
    private final Map<String, Long> rowsBefore = new HashMap<>();
    private Map<String, StageTimes> before = Map.of();
    private long begunNanos;

    FeedTimes(Log log, long nowNanos) {
        this.log = log;
        begunNanos = nowNanos;
    }

    boolean isDue(long nowNanos) {
        return nowNanos - begunNanos >= MINUTE_NANOS;
    }

    /** Logs a line for each feed that gave a row, or whose trainers waited, since the last call. */
    void minute(long nowNanos, Collection<RankState> ranks) {
        SortedMap<String, StageTimes> now = RankState.timesByFeed(ranks);
        double seconds = (nowNanos - begunNanos) / NANOS;
        now.forEach((feed, after) -> {
            long rows = rows(feed, ranks);
            Long previous = rowsBefore.put(feed, rows);
            long since = rows - (previous == null ? 0 : previous);
            StageTimes earlier = before.getOrDefault(feed, StageTimes.NONE);
            Bottleneck found = Bottleneck.between(earlier, after);
            if (since > 0 || found.dataWait() > 0) {
                String rate = String.format(Locale.ROOT, "%s: %,.0f rows/s", feed, since / seconds);
                log.write(event(rate, feed, since, seconds, found));
                log.write(stages(feed, after.since(earlier)));
            }
        });
        before = now;
        begunNanos = nowNanos;
    }

    /** Logs a line for each feed that gave a row: the totals of this process. */
    void end(Collection<RankState> ranks) {
        RankState.timesByFeed(ranks).forEach((feed, after) -> {
            long rows = rows(feed, ranks);
            double seconds = ranks.stream()
                    .filter(rank -> rank.key().feed().equals(feed))
                    .mapToDouble(RankState::seconds)
                    .max()
                    .orElse(0);
            if (rows > 0) {
                double perSecond = seconds > 0 ? rows / seconds : 0;
                String total = String.format(
                        Locale.ROOT, "%s: %,d rows in %,.1f s, %,.0f rows/s", feed, rows, seconds, perSecond);
                log.write(event(total, feed, rows, seconds, Bottleneck.between(StageTimes.NONE, after)));
            }
        });
    }

    private static long rows(String feed, Collection<RankState> ranks) {
        return ranks.stream()
                .filter(rank -> rank.key().feed().equals(feed))
                .mapToLong(RankState::rows)
                .sum();
    }

    private static LogEvent event(String rate, String feed, long rows, double seconds, Bottleneck found) {
        return LogEvent.info(rate + ", data wait " + Share.percent(found.dataWait()) + ", bottleneck " + found.stage())
                .with("feed", feed)
                .with("rows", rows)
                .with("seconds", seconds)
                .with("rows_per_second", seconds > 0 ? rows / seconds : 0)
                .with("data_wait", found.dataWait())
                .with("slot_wait", found.slotWait())
                .with("bottleneck", found.stage())
                .with("bottleneck_share", found.share());
    }

    private static LogEvent stages(String feed, StageTimes times) {
        String all = times.stages().entrySet().stream()
                .map(each -> String.format(
                        Locale.ROOT, "%s %.2f s", each.getKey(), each.getValue().nanos() / NANOS))
                .collect(Collectors.joining(", "));
        LogEvent event = new LogEvent(LogLevel.DEBUG, feed + ": stages: " + all, Map.of()).with("feed", feed);
        for (Map.Entry<String, StageTimes.Sum> each : times.stages().entrySet()) {
            event = event.with(each.getKey() + "_count", each.getValue().count())
                    .with(each.getKey() + "_seconds", each.getValue().nanos() / NANOS);
        }
        return event;
    }
}
