package io.rankfeed.feeder.supervise;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The processes of a supervised command, found by a variable of their environment: after the supervisor was killed nothing else
 * connects them to the run, as their parents may be gone and their sessions may be their own.
 */
public final class MarkedProcesses {
    /**
     * The variable that is set for the command and inherited by its processes; its value names the run and the
     * supervisor.
     */
    private static final String VARIABLE = "RANKFEED_SUPERVISOR";

    private static final long LOOK_MILLIS = 50;
    private static final long GRACE_NANOS = 10_000_000_000L;

    /** A process that survives SIGKILL for so long waits in the kernel; it must not keep the feeder. */
    private static final long GIVE_UP_NANOS = 15_000_000_000L;

    private MarkedProcesses() {}

    /** Ends the processes of the run and supervisor in the arguments, as a program of its own. */
    public static void main(String[] args) throws InterruptedException {
        end(args[0], Long.parseLong(args[1]));
    }

    /** The name of the variable that marks the processes of a run. */
    public static String name() {
        return VARIABLE;
    }

    /** Its value for a run and the process that started the command. */
    public static String value(String run, long supervisorPid) {
        return run + "/" + supervisorPid;
    }

    /** Sends SIGTERM to each process, and SIGKILL to those that remain after 10 s; returns after 15 s at most. */
    public static void end(String run, long supervisorPid) throws InterruptedException {
        String entry = VARIABLE + "=" + value(run, supervisorPid);
        Set<Long> asked = new HashSet<>();
        long start = System.nanoTime();
        List<ProcessHandle> alive = alive(entry);
        while (!alive.isEmpty() && System.nanoTime() - start < GIVE_UP_NANOS) {
            for (ProcessHandle process : alive) {
                if (System.nanoTime() - start > GRACE_NANOS) {
                    process.destroyForcibly();
                } else if (asked.add(process.pid())) {
                    process.destroy();
                }
            }
            Thread.sleep(LOOK_MILLIS);
            alive = alive(entry);
        }
    }

    private static List<ProcessHandle> alive(String entry) {
        return ProcessHandle.allProcesses()
                .filter(process -> hasEntry(process.pid(), entry))
                .toList();
    }

    /**
     * Whether the environment of a process has an entry. The environment of another user's process, or of an ended one,
     * is not readable.
     */
    private static boolean hasEntry(long pid, String entry) {
        try {
            byte[] environment = Files.readAllBytes(Path.of("/proc", Long.toString(pid), "environ"));
            return Arrays.asList(new String(environment, StandardCharsets.UTF_8).split("\0"))
                    .contains(entry);
        } catch (IOException e) {
            return false;
        }
    }
}
