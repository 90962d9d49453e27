package io.rankfeed.schema.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IoReasonTest {
    private static final Path FULL = Path.of("/dev/full");

    @TempDir
    private Path dir;

    /** An operation that fails. */
    private interface Operation {
        void run() throws IOException;
    }

    @Test
    void exceptionsWhoseMessageIsAPathHaveWords() throws IOException {
        Path file = Files.writeString(dir.resolve("file"), "");
        Path missing = dir.resolve("missing");
        Files.writeString(Files.createDirectory(dir.resolve("folder")).resolve("x"), "");
        says(() -> Files.readString(missing), "cannot read " + missing, "no such file or directory");
        says(() -> Files.createFile(file), "cannot make " + file, "the file exists");
        says(
                () -> Files.delete(dir.resolve("folder")),
                "cannot remove " + dir.resolve("folder"),
                "the directory is not empty");
        says(() -> Files.readSymbolicLink(file), "cannot follow " + file, "not a symbolic link");
        says(() -> listed(file), "cannot list " + file, "not a directory");
        says(() -> Files.readString(file.resolve("x")), "cannot read " + file + "/x", "Not a directory");
        assertThat(IoReason.of("cannot lock /c/x", new AccessDeniedException("/c/x")))
                .isEqualTo("cannot lock /c/x: permission denied");
        assertThat(IoReason.of("cannot make /c/x", new AccessDeniedException("/c")))
                .isEqualTo("cannot make /c/x: /c: permission denied");
        assertThat(IoReason.of("cannot make /d", new UncheckedIOException(new AccessDeniedException("/c"))))
                .isEqualTo("cannot make /d: /c: permission denied");
        assertThat(IoReason.of(new AccessDeniedException("/c"))).isEqualTo("/c: permission denied");
        assertThat(IoReason.of("cannot read x", new IOException())).isEqualTo("cannot read x: IOException");
        assertThat(IoReason.of("cannot read x", new IOException("first\n\tat second")))
                .isEqualTo("cannot read x: first");
    }

    /** {@code /dev/full} is the kernel's own full disk. */
    @Test
    void theRemedyOfAFullDiskIsNamedOnce() {
        IOException cause = new IOException("No space left on device");
        IOException outer = new IOException(IoReason.of("cannot write /a", cause), cause);
        assertThat(IoReason.of("cannot commit /b", outer)).containsOnlyOnce("make room");
    }

    @Test
    void aFullDiskIsNamedWithItsFreeBytes() {
        Path file = dir.resolve("lanes/a file that is gone");
        assertThatThrownBy(() -> {
                    try (FileOutputStream out = new FileOutputStream(FULL.toFile())) {
                        out.write(1);
                    } catch (IOException e) {
                        throw new EnvironmentException(IoReason.of("cannot write " + file, file, e), e);
                    }
                })
                .hasMessageMatching(
                        "cannot write \\Q" + file + "\\E: No space left on device, [0-9,]+ bytes are free in the file"
                                + " system of \\Q" + dir + "\\E; make room, or choose another folder");
    }

    @ParameterizedTest
    @CsvSource({
        "Too many open files, ulimit -n",
        "File too large, ulimit -f",
        "Map failed, vm.max_map_count",
        "Disk quota exceeded, free some of this user's files",
        "No space left on device, make room"
    })
    void aLimitOfTheSystemHasARemedyAndIsNoBug(String reason, String remedy) {
        IOException failure = new IOException(reason);
        assertThat(IoReason.of("cannot write /x", failure))
                .startsWith("cannot write /x: " + reason)
                .contains(remedy);
        assertThat(ResourceFailure.of(new IllegalStateException(new UncheckedIOException(failure))))
                .hasValueSatisfying(
                        found -> assertThat(found).hasMessageContaining(reason).hasMessageContaining(remedy));
    }

    @Test
    void anErrorOfMemoryOrThreadsIsTheEnvironment() {
        assertThat(ResourceFailure.of(new OutOfMemoryError("unable to create native thread: possibly out of memory")))
                .hasValueSatisfying(found -> assertThat(found)
                        .hasMessageContaining("no thread can be started")
                        .hasMessageContaining("ulimit -u"));
        assertThatThrownBy(() ->
                        System.out.println(new long[Integer.MAX_VALUE][].length + new long[Integer.MAX_VALUE].length))
                .isInstanceOf(OutOfMemoryError.class)
                .satisfies(e -> assertThat(ResourceFailure.of(new IllegalStateException("while it ran", e)))
                        .hasValueSatisfying(found -> assertThat(found)
                                .hasMessageStartingWith("out of memory: ")
                                .hasMessageContaining("RANKFEED_JAVA_OPTS=-Xmx")));
        assertThat(ResourceFailure.of(new IllegalStateException("a bug"))).isEmpty();
        assertThat(ResourceFailure.of(new IOException("connection reset"))).isEmpty();
    }

    @Test
    void theKernelsLimitsAreRead() throws Exception {
        try (FileChannel self = FileChannel.open(Path.of("/proc/self/stat"), StandardOpenOption.READ)) {
            assertThat(self.isOpen()).isTrue();
        }
        Process shell = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -n 200; exec sed -n 's/^Max open files *\\([0-9]*\\) .*/\\1/p' /proc/$PPID/limits")
                .start();
        String own = new String(shell.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).strip();
        assertThat(ResourceLimit.OPEN_FILES.value()).hasValue(Long.parseLong(own));
        long limit = Long.parseLong(own);
        ResourceLimit.OPEN_FILES.require(limit, "a test needs");
        assertThatThrownBy(() -> ResourceLimit.OPEN_FILES.require(limit + 1, "a test needs"))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageStartingWith(String.format(
                        java.util.Locale.ROOT,
                        "a test needs %,d open files, but the limit is %,d (ulimit -n)",
                        limit + 1,
                        limit));
    }

    private static void listed(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            assertThat(files).isNotNull();
        }
    }

    private static void says(Operation operation, String what, String reason) {
        assertThatThrownBy(operation::run)
                .isInstanceOf(IOException.class)
                .satisfies(e -> assertThat(IoReason.of(what, e)).isEqualTo(what + ": " + reason));
    }
}
