package io.rankfeed.feeder.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.console.LogLines;
import io.rankfeed.console.ProgressStyle;
import io.rankfeed.feeder.cache.ArtifactFolder;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.fixture.RandomVersions;
import io.rankfeed.feeder.fixture.RowValues;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.schema.order.Feed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that needs some feeds of a version copies their lanes alone. */
class FeedSyncTest {
    @TempDir
    private Path dir;

    private Path sync(Path version, LaneSelection lanes) {
        return VersionSync.run(new SyncRequest(
                ArtifactFolder.at(version),
                dir.resolve("cache"),
                lanes,
                SyncRequest.Mode.COPY,
                2,
                LogLines.text(System.out),
                ProgressStyle.NONE,
                SyncStep.Listener.NONE));
    }

    /** The feeds that have a folder of lanes. */
    private static List<String> feeds(Path version) throws IOException {
        try (Stream<Path> folders = Files.list(version.resolve("lanes"))) {
            return folders.map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void sync_feeds_copiesOnlyTheirLanes() throws IOException {
        Random random = new Random(4);
        RowValues values = new RowValues(RandomVersions.schema(random), 4, 9);
        TestVersion version = TestVersion.write(dir, RandomVersions.order(random), values);
        List<String> all = version.order().feeds().stream().map(Feed::name).toList();
        assertThat(all).hasSizeGreaterThan(1);

        Path copy = sync(version.folder(), new LaneSelection(List.of(0), 1, Set.of(all.getFirst())));
        assertThat(feeds(copy)).containsExactly(all.getFirst());
        assertThat(feeds(sync(version.folder(), LaneSelection.all()))).isEqualTo(all);
    }
}
