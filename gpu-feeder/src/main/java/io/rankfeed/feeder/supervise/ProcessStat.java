package io.rankfeed.feeder.supervise;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The fields of a process in {@code /proc/PID/stat}.
 *
 * @param state {@code Z}: dead, but nobody has waited for it yet
 * @param group its process group
 * @param terminal its controlling terminal; 0: none
 * @param foreground the process group that this terminal sends its signals to
 */
record ProcessStat(char state, long group, long terminal, long foreground) {
    static Optional<ProcessStat> of(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            // The name before may hold blanks and brackets.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", 7);
            return Optional.of(new ProcessStat(
                    fields[0].charAt(0),
                    Long.parseLong(fields[2]),
                    Long.parseLong(fields[4]),
                    Long.parseLong(fields[5])));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    boolean isRunning() {
        return state != 'Z';
    }

    /** Whether Ctrl-C at its terminal reaches the process. */
    boolean isInForeground() {
        return terminal != 0 && group == foreground;
    }
}
