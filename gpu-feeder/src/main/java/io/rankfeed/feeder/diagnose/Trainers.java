package io.rankfeed.feeder.diagnose;

import io.rankfeed.feeder.supervise.MarkedProcesses;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The processes that take batches while a feed is measured. What they print goes to stderr; the answer alone is on stdout. */
public final class Trainers implements AutoCloseable {
    private final String run;
    private final long pid = ProcessHandle.current().pid();
    private final List<Process> processes = new ArrayList<>();
    private final Process watch;
    private volatile boolean isStopped;

    private Trainers(String run, Process watch) {
        this.run = run;
        this.watch = watch;
    }

    /**
     * Starts each command. Its processes end with this one, also where it is killed.
     *
     * @param run by which they find the feeder
     * @param variables of their environment in addition
     * @throws ConfigException if a program cannot be started
     */
    public static Trainers start(List<List<String>> commands, String run, Map<String, String> variables) {
        Trainers trainers = new Trainers(run, watch(run));
        Runtime.getRuntime().addShutdownHook(new Thread(trainers::stopBySignal, "rankfeed-trainers"));
        for (List<String> command : commands) {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(variables);
            builder.environment().put(MarkedProcesses.name(), MarkedProcesses.value(run, trainers.pid));
            try {
                Process process = builder.start();
                process.getOutputStream().close();
                trainers.processes.add(process);
                Thread.ofVirtual().start(() -> print(process));
            } catch (IOException e) {
                trainers.stop();
                throw new ConfigException(IoReason.of("'" + command.getFirst() + "' cannot be started", e), e);
            }
        }
        return trainers;
    }

    private static Process watch(String run) {
        try {
            return MarkedProcesses.watch(run);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("'sh' cannot be started", e), e);
        }
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

    private void stopBySignal() {
        isStopped = true;
        close();
    }

    /** Whether a signal to this process has ended them. */
    public boolean isStopped() {
        return isStopped;
    }

    private void stop() {
        processes.forEach(Process::destroy);
    }

    /** Ends all of them and what they started: SIGTERM, and SIGKILL after 10 s. */
    @Override
    public void close() {
        try (OutputStream line = watch.getOutputStream()) {
            MarkedProcesses.end(run, pid);
            line.write('\n');
        } catch (IOException e) {
            // The shell has already ended.
        } catch (InterruptedException e) {
            processes.forEach(Process::destroyForcibly);
            Thread.currentThread().interrupt();
        }
    }
}
