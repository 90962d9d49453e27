package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.fixture.Waiting;
import io.rankfeed.feeder.ring.SegmentName;
import io.rankfeed.feeder.serve.admission.Rendezvous;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that end by a signal leave neither processes nor files. */
@Timeout(300)
class KilledCommandIT {
    private static final int DEADLINE_SECONDS = 120;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "KILL"})
    void doctor_endsWhatThePythonStarted(String signal) throws Exception {
        Path python =
                Files.writeString(folder.resolve("python"), "#!/bin/sh\nsetsid sleep 1000 & " + pid("$!") + "; wait\n");
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwx------"));
        try (FeederChild doctor =
                FeederChild.start(folder, "doctor", "--cache", folder.toString(), "--python", python.toString())) {
            ProcessHandle grandchild = started(doctor);
            doctor.signal(signal);
            grandchild.onExit().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Test
    void diagnose_killed_leavesNoRingAndNoSocket() throws Exception {
        try (FeederChild diagnose = FeederChild.start(
                folder,
                "diagnose",
                FeederChild.GOLDEN.toString(),
                "--in-place",
                "--",
                "sh",
                "-c",
                pid("$$") + "; exec sleep 1000")) {
            ProcessHandle trainer = started(diagnose);
            assertThat(diagnose.runs()).hasSize(1);
            Path ring = ringOf(diagnose.runs().getFirst());
            diagnose.signal("KILL");
            trainer.onExit().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
            Waiting.until("no socket", () -> runs(diagnose).isEmpty(), () -> true);
            assertThat(ring).doesNotExist();
        }
    }

    /** Makes a ring file that a trainer of the run could have. */
    private Path ringOf(Path run) throws IOException {
        Rendezvous rendezvous = Rendezvous.of(
                run.getFileName().toString(),
                Map.of("XDG_RUNTIME_DIR", folder.resolve("run").toString()));
        SegmentName name =
                new SegmentName(rendezvous.uid(), SegmentName.hashOf(rendezvous.directory()), 0, "train", 1, 1);
        return Files.writeString(folder.resolve("shm").resolve(name.fileName()), "ring");
    }

    private static List<Path> runs(FeederChild child) {
        try {
            return child.runs();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A command of the shell that writes a process id, in one step. */
    private String pid(String variable) {
        return "echo " + variable + " > " + folder.resolve("part") + "; mv " + folder.resolve("part") + " "
                + folder.resolve("pid");
    }

    private ProcessHandle started(FeederChild child) throws Exception {
        Path file = folder.resolve("pid");
        child.until("process", () -> Files.exists(file));
        return ProcessHandle.of(Long.parseLong(Files.readString(file).strip())).orElseThrow();
    }
}
