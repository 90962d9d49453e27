package io.rankfeed.feeder.governor;

import io.rankfeed.feeder.diagnose.FeedDiagnosis;
import io.rankfeed.feeder.timing.Stage;
import java.util.Optional;

/**
 * What a governor chose, and what it knows about the load. Times are seconds.
 *
 * @param now the settings that hold
 * @param learned what was found out about this load, within the bounds
 * @param trial a number of threads that is being tried
 * @param usualLoad the median time to make a batch with the settings that hold; 0 if no window has passed
 * @param calmWindows how many windows in succession no trainer waited
 * @param slowLoad the time that 99 % of the loads of these windows did not exceed
 * @param depth the most slots that the diagnosis of one of these windows recommends
 */
record GovernorState(
        Tuning now,
        Limits learned,
        Optional<Trial> trial,
        double usualLoad,
        int calmWindows,
        double slowLoad,
        int depth) {
    /** Loads whose median differs by this factor are another load: of it nothing is known. Twice the error of a median. */
    private static final double OTHER_LOAD = 4;

    private static final double CALM = 0.01;

    /** What is compared with the throughput of a window to come: the number of threads before, and its rows per second. */
    record Trial(int workers, double rowsPerSecond) {}

    static GovernorState start(Tuning tuning, Limits bounds) {
        return new GovernorState(tuning, bounds, Optional.empty(), 0, 0, 0, 0);
    }

    /** Notes a window of the settings that hold. */
    GovernorState after(FeedDiagnosis window, Limits bounds) {
        double load = window.stretch().times().quantile(Stage.FILL.id(), 0.5);
        boolean isOther = usualLoad > 0 && (load >= OTHER_LOAD * usualLoad || load <= usualLoad / OTHER_LOAD);
        boolean isCalm = window.bottleneck().dataWait() < CALM;
        return new GovernorState(
                now,
                isOther ? bounds : learned,
                isOther ? Optional.empty() : trial,
                isOther || usualLoad == 0 ? load : usualLoad,
                isCalm ? calmWindows + 1 : 0,
                isCalm ? Math.max(slowLoad, window.slowLoad()) : 0,
                isCalm ? Math.max(depth, window.depth()) : 0);
    }

    GovernorState learned(Limits limits) {
        return new GovernorState(now, limits, trial, usualLoad, calmWindows, slowLoad, depth);
    }

    /** Ends the trial, which was a success: its number of threads is a limit from now on. */
    GovernorState kept() {
        int workers = now.workers();
        Limits limits = workers > trial.orElseThrow().workers() ? learned.atLeast(workers) : learned.atMost(workers);
        return new GovernorState(now, limits, Optional.empty(), usualLoad, calmWindows, slowLoad, depth);
    }

    /** Other settings, whose loads are not known yet. */
    GovernorState chosen(Tuning tuning) {
        return new GovernorState(tuning, learned, Optional.empty(), 0, 0, 0, 0);
    }

    GovernorState trying(int workers, double rowsPerSecond) {
        return new GovernorState(
                now.withWorkers(workers), learned, Optional.of(new Trial(now.workers(), rowsPerSecond)), 0, 0, 0, 0);
    }
}
