package io.rankfeed.feeder.supervise;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Ends the marked processes of a run when this process closes it or ends, by a signal or by SIGKILL. */
public final class ProcessWatch implements AutoCloseable {
    private final String run;
    private final Process shell;
    private final Thread hook = new Thread(this::endBySignal, "rankfeed-watch");
    private final long pid = ProcessHandle.current().pid();
    private volatile boolean isSignaled;

    private ProcessWatch(String run, Process shell) {
        this.run = run;
        this.shell = shell;
    }

    /**
     * Starts a shell that runs a program if this process ends before {@link #close}.
     *
     * @param afterKill its {@code main} gets the run, the pid of this process, and the words, and calls {@link MarkedProcesses#end}
     * @throws IOException if there is no shell, or this process is ending
     */
    public static ProcessWatch start(String run, Class<?> afterKill, String... words) throws IOException {
        List<String> line =
                new ArrayList<>(List.of("sh", "-c", "trap '' INT HUP TERM; read -r _ || exec \"$@\"", "sh"));
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), afterKill.getName(), run));
        line.add(Long.toString(ProcessHandle.current().pid()));
        line.addAll(List.of(words));
        Process shell = new ProcessBuilder(line)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        ProcessWatch watch = new ProcessWatch(run, shell);
        try {
            Runtime.getRuntime().addShutdownHook(watch.hook);
        } catch (IllegalStateException e) {
            throw new IOException("this process is ending", e);
        }
        return watch;
    }

    /** Marks a process that is about to be started, and what it starts. */
    public void mark(ProcessBuilder builder) {
        builder.environment().put(MarkedProcesses.name(), MarkedProcesses.value(run, pid));
    }

    /** Whether a signal to this process has ended the marked ones. */
    public boolean isSignaled() {
        return isSignaled;
    }

    private void endBySignal() {
        isSignaled = true;
        close();
    }

    /** Ends the marked processes: SIGTERM, and SIGKILL after 10 s. */
    public void end() {
        try {
            MarkedProcesses.end(run, pid);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the marked processes and the watch. */
    @Override
    public void close() {
        end();
        try (OutputStream line = shell.getOutputStream()) {
            line.write('\n');
        } catch (IOException e) {
            // The shell has already ended.
        }
        if (!isSignaled) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // A signal came meanwhile.
            }
        }
    }
}
