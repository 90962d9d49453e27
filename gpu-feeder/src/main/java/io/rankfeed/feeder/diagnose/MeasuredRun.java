package io.rankfeed.feeder.diagnose;

import io.rankfeed.console.Log;
import io.rankfeed.feeder.serve.FeedServer;
import io.rankfeed.feeder.serve.admission.RankState;
import io.rankfeed.feeder.timing.StageTimes;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures a stretch of a feed while trainers take its batches: after the first ones, until each rank took as many as asked for in at
 * least some seconds, or until the trainers end.
 */
public final class MeasuredRun {
    /** Batches of each rank before the stretch: files are read, code is compiled, the ring is full. */
    static final long FIRST_BATCHES = 20;

    /** Clients publish their times four times a second, so a shorter stretch would miss some. */
    private static final double MIN_SECONDS = 4;

    private static final Duration LOOK_EVERY = Duration.ofMillis(20);
    private static final double SHOWN_EVERY = 10;
    private static final double NANOS = 1e9;

    private final FeedServer server;
    private final String feed;
    private final Log log;
    private @Nullable Moment begin;

    /** What the feed did so far. */
    private record Moment(long nanos, int ranks, int world, long rows, long batches, StageTimes times) {
        double secondsSince(Moment earlier) {
            return (nanos - earlier.nanos) / NANOS;
        }

        long batchesOfRankSince(Moment earlier) {
            return (batches - earlier.batches) / Math.max(1, ranks);
        }
    }

    /**
     * A measured stretch.
     *
     * @param ranks that took a batch
     * @param world the number of ranks on all nodes
     * @param times of the stages in it, summed over the ranks
     * @param exitCode of trainers that ended before the stretch did and failed; otherwise 0
     */
    public record Measured(
            int ranks, int world, double seconds, long rows, long batches, StageTimes times, int exitCode) {}

    /** @param log gets a line every 10 s */
    public MeasuredRun(FeedServer server, String feed, Log log) {
        this.server = server;
        this.log = log;
        this.feed = feed;
    }

    /**
     * @param batches of each rank
     * @throws ConfigException if the trainers ended before each rank took a second batch
     */
    public Measured measure(Trainers trainers, long batches) throws InterruptedException {
        Moment before = now();
        Moment first = before;
        Moment last = first;
        Moment shown = first;
        while (true) {
            boolean hasEnded = trainers.haveEnded();
            Moment now = now();
            if (now.batches > last.batches || now.ranks > last.ranks) {
                last = now;
            }
            if (now.batches == 0) {
                before = now;
            } else if (first.batches == 0) {
                first = now;
            }
            Moment from = begin;
            if (from == null && now.ranks > 0 && now.batches >= FIRST_BATCHES * now.ranks) {
                begin = now;
            } else if (from != null
                    && now.batchesOfRankSince(from) >= batches
                    && now.secondsSince(from) >= MIN_SECONDS) {
                // A trainer that computes something else meanwhile takes no batch; that is not a part of the stretch.
                return between(from, last, now, 0);
            }
            if (trainers.isStopped()) {
                throw new EnvironmentException("a signal stopped the measurement");
            }
            if (now.secondsSince(shown) >= SHOWN_EVERY) {
                shown = now;
                log.info(
                        now.ranks == 0
                                ? "no trainer has taken a batch of feed '" + feed + "' yet"
                                : "measuring: " + now.batches / now.ranks + " of "
                                        + Math.addExact(FIRST_BATCHES, batches) + " batches of each rank");
            }
            if (hasEnded) {
                return untilEnd(before, first, last, now, trainers.exitCode());
            }
            trainers.await(LOOK_EVERY);
        }
    }

    /**
     * The trainers ended first: the stretch ends with the last batch. Of a short run it begins with the first one. If all batches came
     * between two samples, it begins with the last sample without a batch.
     */
    private Measured untilEnd(Moment before, Moment first, Moment last, Moment now, int exitCode) {
        Moment shortBegin = last.batchesOfRankSince(first) >= 1 ? first : before;
        Moment from = begin != null && last.batchesOfRankSince(begin) >= FIRST_BATCHES ? begin : shortBegin;
        if (last.batchesOfRankSince(before) < 2) {
            throw new ConfigException("the trainers ended" + (exitCode == 0 ? "" : " with " + exitCode)
                    + " before each of them took two batches of feed '" + feed
                    + "'; check that they iterate this feed, and what they print");
        }
        return between(from, last, now, exitCode);
    }

    private static Measured between(Moment from, Moment to, Moment times, int exitCode) {
        return new Measured(
                to.ranks,
                to.world,
                to.secondsSince(from),
                to.rows - from.rows,
                to.batches - from.batches,
                times.times.since(from.times),
                exitCode);
    }

    private Moment now() {
        List<RankState> all = server.ranks();
        List<RankState> ranks = all.stream()
                .filter(rank -> rank.key().feed().equals(feed) && rank.batches() > 0)
                .toList();
        return new Moment(
                System.nanoTime(),
                ranks.size(),
                ranks.isEmpty() ? 1 : ranks.getFirst().world(),
                ranks.stream().mapToLong(RankState::rows).sum(),
                ranks.stream().mapToLong(RankState::batches).sum(),
                RankState.timesByFeed(all).getOrDefault(feed, StageTimes.NONE));
    }
}
