package io.rankfeed.feeder.diagnose;

import io.rankfeed.feeder.supervise.ProcessWatch;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The processes that take batches while a feed is measured. What they print goes to stderr; the answer alone is on stdout. */
public final class Trainers implements AutoCloseable {
    private final List<Process> processes = new ArrayList<>();
    private final ProcessWatch watch;

    private Trainers(ProcessWatch watch) {
        this.watch = watch;
    }

    /**
     * Starts each command.
     *
     * @param watch that ends their processes
     * @param variables of their environment in addition
     * @throws ConfigException if a program cannot be started
     */
    public static Trainers start(List<List<String>> commands, ProcessWatch watch, Map<String, String> variables) {
        Trainers trainers = new Trainers(watch);
        for (List<String> command : commands) {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(variables);
            watch.mark(builder);
            try {
                Process process = builder.start();
                process.getOutputStream().close();
                trainers.processes.add(process);
                Thread.ofVirtual().start(() -> print(process));
            } catch (IOException e) {
                trainers.close();
                throw new ConfigException(IoReason.of("'" + command.getFirst() + "' cannot be started", e), e);
            }
        }
        return trainers;
    }

    private static void print(Process process) {
        try {
            process.getInputStream().transferTo(System.err);
        } catch (IOException e) {
            // The process was ended, and its output with it.
        }
    }

    /** Whether all have ended. */
    public boolean haveEnded() {
        return processes.stream().noneMatch(Process::isAlive);
    }

    /** Waits until all have ended, but not longer than this. */
    public void await(Duration time) throws InterruptedException {
        processes.stream()
                .filter(Process::isAlive)
                .findFirst()
                .orElse(processes.getFirst())
                .waitFor(time);
    }

    /** The exit code of one that failed; 0 if none did, or some are running. */
    public int exitCode() {
        return processes.stream()
                .filter(process -> !process.isAlive())
                .mapToInt(Process::exitValue)
                .filter(code -> code != 0)
                .findFirst()
                .orElse(0);
    }

    /** Whether a signal to this process has ended them. */
    public boolean isStopped() {
        return watch.isSignaled();
    }

    /** Ends all of them and what they started. */
    @Override
    public void close() {
        watch.end();
        processes.forEach(Process::destroyForcibly);
    }
}
