package io.rankfeed.feeder.supervise;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * The two commands that the supervisor starts.
 *
 * @param name of the run
 * @param feeder the command line of the feeder
 * @param command the command line of the trainers
 * @param environment added to the command's
 * @param isReady whether the feeder with this pid serves
 * @param cleanUp removes what a killed feeder left; called when no feeder runs any more
 * @param log lines for the user
 */
public record SupervisedRun(
        String name,
        List<String> feeder,
        List<String> command,
        Map<String, String> environment,
        LongPredicate isReady,
        Runnable cleanUp,
        Consumer<String> log) {
    /** The variable that tells a feeder how often feeders of its run were started before it. */
    static final String RESTARTS = "RANKFEED_RESTARTS";

    public SupervisedRun {
        feeder = List.copyOf(feeder);
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /**
     * How often the feeder of this process was started before.
     *
     * @param environment of a process that a supervisor started
     */
    public static long restarts(Map<String, String> environment) {
        return Long.parseLong(environment.getOrDefault(RESTARTS, "0"));
    }
}
