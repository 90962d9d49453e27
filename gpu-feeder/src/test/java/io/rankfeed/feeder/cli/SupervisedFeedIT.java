package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs {@code rankfeed feed … -- COMMAND}, which ends both processes when one of them ends. */
@Timeout(300)
class SupervisedFeedIT {
    @TempDir
    private Path folder;

    @Test
    void command_exitCodeAndRun_arePassedOn() throws Exception {
        Path seen = folder.resolve("seen");
        try (FeederChild run = supervised("ls $XDG_RUNTIME_DIR/rankfeed/$RANKFEED_RUN > " + seen + "; exit 7")) {
            assertThat(run.exitCode()).as(run.log()).isEqualTo(7);
            assertThat(seen).content().contains("feeder.json", "rank-0.sock", "rank-1.sock");
            assertThat(run.runs()).isEmpty();
        }
    }

    @Test
    void feeder_killed_isRestarted() throws Exception {
        Path stop = folder.resolve("stop");
        try (FeederChild run = supervised("while [ ! -e " + stop + " ]; do sleep 0.05; done; exit 0")) {
            long feeder = 0;
            for (int kill = 0; kill < 3; kill++) {
                long before = feeder;
                run.until(
                        "another feeder",
                        () -> servingPid(run).filter(pid -> pid != before).isPresent());
                feeder = servingPid(run).orElseThrow();
                ProcessHandle.of(feeder).ifPresent(ProcessHandle::destroyForcibly);
            }
            Files.writeString(stop, "");
            assertThat(run.exitCode()).as(run.log()).isZero();
            assertThat(run.runs()).isEmpty();
            assertThat(run.segments()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource("TERM, 143")
    void signal_endsEveryProcess(String signal, int exitCode) throws Exception {
        Path pids = folder.resolve("pids");
        String hiding = "(setsid sh -c 'trap \"\" TERM; echo $$ >> " + pids + "; while :; do sleep 0.2; done' &);";
        Path reported = folder.resolve("told");
        String noting = "for s in INT TERM; do trap \"echo $s >> " + reported + "; exit\" $s; done;";
        try (FeederChild run = supervised(hiding + noting + " echo $$ >> " + pids + "; while :; do sleep 0.2; done")) {
            run.until("two processes", () -> lines(pids).size() == 2);
            List<ProcessHandle> all = new ArrayList<>();
            lines(pids).forEach(pid -> ProcessHandle.of(Long.parseLong(pid)).ifPresent(all::add));
            all.addAll(run.process.descendants().toList());
            run.signal(signal);
            assertThat(run.exitCode()).as(run.log()).isEqualTo(exitCode);
            assertThat(reported).hasContent(signal);
            for (ProcessHandle process : all) {
                process.onExit().get(10, java.util.concurrent.TimeUnit.SECONDS);
            }
            assertThat(run.runs()).isEmpty();
        }
    }

    @ParameterizedTest
    @Tag("nightly")
    @CsvSource("INT, 130")
    void anInterruptEndsEveryProcessAlsoThoseThatHide(String signal, int exitCode) throws Exception {
        signal_endsEveryProcess(signal, exitCode);
    }

    @Test
    void feeder_neverServing_endsBeforeTheCommand() throws Exception {
        Path begun = folder.resolve("begun");
        try (FeederChild run = FeederChild.start(
                folder,
                "feed",
                FeederChild.GOLDEN.toString(),
                "--in-place",
                "--world",
                "3",
                "--",
                "touch",
                begun.toString())) {
            assertThat(run.exitCode()).as(run.log()).isEqualTo(2);
            assertThat(begun).doesNotExist();
            assertThat(run.runs()).isEmpty();
        }
    }

    @Test
    void feeder_withoutRoom_isReportedOnce() throws Exception {
        try (FeederChild run = FeederChild.start(
                folder,
                "feed",
                FeederChild.GOLDEN.toString(),
                "--in-place",
                "--progress",
                "none",
                "--memory",
                "1 KiB",
                "--",
                "true")) {
            assertThat(run.exitCode()).as(run.log()).isEqualTo(4);
            assertThat(run.log().lines())
                    .singleElement()
                    .asString()
                    .contains("rings of depth 4 need ", "of --memory are available", "--ranks");
            assertThat(run.runs()).isEmpty();
        }
    }

    @Test
    void command_unknown_isConfigurationError() throws Exception {
        try (FeederChild run = FeederChild.start(
                folder, "feed", FeederChild.GOLDEN.toString(), "--in-place", "--", "no-such-command-at-all")) {
            assertThat(run.exitCode()).as(run.log()).isEqualTo(2);
            assertThat(run.log().lines())
                    .singleElement()
                    .asString()
                    .contains("no 'no-such-command-at-all' on the PATH");
            assertThat(run.runs()).isEmpty();
        }
    }

    @Test
    void supervisor_killed_endsFeederAndCommand() throws Exception {
        Path pids = folder.resolve("pids");
        String hidden = "(setsid sh -c 'echo $$ >> " + pids + "; exec sleep 300' &);";
        try (FeederChild run = supervised(hidden + " echo $$ >> " + pids + "; exec sleep 300")) {
            run.until("serving", () -> servingPid(run).isPresent());
            run.until("two processes", () -> lines(pids).size() == 2);
            List<ProcessHandle> all = new ArrayList<>(run.process.descendants().toList());
            lines(pids).forEach(pid -> ProcessHandle.of(Long.parseLong(pid)).ifPresent(all::add));
            run.signal("KILL");
            for (ProcessHandle process : all) {
                process.onExit().get(30, java.util.concurrent.TimeUnit.SECONDS);
            }
            assertThat(run.runs()).isEmpty();
        }
    }

    private FeederChild supervised(String script) throws IOException {
        return FeederChild.start(
                folder,
                "feed",
                FeederChild.GOLDEN.toString(),
                "--in-place",
                "--progress",
                "none",
                "--",
                "sh",
                "-c",
                script);
    }

    private static Optional<Long> servingPid(FeederChild run) {
        try {
            for (Path folder : run.runs()) {
                Path ready = folder.resolve("feeder.json");
                String text = Files.exists(ready) ? Files.readString(ready) : "";
                int at = text.indexOf("\"pid\": ");
                if (at >= 0) {
                    String digits = text.substring(at + 7, text.indexOf(',', at));
                    Optional<ProcessHandle> alive =
                            ProcessHandle.of(Long.parseLong(digits)).filter(ProcessHandle::isAlive);
                    return alive.map(ProcessHandle::pid);
                }
            }
        } catch (IOException e) {
            // The feeder replaces its files while we look.
        }
        return Optional.empty();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }
}
