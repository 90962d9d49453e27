package io.rankfeed.feeder.machine;

import com.sun.management.OperatingSystemMXBean;
import io.rankfeed.feeder.ring.SharedMemory;
import io.rankfeed.schema.failure.ResourceLimit;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A machine at one moment. Sizes are in bytes; a limit that does not exist is empty, and so is a text that the kernel does not give.
 *
 * @param sharedMemory where rings are
 * @param cache where lanes are copied to
 * @param disk bytes per second that the disk of the cache gives; empty: not measured
 * @param processors that this process may use: of its cgroup and its affinity
 * @param allProcessors of the machine
 * @param memoryBytes that this process may use, of its cgroup
 * @param allMemoryBytes of the machine
 * @param hugePages how the kernel uses huge pages for rings: the chosen word of {@code shmem_enabled}
 * @param clock the kernel's clock source
 * @param clockNanos how long it takes to read it
 * @param java version and vendor of this virtual machine
 */
public record Machine(
        Volume sharedMemory,
        Volume cache,
        OptionalDouble disk,
        int processors,
        int allProcessors,
        long memoryBytes,
        long allMemoryBytes,
        OptionalLong openFiles,
        OptionalLong lockedBytes,
        String hugePages,
        String clock,
        double clockNanos,
        String java,
        TrainerPython python) {
    private static final Path HUGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage/shmem_enabled");
    private static final Path CLOCK = Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    private static final Pattern CHOSEN = Pattern.compile("\\[(\\w+)]");
    private static final Pattern PROCESSOR = Pattern.compile("(?m)^processor\\s*:");
    private static final Pattern ALL_MEMORY = Pattern.compile("(?m)^MemTotal:\\s+(\\d+) kB$");
    private static final int CLOCK_READS = 10_000;
    private static final int CLOCK_ROUNDS = 20;

    /**
     * Looks at this machine. It takes seconds: the disk is measured, and Python imports torch.
     *
     * @param cache need not exist
     * @param program the trainers' Python; empty: the one that belongs to this installation
     */
    public static Machine look(Path cache, String program, Map<String, String> environment) {
        Volume volume = Volume.of(cache);
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        int processors = Runtime.getRuntime().availableProcessors();
        long memory = system.getTotalMemorySize();
        Matcher all = ALL_MEMORY.matcher(text(Path.of("/proc/meminfo")));
        return new Machine(
                Volume.of(SharedMemory.ofSystem().directory()),
                volume,
                volume.isWritable() && !volume.isMemory() && volume.freeBytes() > 2 * DiskSpeed.BYTES
                        ? DiskSpeed.measure(volume.folder())
                        : OptionalDouble.empty(),
                processors,
                Math.max(processors, (int) PROCESSOR
                        .matcher(text(Path.of("/proc/cpuinfo")))
                        .results()
                        .count()),
                memory,
                all.find() ? Long.parseLong(all.group(1)) << 10 : memory,
                ResourceLimit.OPEN_FILES.value(),
                ResourceLimit.LOCKED_MEMORY.value(),
                chosen(text(HUGE_PAGES)),
                text(CLOCK).strip(),
                measuredClockNanos(),
                Runtime.version() + " (" + System.getProperty("java.vendor") + ")",
                TrainerPython.ask(program.isEmpty() ? TrainerPython.program(environment) : program));
    }

    private static double measuredClockNanos() {
        long shortest = Long.MAX_VALUE;
        for (int round = 0; round < CLOCK_ROUNDS; round++) {
            long begun = System.nanoTime();
            long last = begun;
            for (int i = 0; i < CLOCK_READS; i++) {
                last = System.nanoTime();
            }
            shortest = Math.min(shortest, last - begun);
        }
        return (double) shortest / CLOCK_READS;
    }

    private static String chosen(String words) {
        Matcher chosen = CHOSEN.matcher(words);
        return chosen.find() ? chosen.group(1) : "";
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
