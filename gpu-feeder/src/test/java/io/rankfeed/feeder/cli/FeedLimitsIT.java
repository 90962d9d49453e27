package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs feeders with low limits, on full disks and in folders of other users: exit code 4 with a remedy. */
@Timeout(300)
class FeedLimitsIT {
    private static final Pattern NEED =
            Pattern.compile("needs ([0-9,]+) open files, but the limit is ([0-9,]+) \\(ulimit -n\\)");
    private static final int ANOTHER_USER = 64321;

    @TempDir
    private Path folder;

    @Test
    void openFiles_lowLimit_isRefusedBeforeSync() throws Exception {
        int need;
        try (FeederChild few = feed(List.of("prlimit", "--nofile=64"), "--world", "2")) {
            assertThat(few.exitCode()).as(few.log()).isEqualTo(4);
            Matcher said = NEED.matcher(few.log());
            assertThat(said.find()).as(few.log()).isTrue();
            assertThat(said.group(2)).isEqualTo("64");
            assertThat(few.log())
                    .contains("'ulimit -n " + said.group(1) + "'", "ranks: 2, feeds: 2")
                    .doesNotContain("bug");
            assertThat(folder.resolve("cache")).doesNotExist();
            need = Integer.parseInt(said.group(1).replace(",", ""));
        }
        try (FeederChild fewer = feed(List.of("prlimit", "--nofile=" + (need - 1)), "--world", "2")) {
            assertThat(fewer.exitCode()).as(fewer.log()).isEqualTo(4);
        }
        try (FeederChild enough = feed(List.of("prlimit", "--nofile=" + need), "--world", "2")) {
            enough.until("serving", () -> Files.exists(enough.rendezvous("a").resolve("feeder.json")));
        }
    }

    @Test
    void threads_lowLimit_isEnvironmentError() throws Exception {
        List<String> limited = new ArrayList<>(List.of("prlimit", "--nproc=60"));
        limited.addAll(asAnotherUser());
        open();
        try (FeederChild few = feedCopies(limited, "--workers", "200")) {
            assertThat(few.exitCode()).as(few.log()).isEqualTo(4);
            assertThat(few.log())
                    .contains("no thread can be started", "the limit is 60 (ulimit -u)", "'ulimit -u ")
                    .doesNotContain("this is a bug");
        }
    }

    @Test
    void cache_otherUser_isMissingPermission() throws Exception {
        open();
        Path cache = Files.createDirectories(folder.resolve("cache"));
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("r-xr-xr-x"));
        try (FeederChild refused = feedCopies(asAnotherUser())) {
            assertThat(refused.exitCode()).as(refused.log()).isEqualTo(4);
            assertThat(refused.log())
                    .contains(
                            "cannot sync to " + cache.resolve("rankfeed"),
                            "permission denied",
                            "--cache names another");
        }
    }

    @Test
    void disk_full_isNamedWithFreeBytes() throws Exception {
        Path small = Files.createDirectories(folder.resolve("small"));
        String mount = "mount -t tmpfs -o size=16k tmpfs " + small + " && mkdir " + small
                + "/r && head -c 16384 /dev/zero > " + small + "/fill 2>/dev/null; exec \"$@\"";
        List<String> mounted = List.of("unshare", "--mount", "--map-root-user", "sh", "-c", mount, "sh");
        Assumptions.assumeTrue(new ProcessBuilder("unshare", "--mount", "--map-root-user", "true")
                        .start()
                        .waitFor()
                == 0);
        Path report = small.resolve("r/feeder.json");
        try (FeederChild full = feed(mounted, "--report", report.toString())) {
            assertThat(full.exitCode()).as(full.log()).isEqualTo(4);
            assertThat(full.log())
                    .contains(
                            report.toString(),
                            "No space left on device",
                            "0 bytes are free in the file system of " + small);
        }
    }

    private FeederChild feed(List<String> before, String... more) throws IOException {
        return feed(before, System.getProperty("java.class.path"), FeederChild.GOLDEN, more);
    }

    /** Starts a feeder on copies that any user can read. */
    private FeederChild feedCopies(List<String> before, String... more) throws IOException {
        Path jar = Files.copy(Path.of("target/rankfeed-gpu-feeder.jar"), folder.resolve("feeder.jar"));
        Path version = folder.resolve("version");
        try (Stream<Path> files = Files.walk(FeederChild.GOLDEN)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(
                        file,
                        version.resolve(FeederChild.GOLDEN.relativize(file).toString()));
            }
        }
        return feed(before, jar.toString(), version, more);
    }

    private FeederChild feed(List<String> before, String classPath, Path version, String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of("feed", version.toString(), "--run", "a"));
        words.addAll(List.of(more));
        return FeederChild.startBehind(before, classPath, folder, folder, words.toArray(String[]::new));
    }

    /** Returns a command prefix for another user, as limits of threads and permissions do not apply to root. */
    private static List<String> asAnotherUser() throws IOException {
        boolean isRoot = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
        return isRoot
                ? List.of("setpriv", "--reuid=" + ANOTHER_USER, "--regid=" + ANOTHER_USER, "--clear-groups")
                : List.of();
    }

    /** Gives the other user access to the test's folder, for runs and segments. */
    private void open() throws IOException {
        for (Path path : List.of(
                folder,
                Files.createDirectories(folder.resolve("run")),
                Files.createDirectories(folder.resolve("shm")))) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
    }
}
