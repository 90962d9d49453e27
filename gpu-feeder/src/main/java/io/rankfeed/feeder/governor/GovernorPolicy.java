package io.rankfeed.feeder.governor;

import io.rankfeed.feeder.diagnose.FeedDiagnosis;
import io.rankfeed.feeder.governor.GovernorState.Trial;
import io.rankfeed.feeder.timing.Part;
import io.rankfeed.feeder.timing.Share;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides after each window of batches, by its timers alone. While trainers wait for the feeder, the number of threads is doubled
 * until that no longer helps, or halved if fewer are faster. Where both sides wait in turn, more batches are read ahead. Where
 * trainers have not waited for some windows, threads and slots that they do not need are given up. At most one setting changes at a
 * time. What was tried is not tried again with the same load, so the settings come to rest.
 */
final class GovernorPolicy {
    /** Batches of each rank in a window: with loads that vary by ± 30 %, their mean varies by 3 %. */
    static final int BATCHES = 45;

    /** A wait of this part of the time is worth a change; a shorter one comes with every queue. */
    private static final double WAITS = 0.05;

    /** Slots cost less than threads, so more of them are filled for a shorter wait. */
    private static final double WAITS_IN_TURN = 0.02;

    /** Fewer threads must be faster by this factor, as they leave less in reserve. */
    private static final double FASTER = 1.03;

    private static final int CALM_WINDOWS = 3;
    private static final int MIN_WORKERS = 2;

    private GovernorPolicy() {}

    /** @param bounds that the settings never leave */
    static Decision decide(FeedDiagnosis window, GovernorState before, Limits bounds) {
        // The checks before the first use of a record batch are soon over, and say nothing about later batches.
        if (window.part() == Part.VERIFY) {
            return new Decision(before, "");
        }
        GovernorState state = before.after(window, bounds);
        boolean isSlow = isFeederSlow(window, state);
        Optional<Trial> trial = state.trial();
        if (trial.isPresent()) {
            if (isSlow && !isFaster(window, state, trial.get())) {
                return reverted(window, state, trial.get());
            }
            state = state.kept();
        }
        if (isSlow) {
            Optional<Decision> other = otherWorkers(window, state);
            if (other.isPresent()) {
                return other.get();
            }
        }
        double turns =
                Math.min(window.bottleneck().dataWait(), window.bottleneck().slotWait());
        if (turns >= WAITS_IN_TURN && state.now().readAhead() < state.learned().maxReadAhead()) {
            int more = Math.min(state.learned().maxReadAhead(), 2 * state.now().readAhead());
            String reason = "feeder and trainers wait in turn, each at least " + Share.percent(turns);
            return new Decision(
                    state.learned(state.learned().aheadAtLeast(more))
                            .chosen(state.now().withReadAhead(more)),
                    reason);
        }
        return state.calmWindows() < CALM_WINDOWS ? new Decision(state, "") : fewer(window, state);
    }

    /** Whether trainers wait for the feeder, and more batches read ahead would not help. */
    private static boolean isFeederSlow(FeedDiagnosis window, GovernorState state) {
        double dataWait = window.bottleneck().dataWait();
        boolean isFull = state.now().readAhead() == state.learned().maxReadAhead();
        return dataWait >= WAITS
                && window.part() != Part.TRANSFORM
                && (dataWait > window.bottleneck().slotWait() || isFull);
    }

    private static boolean isFaster(FeedDiagnosis window, GovernorState state, Trial trial) {
        double factor = state.now().workers() > trial.workers() ? 1 : FASTER;
        return window.measuredThroughput() >= factor * trial.rowsPerSecond();
    }

    private static Decision reverted(FeedDiagnosis window, GovernorState state, Trial trial) {
        int tried = state.now().workers();
        String reason = String.format(
                Locale.ROOT,
                "%,.0f rows/s with %d, %,.0f with %d",
                window.measuredThroughput(),
                tried,
                trial.rowsPerSecond(),
                trial.workers());
        Limits learned = tried > trial.workers()
                ? state.learned().atMost(trial.workers())
                : state.learned().atLeast(trial.workers());
        return new Decision(state.learned(learned).chosen(state.now().withWorkers(trial.workers())), reason);
    }

    /** Tries twice as many threads, else half of them; threads that compute are not more than the processors. */
    private static Optional<Decision> otherWorkers(FeedDiagnosis window, GovernorState state) {
        Limits learned = state.learned();
        int now = state.now().workers();
        int processors = Math.max(MIN_WORKERS, window.stretch().processors());
        int most = window.part() == Part.DISK ? learned.maxWorkers() : Math.min(learned.maxWorkers(), processors);
        int half = now / 2;
        int next = now < most ? Math.min(most, Math.max(1, 2 * now)) : half;
        if (next == now || next < learned.minWorkers() || (next < now && half == 0)) {
            return Optional.empty();
        }
        String reason = "data wait " + Share.percent(window.bottleneck().dataWait()) + ", bottleneck "
                + window.bottleneck().stage();
        return Optional.of(new Decision(state.trying(next, window.measuredThroughput()), reason));
    }

    /** Gives up what even slow loads do not need: first threads; then slots, but only where a load takes at most half of a step. */
    private static Decision fewer(FeedDiagnosis window, GovernorState state) {
        int now = state.now().workers();
        int ranks = window.stretch().ranks();
        double consume = window.consume();
        String reason = String.format(
                Locale.ROOT,
                "data wait < 1 %%, 99 %% of the batches take at most %.3g s of a step of %.3g s",
                state.slowLoad(),
                consume);
        for (int few = 0; few <= now / 2 && few < now; few = Math.max(1, 2 * few)) {
            double load = state.slowLoad() * (ranks + now) / (ranks + few);
            if (few >= state.learned().minWorkers() && load <= consume) {
                return new Decision(state.chosen(state.now().withWorkers(few)), reason);
            }
        }
        int ahead = Math.max(state.learned().minReadAhead(), state.depth() - 1);
        return window.isLoadHidden() && ahead <= state.now().readAhead() / 2
                ? new Decision(state.chosen(state.now().withReadAhead(ahead)), reason)
                : new Decision(state, "");
    }
}
