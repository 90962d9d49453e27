package io.rankfeed.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The Python environments of {@code conf/python/env.sh}: libraries that read what we write, or write what we read. */
public final class PythonEnvironment {
    private static final String SCRIPT = "conf/python/env.sh";
    private static final long MAX_MINUTES = 10;

    private PythonEnvironment() {}

    /**
     * Returns the command that runs a script. Makes the environment first if it is missing or outdated, which takes minutes.
     *
     * @param script its path in the project
     */
    public static ProcessBuilder command(String environment, String script, String... arguments)
            throws IOException, InterruptedException {
        Path root = root();
        output(new ProcessBuilder(root.resolve(SCRIPT).toString(), environment));
        Path python = root.resolve(".envs").resolve(environment).resolve("bin/python");
        ProcessBuilder command =
                new ProcessBuilder(python.toString(), root.resolve(script).toString());
        command.command().addAll(List.of(arguments));
        return command;
    }

    /** Runs a command for at most 10 minutes and returns its output. Fails with the output if the exit code is not 0. */
    public static String output(ProcessBuilder command) throws IOException, InterruptedException {
        Path log = Files.createTempFile("python", ".log");
        try {
            Process running = command.redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            boolean isEnded;
            try {
                isEnded = running.waitFor(MAX_MINUTES, TimeUnit.MINUTES);
            } finally {
                running.destroyForcibly();
            }
            String printed = Files.readString(log);
            if (!isEnded || running.exitValue() != 0) {
                String what =
                        isEnded ? "exit code " + running.exitValue() : "no end within " + MAX_MINUTES + " minutes";
                throw new AssertionError(command.command() + ": " + what + System.lineSeparator() + printed);
            }
            return printed;
        } finally {
            Files.delete(log);
        }
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve(SCRIPT))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new AssertionError("no " + SCRIPT + " in " + Path.of("").toAbsolutePath() + " or above it");
            }
        }
        return folder;
    }
}
