package io.rankfeed.feeder.supervise;

import io.rankfeed.schema.failure.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The program of the trainers' command line, searched for before anything is started. */
public final class Program {
    private static final String COMMAND = "the command after --: ";

    private Program() {}

    /**
     * Searches for a program as the kernel and the shell do: by its path if the name has a slash, otherwise in the
     * folders of the search path.
     *
     * @param searchPath the value of {@code PATH}
     * @throws ConfigException if the program does not exist, or it may not be run
     */
    public static void require(String name, String searchPath) {
        require(COMMAND, name, searchPath);
    }

    /**
     * As {@link #require(String, String)}, for a program that is named elsewhere.
     *
     * @param where that errors begin with
     */
    public static void require(String where, String name, String searchPath) {
        if (name.contains("/")) {
            requireRunnable(where, Path.of(name));
            return;
        }
        for (String folder : searchPath.split(":", -1)) {
            if (isRunnable(Path.of(folder, name))) {
                return;
            }
        }
        throw new ConfigException(where + "no '" + name + "' on the PATH; activate the trainers' Python environment, or"
                + " write its path, as in .envs/train/bin/" + name);
    }

    private static void requireRunnable(String where, Path file) {
        if (!Files.isRegularFile(file)) {
            throw new ConfigException(where + "no file " + file + "; check the path");
        }
        if (!isRunnable(file)) {
            throw new ConfigException(
                    where + file + " is not executable; run chmod +x on it, or write its interpreter before it");
        }
    }

    private static boolean isRunnable(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}
