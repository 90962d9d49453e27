package io.rankfeed.feeder.supervise;

import io.rankfeed.schema.failure.ConfigException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.regex.Pattern;

/**
 * The two commands that the supervisor starts.
 *
 * @param name of the run
 * @param feeder the command line of the feeder
 * @param command the command line of the trainers
 * @param environment added to the command's
 * @param secrets variables that the command does not get
 * @param isReady whether the feeder with this pid serves
 * @param cleanUp removes what a killed feeder left; called when no feeder runs any more
 * @param log lines for the user
 */
public record SupervisedRun(
        String name,
        List<String> feeder,
        List<String> command,
        Map<String, String> environment,
        Set<String> secrets,
        LongPredicate isReady,
        Runnable cleanUp,
        Consumer<String> log) {
    /** The variable with the number of feeders of this run that were started before. */
    static final String RESTARTS = "RANKFEED_RESTARTS";

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    public SupervisedRun {
        feeder = List.copyOf(feeder);
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        secrets = Set.copyOf(secrets);
    }

    /** Makes the command's environment of the one that it would inherit. */
    void prepare(Map<String, String> inherited) {
        inherited.keySet().removeAll(secrets);
        inherited.putAll(environment);
    }

    /**
     * How often the feeder of this process was started before.
     *
     * @param environment of a process that a supervisor started
     * @throws ConfigException if the variable is no number
     */
    public static long restarts(Map<String, String> environment) {
        String written = environment.getOrDefault(RESTARTS, "0");
        if (!NUMBER.matcher(written).matches()) {
            throw new ConfigException(
                    RESTARTS + " is not a number, but " + written + "; unset it, as only rankfeed sets it");
        }
        return Long.parseLong(written);
    }
}
