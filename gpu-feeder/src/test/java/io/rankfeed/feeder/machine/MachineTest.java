package io.rankfeed.feeder.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MachineTest {
    private static final String ANSWER =
            "{\"python\":\"3.12.1\",\"torch\":\"2.9.0\",\"cuda\":\"12.8\",\"devices\":[\"a\",\"b\"],\"pinning\":\"\"}";

    @TempDir
    private Path folder;

    @Test
    void look_thisMachine_findsItsValues() throws IOException {
        Machine machine = Machine.look(folder.resolve("not/there"), script("echo '" + ANSWER + "'"), Map.of());
        assertThat(machine.cache().folder()).isEqualTo(folder);
        assertThat(machine.sharedMemory().type()).isEqualTo("tmpfs");
        assertThat(machine.processors()).isBetween(1, machine.allProcessors());
        assertThat(machine.memoryBytes()).isBetween(1L << 28, machine.allMemoryBytes());
        assertThat(machine.openFiles().orElse(1 << 20)).isGreaterThan(100);
        assertThat(machine.clockNanos()).isPositive();
        assertThat(machine.python().devices()).containsExactly("a", "b");
        assertThat(folder)
                .as("the measured file is deleted")
                .isDirectoryNotContaining(file -> !file.endsWith("python"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "echo 'Traceback' >&2; echo \"No module named rankfeed\" >&2; exit 1 | No module named rankfeed",
                "exit 3 | ended without a word",
                "echo '{' | not valid JSON",
                "echo '{}' | python",
                "kill -9 $$ | ended without a word"
            })
    void ask_pythonThatFails_isAnAnswerToo(String commands, String failure) throws IOException {
        TrainerPython python = TrainerPython.ask(script(commands));
        assertThat(python.failure()).contains(failure);
        assertThat(python.version()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "exec >&-"})
    void ask_pythonThatHangs_isEndedWithAllThatItStarted(String first) throws IOException {
        assertThat(askWithChildren(first, "wait").failure()).startsWith("gave no answer in 2 s");
    }

    /** Its children have its error output: whether that counts as an answer depends on which of two threads is first. */
    @Test
    void ask_pythonThatEndsBeforeItsChildren_endsThemToo() throws IOException {
        assertThat(askWithChildren("exec >&-", "exit 1").failure())
                .containsAnyOf("gave no answer in 2 s", "ended without a word");
    }

    @Test
    void reason_ofPythonInPath_isWithoutItsPath() {
        String error = "Traceback\n/usr/bin/python3: No module named rankfeed\n";
        assertThat(TrainerPython.reason("python3", error)).isEqualTo("No module named rankfeed");
        assertThat(TrainerPython.reason("/usr/bin/python3", error)).isEqualTo("No module named rankfeed");
        assertThat(TrainerPython.reason("python", error)).isEqualTo("/usr/bin/python3: No module named rankfeed");
        assertThat(TrainerPython.reason("python3", " \n")).isEqualTo("ended without a word");
    }

    private TrainerPython askWithChildren(String first, String last) throws IOException {
        Path children = folder.resolve("children");
        String start = "sleep 1000 & echo $! >>" + children;
        TrainerPython python =
                TrainerPython.ask(script(first + "; (" + start + "); " + start + "; " + last), Duration.ofSeconds(2));
        // An ended process may wait for its parent; it has no command line any more.
        assertThat(Files.readAllLines(children)).hasSize(2).noneMatch(MachineTest::isRunning);
        return python;
    }

    @Test
    void ask_noSuchProgram_isAnAnswerToo() {
        assertThat(TrainerPython.ask(folder.resolve("none").toString()).failure())
                .isNotEmpty();
    }

    @Test
    void program_ofTheInstallation_isPreferred() throws IOException {
        Files.createDirectory(folder.resolve("bin"));
        Path own = Files.createFile(
                folder.resolve("bin/python"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        assertThat(TrainerPython.program(Map.of("RANKFEED_PYTHON_ENV", folder.toString())))
                .isEqualTo(own.toString());
        assertThat(TrainerPython.program(Map.of("RANKFEED_PYTHON_ENV", "/none")))
                .isEqualTo("python3");
        assertThat(TrainerPython.program(Map.of())).isEqualTo("python3");
    }

    private static boolean isRunning(String pid) {
        try {
            return !Files.readString(Path.of("/proc", pid, "cmdline")).isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    private String script(String commands) throws IOException {
        Path file = folder.resolve("python");
        Files.writeString(file, "#!/bin/sh\n" + commands + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return file.toString();
    }
}
