package io.rankfeed.feeder.importing;

import static io.rankfeed.feeder.importing.ImportFixture.FOREIGN;
import static io.rankfeed.feeder.importing.ImportFixture.contents;
import static io.rankfeed.feeder.importing.ImportFixture.copy;
import static io.rankfeed.feeder.importing.ImportFixture.imported;
import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.feeder.remote.VersionLocation;
import io.rankfeed.importing.write.WritePoints;
import io.rankfeed.look.InspectCommand;
import io.rankfeed.schema.manifest.Manifest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a kill leaves after each file that an import writes. */
class KilledImportTest {
    @TempDir
    private Path folder;

    private final List<String> points = new ArrayList<>();

    /** A copy of the root is what a process leaves that is killed at this point. */
    private synchronized void snapshot(String point) {
        try {
            copy(folder.resolve("root"), folder.resolve("killed-" + points.size()));
            points.add(point);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void import_killedAnywhere_leavesNothingOrTheVersion_andIsRepeated() throws IOException {
        Object[] options = {"--lanes", 4, "--strata", "cls"};
        WritePoints.watch(this::snapshot);
        try {
            imported(FOREIGN.resolve("webdataset"), folder.resolve("root"), options);
        } finally {
            WritePoints.watch(null);
        }
        Map<String, String> whole = contents(folder.resolve("root"));
        assertThat(points)
                .contains("file", "before-rename", "after-rename", "after-order")
                .contains("after-run", "after-commit")
                .hasSizeGreaterThan(7);
        for (int i = 0; i < points.size(); i++) {
            Path killed = folder.resolve("killed-" + i);
            CommandRun inspected =
                    CommandRun.of(new InspectCommand(VersionLocation::store), killed.resolve("pets"), "--json");
            assertThat(inspected.exitCode())
                    .as("%s: %s", points.get(i), inspected.err())
                    .isIn(0, 2);
            assertThat(inspected.out()).as(points.get(i)).doesNotContain("unfinished", "damaged", "_attempt");
            contents(killed).forEach((path, content) -> {
                if (path.endsWith(Manifest.FILE_NAME) && !path.contains("_attempt-")) {
                    assertThat(content).isEqualTo(whole.get(path));
                }
            });

            imported(FOREIGN.resolve("webdataset"), killed, options);

            assertThat(contents(killed)).as(points.get(i)).isEqualTo(whole);
        }
    }

    /** A folder without a manifest, as a removal that was killed leaves it. */
    @Test
    void incompleteFolder_isReplaced() throws IOException {
        Path root = folder.resolve("root");
        Path version = imported(FOREIGN.resolve("images"), root);
        Map<String, String> whole = contents(root);
        Files.delete(version.resolve(Manifest.FILE_NAME));
        Files.writeString(version.resolve("more"), "");

        imported(FOREIGN.resolve("images"), root);

        assertThat(contents(root)).isEqualTo(whole);
    }
}
