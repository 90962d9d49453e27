package io.rankfeed.feeder.supervise;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Ends every descendant of this process but those under a spared one. */
final class ProcessTree {
    private static final long LOOK_MILLIS = 10;
    private static final long KILL_NANOS = 5_000_000_000L;

    private ProcessTree() {}

    /**
     * Sends SIGTERM to all descendants, also to those that start meanwhile, and SIGKILL to those that remain after the
     * grace period.
     *
     * @param sparedPid its tree is left alone; 0: none
     */
    static void end(long sparedPid, long graceNanos) throws InterruptedException {
        long start = System.nanoTime();
        Set<Long> reported = new HashSet<>();
        List<ProcessHandle> alive = alive(sparedPid);
        while (!alive.isEmpty() && System.nanoTime() - start < graceNanos) {
            alive.stream().filter(process -> reported.add(process.pid())).forEach(ProcessHandle::destroy);
            Thread.sleep(LOOK_MILLIS);
            alive = alive(sparedPid);
        }
        long killedAt = System.nanoTime();
        while (!alive.isEmpty() && System.nanoTime() - killedAt < KILL_NANOS) {
            alive.forEach(ProcessHandle::destroyForcibly);
            Thread.sleep(LOOK_MILLIS);
            alive = alive(sparedPid);
        }
    }

    /** Returns the running descendants of this process, except a spared one and its descendants. */
    static List<ProcessHandle> alive(long sparedPid) {
        Set<Long> spared = new HashSet<>();
        ProcessHandle.of(sparedPid).ifPresent(process -> {
            spared.add(process.pid());
            process.descendants().forEach(child -> spared.add(child.pid()));
        });
        try (Stream<ProcessHandle> all = ProcessHandle.current().descendants()) {
            return all.filter(process -> !spared.contains(process.pid()) && isRunning(process))
                    .toList();
        }
    }

    private static boolean isRunning(ProcessHandle process) {
        return ProcessStat.of(process.pid()).filter(ProcessStat::isRunning).isPresent();
    }
}
