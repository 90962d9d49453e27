package io.rankfeed.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The Python environments of {@code conf/python/env.sh}: libraries that read what we write, or write what we read. */
public final class PythonEnvironment {
    private static final String MAKER = "conf/python/env.sh";
    private static final long LONGEST_MINUTES = 10;

    private PythonEnvironment() {}

    /**
     * The command that runs a script; the environment is made first where it is missing or old, which takes minutes.
     *
     * @param script its path in the project
     */
    public static ProcessBuilder command(String environment, String script, String... arguments)
            throws IOException, InterruptedException {
        Path root = root();
        Process making = new ProcessBuilder(root.resolve(MAKER).toString(), environment)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        making.getInputStream().transferTo(System.err);
        if (making.waitFor() != 0) {
            throw new AssertionError(MAKER + " " + environment + " ended with " + making.exitValue());
        }
        Path python = root.resolve(".envs").resolve(environment).resolve("bin/python");
        ProcessBuilder command =
                new ProcessBuilder(python.toString(), root.resolve(script).toString());
        command.command().addAll(List.of(arguments));
        return command;
    }

    /** Runs a command to its end, 10 minutes at most; returns what it prints. Fails, with that, if its exit code is not 0. */
    public static String output(ProcessBuilder command) throws IOException, InterruptedException {
        Path log = Files.createTempFile("python", ".log");
        try {
            Process running = command.redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            boolean ended = running.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES);
            if (!ended) {
                running.destroyForcibly();
            }
            String printed = Files.readString(log);
            if (!ended || running.exitValue() != 0) {
                throw new AssertionError(command.command()
                        + (ended ? ": exit code " + running.exitValue() : ": no end")
                        + System.lineSeparator()
                        + printed);
            }
            return printed;
        } finally {
            Files.delete(log);
        }
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve(MAKER))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new AssertionError("no " + MAKER + " in " + Path.of("").toAbsolutePath() + " or above it");
            }
        }
        return folder;
    }
}
