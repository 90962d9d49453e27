package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The order of a quickstart's steps and what it skips; Spark and torchrun are shell scripts here, the feeder is real. */
@Timeout(180)
class QuickstartCommandIT {
    private static final String VERSION = "df870f3cc42ce2c9";

    @TempDir
    private Path folder;

    private Path home;
    private Path calls;

    @BeforeEach
    void aProjectWithALauncherAndAnEnvironment() throws IOException {
        home = Files.createDirectories(folder.resolve("home"));
        calls = folder.resolve("calls");
        Files.createDirectories(home.resolve("conf/jobs"));
        Files.writeString(home.resolve("conf/jobs/codecontests.yaml"), "dataset: codecontests\n");
        String launcher = """
                echo "$1" >> CALLS
                case $1 in
                generate) [ -e INPUT ] || { mkdir -p INPUT && echo rows > INPUT/part-0; } ;;
                pipeline) [ ! -e HOME/fail ] || exit 3
                    for run; do :; done
                    mkdir -p DATA/versions DATA/runs/$run
                    cp -r GOLDEN DATA/versions/VERSION
                    echo '{"state": "committed", "version": "VERSION"}' > DATA/runs/$run/run.json ;;
                esac
                """;
        script(
                home.resolve("rankfeed"),
                launcher.replace("CALLS", calls.toString())
                        .replace(
                                "INPUT",
                                home.resolve("build/quickstart/input/rows-40000")
                                        .toString())
                        .replace(
                                "DATA",
                                home.resolve("build/quickstart/data/codecontests")
                                        .toString())
                        .replace("HOME", home.toString())
                        .replace(
                                "GOLDEN",
                                FeederChild.GOLDEN.toAbsolutePath().normalize().toString())
                        .replace("VERSION", VERSION));
        script(
                home.resolve(".envs/train/bin/torchrun"),
                "echo torchrun \"$@\" >> " + calls + "\nexit ${TRAIN_EXIT:-0}\n");
    }

    @Test
    void theSecondRunGoesStraightToTheTraining() throws Exception {
        assertThat(quickstart(0)).contains("1/3 input", "2/3 pipeline", "3/3 feeder", "What to try next", VERSION);
        assertThat(called()).containsExactly("generate", "pipeline", "torchrun");
        assertThat(quickstart(0)).contains("no Spark needed", "What to try next");
        assertThat(called()).containsExactly("generate", "pipeline", "torchrun", "torchrun");
    }

    @Test
    void aChangedInputJobOrSizeRunsThePipelineAgain() throws Exception {
        quickstart(0);
        Files.writeString(home.resolve("build/quickstart/input/rows-40000/part-0"), "other rows");
        quickstart(0);
        assertThat(called()).hasSize(6);
        Files.writeString(home.resolve("conf/jobs/codecontests.yaml"), "dataset: codecontests # changed\n");
        quickstart(0);
        assertThat(called()).hasSize(9);
    }

    @Test
    void aFailureOfAnyStepIsItsExitCode() throws Exception {
        Files.writeString(home.resolve("fail"), "");
        quickstart(3);
        assertThat(called()).containsExactly("generate", "pipeline");
    }

    @Test
    void cleanRemovesNoFolderThatIsNoQuickstarts() throws Exception {
        Path precious = Files.writeString(
                Files.createDirectories(folder.resolve("mine")).resolve("a"), "b");
        assertThat(quickstart(2, "--clean", "--dir", precious.getParent().toString()))
                .contains("no folder of a quickstart");
        assertThat(precious).hasContent("b");
        quickstart(0);
        quickstart(0, "--clean");
        assertThat(called()).containsExactly("generate", "pipeline", "torchrun", "generate", "pipeline", "torchrun");
    }

    private String quickstart(int exitCode, String... more) throws Exception {
        String[] words = new String[more.length + 1];
        words[0] = "quickstart";
        System.arraycopy(more, 0, words, 1, more.length);
        try (FeederChild child = FeederChild.startAtHome(folder, home, words)) {
            assertThat(child.exitCode()).as(child.log()).isEqualTo(exitCode);
            assertThat(child.runs()).isEmpty();
            return child.log();
        }
    }

    private List<String> called() throws IOException {
        return Files.readAllLines(calls).stream()
                .map(line -> line.split(" ", -1)[0])
                .toList();
    }

    private static void script(Path file, String body) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + body);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
}
