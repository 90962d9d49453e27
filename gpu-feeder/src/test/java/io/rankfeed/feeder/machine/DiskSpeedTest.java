package io.rankfeed.feeder.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskSpeedTest {
    @TempDir
    private Path folder;

    @Test
    void measure_leftoverOfAnEndedProcess_isDeletedAndNoOtherFile() throws IOException, InterruptedException {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        Path leftover = Files.createFile(folder.resolve(".rankfeed-doctor-" + ended.pid()));
        Path other = Files.createFile(folder.resolve(".rankfeed-doctor-1"));
        DiskSpeed.measure(folder);
        assertThat(leftover).doesNotExist();
        assertThat(folder).isDirectoryContaining(other::equals).isDirectoryNotContaining(file -> !file.equals(other));
    }

    @Test
    void measure_whileItRuns_hasItsFileDeletedAlready() throws IOException {
        FutureTask<OptionalDouble> measuring = new FutureTask<>(() -> DiskSpeed.measure(folder));
        Thread.ofPlatform().start(measuring);
        boolean isDeleted = false;
        while (!measuring.isDone() && !isDeleted) {
            try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
                isDeleted = open.anyMatch(DiskSpeedTest::isDeletedFile);
            }
        }
        assertThat(isDeleted || measuring.resultNow().isEmpty()).isTrue();
        assertThat(measuring).succeedsWithin(Duration.ofMinutes(2));
    }

    private static boolean isDeletedFile(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.contains(".rankfeed-doctor-") && target.endsWith(" (deleted)");
        } catch (IOException e) {
            return false;
        }
    }
}
