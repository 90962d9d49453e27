package io.rankfeed.feeder.governor;

import io.rankfeed.feeder.diagnose.FeedStretch;
import io.rankfeed.feeder.serve.admission.RankState;
import io.rankfeed.feeder.timing.StageTimes;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a feed did up to a moment.
 *
 * @param nanos monotonic
 * @param ranks that took a batch
 * @param connections of these ranks so far
 * @param rows that they took
 * @param batches that they took
 * @param times of its stages, summed over the ranks
 */
record Moment(String feed, long nanos, int ranks, long connections, long rows, long batches, StageTimes times) {
    private static final double NANOS = 1e9;

    /** The feed of which most batches were taken; empty if none was taken. */
    static Optional<Moment> of(long nowNanos, Collection<RankState> all) {
        Map<String, StageTimes> times = RankState.timesByFeed(all);
        Map<String, List<RankState>> feeds = all.stream()
                .filter(rank -> rank.batches() > 0)
                .collect(Collectors.groupingBy(rank -> rank.key().feed()));
        return feeds.entrySet().stream()
                .map(each -> new Moment(
                        each.getKey(),
                        nowNanos,
                        each.getValue().size(),
                        each.getValue().stream()
                                .mapToLong(RankState::connections)
                                .sum(),
                        each.getValue().stream().mapToLong(RankState::rows).sum(),
                        each.getValue().stream().mapToLong(RankState::batches).sum(),
                        times.getOrDefault(each.getKey(), StageTimes.NONE)))
                .max(Comparator.comparingLong(Moment::batches).thenComparing(Moment::feed));
    }

    /** Whether the same trainers take batches of the same feed. */
    boolean continues(Moment earlier) {
        return feed.equals(earlier.feed) && ranks == earlier.ranks && connections == earlier.connections;
    }

    /** What happened since an earlier moment, in which each rank took a batch. */
    FeedStretch since(Moment earlier, Tuning tuning, int processors) {
        return new FeedStretch(
                feed,
                ranks,
                (nanos - earlier.nanos) / NANOS,
                rows - earlier.rows,
                batches - earlier.batches,
                times.since(earlier.times),
                0,
                tuning.readAhead() + 1,
                tuning.workers(),
                processors);
    }
}
