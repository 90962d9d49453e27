package io.rankfeed.feeder.machine;

import io.rankfeed.feeder.machine.Finding.Level;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ResourceLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What is wrong with a machine, from its facts alone. */
public final class MachineRules {
    private static final long GIB = 1L << 30;

    /** Docker's size of {@code /dev/shm} where nobody says another. */
    private static final long CONTAINER_DEFAULT_BYTES = 64L << 20;

    private static final long FEW_FILES = 4096;
    private static final double SLOW_DISK = 200e6;
    private static final double SLOW_CLOCK_NANOS = 250;
    private static final String SHM = "/dev/shm";
    private static final String SHM_REMEDY =
            "docker run --shm-size 8g or --ipc host; in Kubernetes mount an emptyDir with medium: Memory at"
                    + " /dev/shm; on a host: mount -o remount,size=8G /dev/shm";
    private static final String CACHE_REMEDY = "name a folder of a local disk with --cache, here and for feed";

    private final Machine machine;
    private final List<Finding> findings = new ArrayList<>();

    private MachineRules(Machine machine) {
        this.machine = machine;
    }

    /** Every check's finding, the most important first. */
    public static List<Finding> findings(Machine machine) {
        MachineRules rules = new MachineRules(machine);
        rules.sharedMemory();
        rules.cache();
        rules.disk();
        rules.processors();
        rules.memory();
        rules.openFiles();
        rules.lockedMemory();
        rules.hugePages();
        rules.clock();
        rules.add(Finding.ok("Java", machine.java()));
        rules.python();
        rules.findings.sort(Comparator.comparing(Finding::level));
        return List.copyOf(rules.findings);
    }

    private void sharedMemory() {
        Volume volume = machine.sharedMemory();
        String found = space(volume);
        if (!volume.isWritable()) {
            add(SHM, Level.ERROR, found + ", not writable for this user", "chmod 1777 /dev/shm as root");
        } else if (!volume.isMemory()) {
            add(SHM, Level.ERROR, found + ", not in memory", "mount a tmpfs at /dev/shm");
        } else if (volume.bytes() <= CONTAINER_DEFAULT_BYTES || volume.freeBytes() < CONTAINER_DEFAULT_BYTES) {
            add(SHM, Level.ERROR, found + "; rings do not fit", SHM_REMEDY);
        } else if (volume.freeBytes() < GIB) {
            add(SHM, Level.WARNING, found + "; feed --dry-run prints the size of a ring", SHM_REMEDY);
        } else {
            add(Finding.ok(SHM, found));
        }
    }

    private void cache() {
        Volume volume = machine.cache();
        String found = volume.folder() + ": " + volume.type() + ", " + space(volume);
        if (!volume.isWritable()) {
            add("cache", Level.ERROR, found + ", not a folder that this user can write to", CACHE_REMEDY);
        } else if (volume.freeBytes() == 0) {
            add("cache", Level.ERROR, found, "delete old versions in it, or " + CACHE_REMEDY);
        } else if (volume.isRemote()) {
            add("cache", Level.WARNING, found + "; every page of a lane comes over the network", CACHE_REMEDY);
        } else if (volume.isMemory()) {
            add("cache", Level.WARNING, found + "; lanes take memory that trainers need", CACHE_REMEDY);
        } else if (volume.freeBytes() < GIB) {
            add("cache", Level.WARNING, found, "delete old versions in it, or " + CACHE_REMEDY);
        } else {
            add(Finding.ok("cache", found));
        }
    }

    private void disk() {
        if (machine.disk().isEmpty()) {
            add(
                    "disk",
                    Level.NOTE,
                    "not measured",
                    "the file system of the cache has no direct reads, or no room for a file of 128 MiB");
            return;
        }
        double speed = machine.disk().getAsDouble();
        String found = String.format(Locale.ROOT, "%,.0f MB/s, read in sequence without the page cache", speed / 1e6);
        if (speed < SLOW_DISK) {
            add(
                    "disk",
                    Level.WARNING,
                    found,
                    "use a local SSD for --cache, or give the machine the memory to keep the version in its page cache");
        } else {
            add(Finding.ok("disk", found));
        }
    }

    private void processors() {
        int usable = machine.processors();
        String found = usable == machine.allProcessors()
                ? Integer.toString(usable)
                : usable + " of " + machine.allProcessors() + " (a limit of the cgroup, or an affinity)";
        if (usable < 2) {
            add(
                    "processors",
                    Level.WARNING,
                    found + "; feeder and trainer share one",
                    "docker run --cpus 4; in Kubernetes resources.limits.cpu; taskset");
        } else {
            add(Finding.ok("processors", found));
        }
    }

    private void memory() {
        long usable = machine.memoryBytes();
        String found = usable >= machine.allMemoryBytes()
                ? ByteSize.rounded(usable)
                : ByteSize.rounded(usable) + " of " + ByteSize.rounded(machine.allMemoryBytes())
                        + " (a limit of the cgroup)";
        if (usable < 2 * GIB) {
            add(
                    "memory",
                    Level.WARNING,
                    found + "; rings, the feeder and the trainers share it",
                    "docker run --memory; in Kubernetes resources.limits.memory");
        } else if (machine.sharedMemory().bytes() > usable) {
            add(
                    "memory",
                    Level.NOTE,
                    found + ", less than /dev/shm",
                    "rings count to the limit of the cgroup: keep them below it with feed --memory");
        } else {
            add(Finding.ok("memory", found));
        }
    }

    private void openFiles() {
        long limit = machine.openFiles().orElse(Long.MAX_VALUE);
        String found = machine.openFiles().isPresent() ? String.format(Locale.ROOT, "%,d", limit) : "no limit";
        if (limit < FEW_FILES) {
            add("open files", Level.WARNING, found, ResourceLimit.OPEN_FILES.remedy("65536"));
        } else {
            add(Finding.ok("open files", found));
        }
    }

    /** CUDA says whether memory can be pinned; the limit alone does not, and without a device nothing is pinned. */
    private void lockedMemory() {
        TrainerPython python = machine.python();
        String limit = machine.lockedBytes().isPresent()
                ? ByteSize.rounded(machine.lockedBytes().getAsLong()) + " (ulimit -l)"
                : "no limit";
        if (!python.pinning().isEmpty()) {
            add(
                    "pinned memory",
                    Level.ERROR,
                    limit + "; " + python.pinning(),
                    ResourceLimit.LOCKED_MEMORY.remedy("unlimited"));
        } else {
            add(Finding.ok(
                    "pinned memory",
                    limit + (python.devices().isEmpty() ? "; no CUDA device to pin for" : "; 16 MiB were pinned")));
        }
    }

    private void hugePages() {
        String how = machine.hugePages();
        if (Set.of("never", "deny").contains(how)) {
            add(
                    "huge pages",
                    Level.NOTE,
                    how + " for shared memory",
                    "for rings of many MiB, as root: echo within_size > /sys/kernel/mm/transparent_hugepage/shmem_enabled");
        } else {
            add(Finding.ok("huge pages", how.isEmpty() ? "unknown" : how + " for shared memory"));
        }
    }

    private void clock() {
        String found = String.format(
                Locale.ROOT,
                "%s, %.0f ns a read",
                machine.clock().isEmpty() ? "unknown" : machine.clock(),
                machine.clockNanos());
        if (machine.clockNanos() > SLOW_CLOCK_NANOS) {
            add(
                    "clock",
                    Level.WARNING,
                    found + "; timers slow a feed down",
                    "measure again on an idle machine; of another clock source than tsc: kernel parameter clocksource=tsc, if the hardware has a stable one");
        } else {
            add(Finding.ok("clock", found));
        }
    }

    private void python() {
        TrainerPython python = machine.python();
        if (!python.failure().isEmpty()) {
            add(
                    "Python",
                    Level.WARNING,
                    python.program() + ": " + python.failure(),
                    "name the trainers' Python with --python; it needs: pip install rankfeed");
            return;
        }
        add(Finding.ok("Python", python.version() + " (" + python.program() + ")"));
        if (python.torch().isEmpty()) {
            add("torch", Level.NOTE, "not installed", "trainers with PyTorch need: pip install 'rankfeed[torch]'");
        } else if (python.torch().startsWith("!")) {
            add(
                    "torch",
                    Level.ERROR,
                    "cannot be imported: " + python.torch().substring(1),
                    "install torch again in this environment");
        } else {
            add(Finding.ok("torch", python.torch()));
            cuda(python);
        }
    }

    private void cuda(TrainerPython python) {
        if (!python.devices().isEmpty()) {
            Set<String> kinds = Set.copyOf(python.devices());
            add(Finding.ok(
                    "CUDA",
                    python.cuda() + ", " + Plural.counted(python.devices().size(), "device") + ": "
                            + String.join(", ", kinds.stream().sorted().toList())));
        } else if (python.cuda().isEmpty()) {
            add("CUDA", Level.NOTE, "torch is built for the CPU", "for a GPU, install the torch of its CUDA version");
        } else {
            add(
                    "CUDA",
                    Level.NOTE,
                    "torch is built for CUDA " + python.cuda() + " and finds no device",
                    "with a GPU: install its driver; in a container docker run --gpus all");
        }
    }

    private static String space(Volume volume) {
        return ByteSize.rounded(volume.freeBytes()) + " of " + ByteSize.rounded(volume.bytes()) + " free";
    }

    private void add(String check, Level level, String found, String remedy) {
        add(new Finding(check, level, found, remedy));
    }

    private void add(Finding finding) {
        findings.add(finding);
    }
}
