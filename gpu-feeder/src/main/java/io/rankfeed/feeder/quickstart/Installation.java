package io.rankfeed.feeder.quickstart;

import io.rankfeed.schema.failure.EnvironmentException;
import java.nio.file.Path;

/**
 * The paths of the project's parts, as the launcher that started this process found them.
 *
 * @param home has {@code conf/jobs} and {@code conf/feeds}
 * @param launcher starts other commands
 * @param command how a user writes the launcher
 * @param examples the client's trainers
 * @param python the environment of the trainers, with {@code bin/torchrun}
 */
record Installation(Path home, Path launcher, String command, Path examples, Path python) {
    /** @throws EnvironmentException if no launcher started this */
    static Installation ofEnvironment() {
        return new Installation(
                path("RANKFEED_HOME"),
                path("RANKFEED_LAUNCHER"),
                value("RANKFEED_COMMAND"),
                path("RANKFEED_EXAMPLES"),
                path("RANKFEED_PYTHON_ENV"));
    }

    Path job(String dataset) {
        return home.resolve("conf/jobs/" + dataset + ".yaml");
    }

    Path feed(String dataset) {
        return home.resolve("conf/feeds/" + dataset + ".yaml");
    }

    private static Path path(String variable) {
        return Path.of(value(variable)).toAbsolutePath().normalize();
    }

    private static String value(String variable) {
        String value = System.getenv(variable);
        if (value == null || value.isEmpty()) {
            throw new EnvironmentException(variable + " is not set; start this through rankfeed quickstart");
        }
        return value;
    }
}
