package io.rankfeed.feeder.governor;

/**
 * What follows from a window.
 *
 * @param state the settings from now on, and what is known
 * @param reason why they changed, for the log; empty if they did not
 */
record Decision(GovernorState state, String reason) {
    boolean isChange() {
        return !reason.isEmpty();
    }
}
