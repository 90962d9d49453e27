package io.rankfeed.feeder.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedMemoryTest {
    @TempDir
    private Path folder;

    @Test
    void sweep_removesOnlyItsRendezvous() throws IOException {
        int uid = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        String hash = SegmentName.hashOf(Path.of("/tmp/rankfeed-0/mine"));
        Path old = file(new SegmentName(uid, hash, 3, "valid-2", 71, 9).fileName());
        Path other = file(
                new SegmentName(uid, SegmentName.hashOf(Path.of("/tmp/rankfeed-0/theirs")), 3, "a", 7, 9).fileName());
        Path foreign = file("rankfeed-" + uid + "-" + hash + "-notes.txt");
        Path victim = file("victim");
        Path link = Files.createSymbolicLink(
                folder.resolve(new SegmentName(uid, hash, 4, "train", 71, 9).fileName()), victim);
        assertThat(new SharedMemory(folder).sweep(uid, hash)).isEqualTo(1);
        assertThat(old).doesNotExist();
        assertThat(List.of(other, foreign, victim, link)).allMatch(Files::exists);
    }

    @Test
    void sweepOrphans_keepsNewLockedAndLiveSegments() throws Exception {
        int uid = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        long dead = ended.pid();
        Path orphan = old(segment(uid, "5de03bf3", dead, 1));
        Path fresh = segment(uid, "5de03bf3", dead, 2);
        Path live = old(segment(uid, "5de03bf3", ProcessHandle.current().pid(), 3));
        Path foreign = old(segment(uid + 1, "5de03bf3", dead, 4));
        Path locked = old(segment(uid, "5de03bf3", dead, 5));
        Path other = old(file("rankfeed-" + uid + "-notes.txt"));
        try (FileChannel channel = FileChannel.open(locked, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            assertThat(new SharedMemory(folder).sweepOrphans(uid)).isEqualTo(1);
            assertThat(lock.isValid()).isTrue();
        }
        assertThat(orphan).doesNotExist();
        assertThat(List.of(fresh, live, foreign, locked, other)).allMatch(Files::exists);
    }

    private Path segment(int uid, String hash, long pid, long generation) throws IOException {
        return file(new SegmentName(uid, hash, 0, "train", pid, generation).fileName());
    }

    private static Path old(Path file) throws IOException {
        return Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofMinutes(2))));
    }

    @Test
    void segmentName_written_isReadBack() {
        for (String feed : List.of("train", "t-1", "a_b-2-3")) {
            SegmentName name = new SegmentName(1000, "00c0ffee", 12, feed, 4_194_304, 1L << 40);
            assertThat(SegmentName.parse(name.fileName())).contains(name);
        }
        assertThat(SegmentName.parse("rankfeed-1000-00c0ffee-r12-train-x-1")).isEmpty();
        assertThat(SegmentName.parse("rankfeed-1000-00C0FFEE-r12-train-7-1")).isEmpty();
    }

    private Path file(String name) throws IOException {
        return Files.writeString(folder.resolve(name), "x");
    }
}
