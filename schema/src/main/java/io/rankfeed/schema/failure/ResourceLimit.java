package io.rankfeed.schema.failure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;

/** A limit that Linux sets to this process (getrlimit(2)). Java raises its own limit of open files to the hard one. */
public enum ResourceLimit {
    OPEN_FILES("Max open files", "open files", "ulimit -n"),
    ADDRESS_SPACE("Max address space", "bytes of address space", "ulimit -v"),
    PROCESSES("Max processes", "processes and threads of this user", "ulimit -u"),
    FILE_SIZE("Max file size", "bytes of a file", "ulimit -f"),
    LOCKED_MEMORY("Max locked memory", "bytes of locked memory", "ulimit -l");

    private static final Path LIMITS = Path.of("/proc/self/limits");

    /** A column of names, then the soft and the hard limit. */
    private static final int NAME_CHARS = 26;

    private final String kernelName;
    private final String what;
    private final String command;

    ResourceLimit(String kernelName, String what, String command) {
        this.kernelName = kernelName;
        this.what = what;
        this.command = command;
    }

    /** The soft limit; empty if there is none, or it is unknown. */
    public OptionalLong value() {
        try {
            return Files.readAllLines(LIMITS).stream()
                    .filter(line -> line.startsWith(kernelName + " ") && line.length() > NAME_CHARS)
                    .map(line -> line.substring(NAME_CHARS).strip().split(" +", 2)[0])
                    .filter(soft -> soft.chars().allMatch(Character::isDigit))
                    .mapToLong(Long::parseLong)
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /**
     * Requires that the limit allows what a process is about to use.
     *
     * @param needed in the unit of the limit
     * @param user who needs it, with the verb, as {@code "8 ranks of 2 feeds need"}
     * @throws EnvironmentException if it does not; with limit, value, need and the command that raises it
     */
    public void require(long needed, String user) {
        OptionalLong value = value();
        if (value.isPresent() && value.getAsLong() < needed) {
            throw new EnvironmentException(String.format(
                    Locale.ROOT, "%s %,d %s, but %s; %s", user, needed, what, this, remedy(Long.toString(needed))));
        }
    }

    /** Returns instructions for raising the limit in a shell, a service or a container. */
    public String remedy(String to) {
        String unit = this == OPEN_FILES || this == PROCESSES ? to : "unlimited";
        return "raise it with '" + command + " " + unit
                + "' (a hard limit: LimitNOFILE= and similar keys of a systemd unit,"
                + " docker run --ulimit, /etc/security/limits.conf)";
    }

    /** The limit with its value and the command that shows it. */
    @Override
    public String toString() {
        OptionalLong value = value();
        return "the limit is "
                + (value.isPresent() ? String.format(Locale.ROOT, "%,d", value.getAsLong()) : "unknown here") + " ("
                + command + ")";
    }
}
