package io.rankfeed.feeder.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.machine.Finding.Level;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineRulesTest {
    private static final long GIB = 1L << 30;
    private static final Volume SHM = new Volume(Path.of("/dev/shm"), "tmpfs", 32 * GIB, 31 * GIB, true);
    private static final Volume DISK = new Volume(Path.of("/local"), "ext4", 900 * GIB, 500 * GIB, true);
    private static final TrainerPython GPU =
            new TrainerPython("python3", "", "3.12.1", "2.9.0", "12.8", List.of("NVIDIA A100", "NVIDIA A100"), "");

    private Volume shm = SHM;
    private Volume cache = DISK;
    private OptionalDouble disk = OptionalDouble.of(2e9);
    private int processors = 16;
    private long memory = 64 * GIB;
    private OptionalLong files = OptionalLong.of(65_536);
    private String hugePages = "within_size";
    private double clockNanos = 25;
    private TrainerPython python = GPU;

    @Test
    void findings_goodMachine_areAllOk() {
        assertThat(findings())
                .allSatisfy(one -> assertThat(one.level()).as(one.toString()).isEqualTo(Level.OK))
                .allSatisfy(one -> assertThat(one.remedy()).isEmpty())
                .extracting(Finding::check)
                .containsExactlyInAnyOrder(
                        "/dev/shm",
                        "cache",
                        "disk",
                        "processors",
                        "memory",
                        "open files",
                        "pinned memory",
                        "huge pages",
                        "clock",
                        "Java",
                        "Python",
                        "torch",
                        "CUDA");
    }

    @ParameterizedTest
    @CsvSource({
        "tmpfs, 67108864, 67108864, true, ERROR, docker run --shm-size",
        "tmpfs, 34359738368, 67108863, true, ERROR, docker run --shm-size",
        "tmpfs, 34359738368, 67108864, true, WARNING, --shm-size",
        "tmpfs, 67108865, 67108865, true, WARNING, --shm-size",
        "tmpfs, 34359738368, 1073741823, true, WARNING, --shm-size",
        "tmpfs, 34359738368, 1073741824, true, OK, ''",
        "tmpfs, 34359738368, 1073741824, false, ERROR, chmod 1777",
        "ext4, 34359738368, 1073741824, true, ERROR, mount a tmpfs"
    })
    void sharedMemory_typeAndSpace_decideLevelAndRemedy(
            String type, long bytes, long free, boolean writable, Level level, String remedy) {
        shm = new Volume(Path.of("/dev/shm"), type, bytes, free, writable);
        assertFirst("/dev/shm", level, remedy);
    }

    @ParameterizedTest
    @CsvSource({
        "nfs4, 1073741824, true, WARNING, --cache",
        "fuse.s3fs, 1073741824, true, WARNING, --cache",
        "9p, 1073741824, true, WARNING, --cache",
        "tmpfs, 1073741824, true, WARNING, --cache",
        "xfs, 0, true, ERROR, delete old versions",
        "xfs, 1073741823, true, WARNING, delete old versions",
        "xfs, 1073741824, true, OK, ''",
        "xfs, 1073741824, false, ERROR, --cache"
    })
    void cache_typeAndSpace_decideLevelAndRemedy(String type, long free, boolean writable, Level level, String remedy) {
        cache = new Volume(Path.of("/local"), type, 900 * GIB, free, writable);
        assertFirst("cache", level, remedy);
    }

    @ParameterizedTest
    @CsvSource({"199000000, WARNING", "200000000, OK", "0, NOTE"})
    void disk_speed_decidesLevel(long speed, Level level) {
        disk = speed == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) speed);
        assertFirst("disk", level, "");
    }

    @Test
    void processors_limitOfContainer_isNamed() {
        processors = 1;
        Finding finding = assertFirst("processors", Level.WARNING, "--cpus");
        assertThat(finding.found()).startsWith("1 of 16 ");
        processors = 2;
        assertFirst("processors", Level.OK, "");
    }

    @ParameterizedTest
    @CsvSource({"2147483647, WARNING, --memory", "2147483648, NOTE, feed --memory", "34359738368, OK, ''"})
    void memory_limitOfContainer_isComparedWithSharedMemory(long limit, Level level, String remedy) {
        memory = limit;
        assertFirst("memory", level, remedy);
    }

    @ParameterizedTest
    @CsvSource({"4095, WARNING, ulimit -n 65536", "4096, OK, ''", "0, OK, ''"})
    void openFiles_limit_decidesLevel(long limit, Level level, String remedy) {
        files = limit == 0 ? OptionalLong.empty() : OptionalLong.of(limit);
        assertFirst("open files", level, remedy);
    }

    @Test
    void pinnedMemory_thatCudaRefuses_isAnError() {
        python = new TrainerPython("python3", "", "3.12.1", "2.9.0", "12.8", List.of("NVIDIA A100"), "error 2");
        assertThat(assertFirst("pinned memory", Level.ERROR, "ulimit -l unlimited")
                        .found())
                .endsWith("; error 2");
    }

    @ParameterizedTest
    @CsvSource({"never, NOTE", "deny, NOTE", "advise, OK", "always, OK", "'', OK"})
    void hugePages_setting_decidesLevel(String setting, Level level) {
        hugePages = setting;
        assertFirst("huge pages", level, level == Level.OK ? "" : "shmem_enabled");
    }

    @ParameterizedTest
    @CsvSource({"250, OK", "251, WARNING"})
    void clock_thatIsSlow_isAWarning(double nanos, Level level) {
        clockNanos = nanos;
        assertFirst("clock", level, level == Level.OK ? "" : "tsc");
    }

    @Test
    void python_thatDoesNotStart_isAWarningAndTorchIsNotJudged() {
        python = new TrainerPython("python9", "no such file", "", "", "", List.of(), "");
        assertThat(assertFirst("Python", Level.WARNING, "--python").found()).isEqualTo("python9: no such file");
        assertThat(findings()).extracting(Finding::check).doesNotContain("torch", "CUDA");
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', torch, NOTE, pip install",
        "'!libcudart.so.12: cannot open', '', torch, ERROR, install torch",
        "2.9.0+cpu, '', CUDA, NOTE, its CUDA version",
        "2.9.0, 12.8, CUDA, NOTE, --gpus all"
    })
    void torch_withoutDevice_isFound(String torch, String cuda, String check, Level level, String remedy) {
        python = new TrainerPython("python3", "", "3.12.1", torch, cuda, List.of(), "");
        assertFirst(check, level, remedy);
    }

    @Test
    void findings_order_isByLevel() {
        shm = new Volume(Path.of("/dev/shm"), "tmpfs", 1 << 20, 1 << 20, true);
        hugePages = "never";
        clockNanos = 900;
        List<Finding> findings = findings();
        assertThat(findings).isSortedAccordingTo(Comparator.comparing(Finding::level));
        assertThat(findings.subList(0, 3))
                .extracting(Finding::check)
                .containsExactly("/dev/shm", "clock", "huge pages");
    }

    /** The check's finding; it comes first where it is the only one that is not ok. */
    private Finding assertFirst(String check, Level level, String remedy) {
        Finding finding = findings().stream()
                .filter(one -> one.check().equals(check))
                .findFirst()
                .orElseThrow();
        assertThat(finding.level()).as(finding.toString()).isEqualTo(level);
        assertThat(finding.remedy()).contains(remedy);
        assertThat(finding.remedy().isEmpty()).isEqualTo(level == Level.OK);
        assertThat(level == Level.OK || findings().getFirst().equals(finding)).isTrue();
        return finding;
    }

    private List<Finding> findings() {
        return MachineRules.findings(new Machine(
                shm,
                cache,
                disk,
                processors,
                16,
                memory,
                64 * GIB,
                files,
                OptionalLong.of(8 << 20),
                hugePages,
                "tsc",
                clockNanos,
                "25",
                python));
    }
}
