package io.rankfeed.schema.run;

import io.rankfeed.schema.failure.ConfigException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Names of runs, which become folders: the id of a job's run, {@code --run-id}, and the name under which a feeder and its trainers
 * meet, {@code --run}.
 */
public final class RunName {
    /** Names the last committed version in {@code ROOT/DATASET@latest}; no run may have it. */
    public static final String LATEST = "latest";

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._+:-]{0,199}");
    private static final Pattern FED = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,63}");
    private static final int SHOWN_CHARS = 80;

    private RunName() {}

    /**
     * The id of a job's run.
     *
     * @throws ConfigException if it is invalid
     */
    public static String requireId(String id) {
        return require("run id", id, ID, "--run-id");
    }

    /**
     * The name of a run that is fed.
     *
     * @throws ConfigException if it is invalid
     */
    public static String requireFed(String name) {
        return require("run name", name, FED, "--run");
    }

    /** Whether a name is valid for a run that is fed. */
    public static boolean isFed(String name) {
        return FED.matcher(name).matches() && !name.equals(LATEST);
    }

    /** The folder of a run's facts: {@code :} and {@code +}, which no Hadoop path may contain, become {@code -}. */
    public static String folder(String id) {
        return id.replace(':', '-').replace('+', '-');
    }

    private static String require(String what, String name, Pattern pattern, String option) {
        if (name.equals(LATEST)) {
            throw new ConfigException(
                    what + " 'latest' is reserved: @latest names the version that was committed last; choose"
                            + " another " + option);
        }
        if (!pattern.matcher(name).matches()) {
            String shown = name.length() > SHOWN_CHARS
                    ? name.substring(0, SHOWN_CHARS) + String.format(Locale.ROOT, "… (%,d characters)", name.length())
                    : name;
            throw new ConfigException(
                    what + " '" + shown + "' must match " + pattern.pattern() + "; choose another " + option);
        }
        return name;
    }
}
