package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.console.LogLines;
import io.rankfeed.console.ProgressStyle;
import io.rankfeed.feeder.cache.ArtifactFolder;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.feeder.fixture.RandomVersions;
import io.rankfeed.feeder.fixture.RowValues;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.feeder.sync.SyncRequest;
import io.rankfeed.feeder.sync.SyncStep;
import io.rankfeed.feeder.sync.VersionSync;
import io.rankfeed.schema.order.Feed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rankfeed verify} of a node's copy: the lanes that feeders copied must be there, and the others are listed. */
class NodeCopyVerifyTest {
    private static final String FEED = "train";

    @TempDir
    private Path dir;

    private Path version;
    private Path copy;
    private Path lane;
    private int lanes;

    /** Copies one lane of one feed. */
    @BeforeEach
    void write() throws IOException {
        Random random = new Random(4);
        RowValues values = new RowValues(RandomVersions.schema(random), 4, 9);
        TestVersion written = TestVersion.write(dir, RandomVersions.order(random), values);
        assertThat(written.order().feeds()).extracting(Feed::name).containsExactly(FEED, "valid");
        version = written.folder();
        lanes = written.order().feed(FEED).orElseThrow().lanes();
        copy = sync(new LaneSelection(List.of(0), lanes, Set.of(FEED)));
        lane = copy.resolve(TestVersion.path(FEED, 0, 0));
    }

    private Path sync(LaneSelection wanted) {
        return VersionSync.run(new SyncRequest(
                ArtifactFolder.at(version),
                dir.resolve("cache"),
                wanted,
                SyncRequest.Mode.COPY,
                2,
                LogLines.text(System.out),
                ProgressStyle.NONE,
                SyncStep.Listener.NONE));
    }

    private CommandRun verify(Object... more) {
        Object[] words = new Object[more.length + 3];
        words[0] = copy;
        words[1] = "--progress";
        words[2] = "none";
        System.arraycopy(more, 0, words, 3, more.length);
        return CommandRun.of(new VerifyCommand(), words);
    }

    @Test
    void lanes_neverCopied_areListedAndNotDamage() {
        CommandRun run = verify();
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .hasLineCount(2)
                .startsWith("copy of a node, without lanes 1")
                .contains(" of feed 'train' and lanes 0-")
                .contains(" of feed 'valid', which it never copied\n")
                .contains("intact");

        sync(LaneSelection.all());
        assertThat(verify().out()).hasLineCount(1).contains("intact");
    }

    @Test
    void lane_thatWasCopied_mustBeThere() throws IOException {
        Files.move(lane, dir.resolve("elsewhere"));
        CommandRun run = verify();
        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).hasLineCount(1).contains(lane.toString()).contains("missing");

        Files.createSymbolicLink(lane, dir.resolve("elsewhere"));
        assertThat(verify().err()).contains(lane.toString()).contains("link");
    }

    @Test
    void lane_corrupted_isNamed() throws IOException {
        byte[] bytes = Files.readAllBytes(lane);
        bytes[bytes.length / 2] ^= 1;
        Files.write(lane, bytes);
        CommandRun run = verify();
        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).hasLineCount(1).contains(lane.toString());
    }

    @Test
    void ranks_whoseLanesAreMissing_areDamage() {
        assertThat(verify("--ranks", 0, "--world", lanes).exitCode()).isZero();
        CommandRun run = verify("--ranks", lanes - 1, "--world", lanes);
        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains(TestVersion.path(FEED, lanes - 1, 0)).doesNotContain("/valid/");
    }

    @Test
    void copy_withoutTheLogOfItsSyncs_mustHaveAllFiles() throws IOException {
        Files.delete(copy.resolve("_verified"));
        assertThat(verify().exitCode()).isEqualTo(3);
    }

    @Test
    void damagedLine_ofTheLog_doesNotHideAMissingLane() throws IOException {
        Path log = copy.resolve("_verified");
        Files.writeString(log, Files.readString(log).replaceAll("(?m)^[0-9]+ ", "x "));
        Files.delete(lane);
        assertThat(verify().exitCode()).isEqualTo(3);
    }
}
