package io.rankfeed.schema.failure;

import java.util.Locale;
import java.util.Optional;

/**
 * Finds failures that are environment errors, not bugs: the system refuses memory, a thread, a descriptor or disk
 * space.
 */
public final class ResourceFailure {
    private static final int MAX_CAUSES = 20;

    private ResourceFailure() {}

    /** The failure behind an exception or error; empty if it has another cause. */
    public static Optional<EnvironmentException> of(Throwable thrown) {
        Throwable at = thrown;
        for (int i = 0; at != null && i < MAX_CAUSES; at = at.getCause(), i++) {
            if (at instanceof OutOfMemoryError full) {
                return Optional.of(new EnvironmentException(outOfMemory(String.valueOf(full.getMessage())), thrown));
            }
        }
        return IoReason.ofResource(thrown).map(words -> new EnvironmentException(words, thrown));
    }

    private static String outOfMemory(String words) {
        if (words.contains("native thread")) {
            return "out of memory: no thread can be started; " + ResourceLimit.PROCESSES
                    + ", and a container may have one of"
                    + " its own (pids.max of its cgroup, docker run --pids-limit); "
                    + ResourceLimit.PROCESSES.remedy("65536");
        }
        return String.format(
                Locale.ROOT,
                "out of memory: %s; the heap's limit is %,d bytes, %s; give the feeder a larger heap with"
                        + " RANKFEED_JAVA_OPTS=-Xmx…, a job with --spark \"--driver-memory …\"",
                words,
                Runtime.getRuntime().maxMemory(),
                ResourceLimit.ADDRESS_SPACE.value().isPresent()
                        ? "of address space " + ResourceLimit.ADDRESS_SPACE
                        : "of address space there is none");
    }
}
