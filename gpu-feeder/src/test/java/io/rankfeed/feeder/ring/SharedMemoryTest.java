package io.rankfeed.feeder.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedMemoryTest {
    @TempDir
    private Path folder;

    @Test
    void sweepsTheSegmentsOfItsOwnRendezvousAndNothingElse() throws IOException {
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
    void readsTheNamesThatItWrites() {
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
