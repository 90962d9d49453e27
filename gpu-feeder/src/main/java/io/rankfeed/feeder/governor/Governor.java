package io.rankfeed.feeder.governor;

import io.rankfeed.console.Log;
import io.rankfeed.console.LogEvent;
import io.rankfeed.feeder.diagnose.FeedDiagnosis;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.serve.admission.RankState;
import java.util.Collection;
import java.util.Locale;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Divides the time of the feed of which most batches are taken into windows, and does and logs what the policy decides after each.
 * Used by one thread. Time is monotonic nanoseconds.
 */
public final class Governor {
    /** Batches of each rank before the first window: files are read, code is compiled, the ring is full. */
    private static final long FIRST_BATCHES = 20;

    /** Trainers publish their times four times a second, so a shorter window would miss some. */
    private static final long MIN_WINDOW_NANOS = 2_000_000_000L;

    private final Limits bounds;
    private final int processors;
    private final GatherPool pool;
    private final IntConsumer readAhead;
    private final Log log;
    private GovernorState state;
    private @Nullable Moment begin;

    /**
     * @param start the settings that hold
     * @param processors that the node's processes may use
     * @param readAhead sets the number of batches that are ready ahead of a trainer
     */
    public Governor(Tuning start, Limits bounds, int processors, GatherPool pool, IntConsumer readAhead, Log log) {
        state = GovernorState.start(start, bounds);
        this.bounds = bounds;
        this.processors = processors;
        this.pool = pool;
        this.readAhead = readAhead;
        this.log = log;
    }

    /** To be called about once a second. */
    public void look(long nowNanos, Collection<RankState> ranks) throws InterruptedException {
        Moment now = Moment.of(nowNanos, ranks).orElse(null);
        if (now != null) {
            look(now);
        }
    }

    void look(Moment now) throws InterruptedException {
        Moment from = begin;
        if (from == null || !now.continues(from)) {
            begin = now.batches() >= FIRST_BATCHES * now.ranks() ? now : null;
            return;
        }
        if (now.batches() - from.batches() < (long) GovernorPolicy.BATCHES * now.ranks()
                || now.nanos() - from.nanos() < MIN_WINDOW_NANOS) {
            return;
        }
        begin = now;
        FeedDiagnosis window = FeedDiagnosis.of(now.since(from, state.now(), processors));
        Tuning before = state.now();
        Decision decision = GovernorPolicy.decide(window, state, bounds);
        state = decision.state();
        if (decision.isChange()) {
            pool.resize(state.now().workers());
            readAhead.accept(state.now().readAhead());
            log.write(event(now.feed(), before, state.now(), decision.reason()));
        }
    }

    private static LogEvent event(String feed, Tuning before, Tuning after, String reason) {
        String change = before.workers() == after.workers()
                ? String.format(Locale.ROOT, "read-ahead %d instead of %d", after.readAhead(), before.readAhead())
                : String.format(Locale.ROOT, "workers %d instead of %d", after.workers(), before.workers());
        return LogEvent.info(feed + ": " + change + ": " + reason)
                .with("feed", feed)
                .with("workers", after.workers())
                .with("read_ahead", after.readAhead())
                .with("reason", reason);
    }
}
