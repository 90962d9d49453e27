package io.rankfeed.export.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.json.JsonLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ArtifactAttemptTest {
    private static final byte[] FILE = "twenty bytes of data".getBytes(StandardCharsets.UTF_8);
    private static final byte[] MANIFEST = "\"and a manifest\"".getBytes(StandardCharsets.UTF_8);

    @Test
    void aManifestThatNoReaderTakesIsNotCommitted(@TempDir java.nio.file.Path root) {
        ArtifactAttempt attempt = new ArtifactAttempt(new Path(root.resolve("a").toUri()), new Configuration(), "app");
        assertThatThrownBy(() -> attempt.made(
                        () -> {
                            attempt.commit(List.of(), new byte[(int) JsonLimits.SERVED.maxBytes() + 1]);
                            return "made";
                        },
                        Optional::empty))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("prepare.block or export.shard-rows");
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void diskFull_atAnyByte_leavesNoManifestAndNextAttemptCommits(@TempDir java.nio.file.Path root) throws IOException {
        int wholeBytes = 2 * FILE.length + MANIFEST.length;
        int failures = 0;
        // The claim's bytes come before those of the files.
        for (int free = 0; failures == free; free++) {
            java.nio.file.Path folder = root.resolve("full-" + free);
            FaultyFs.FREE_BYTES.set(free);
            try {
                assertThat(made(folder)).isEqualTo("made");
            } catch (EnvironmentException e) {
                failures++;
                assertThat(e).hasMessageContaining("No space left on device");
                assertThat(folder.resolve("manifest.json")).doesNotExist();
            } finally {
                FaultyFs.heal();
            }
            assertThat(made(folder)).isIn("made", "there");
            assertThat(names(folder)).containsExactly("a.bin", "b.bin", "manifest.json");
        }
        assertThat(failures).isGreaterThanOrEqualTo(wholeBytes);
    }

    @ParameterizedTest
    @EnumSource(
            value = FaultyFs.Rename.class,
            names = {"UNANSWERED", "REFUSED_AT_FIRST"})
    void rename_refusedOrWithoutAnswer_isRetriedToACommit(FaultyFs.Rename kind, @TempDir java.nio.file.Path root)
            throws IOException {
        FaultyFs.rename = kind;
        try {
            assertThat(made(root.resolve("a"))).isEqualTo("made");
        } finally {
            FaultyFs.heal();
        }
        assertThat(names(root.resolve("a"))).containsExactly("a.bin", "b.bin", "manifest.json");
        assertThat(root.resolve("a/manifest.json")).hasBinaryContent(MANIFEST);
    }

    @Test
    void oneThatIsAlwaysRefusedIsACleanFailure(@TempDir java.nio.file.Path root) {
        FaultyFs.rename = FaultyFs.Rename.NEVER;
        try {
            assertThatThrownBy(() -> made(root.resolve("a")))
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContaining("refused to rename");
        } finally {
            FaultyFs.heal();
        }
        assertThat(root.resolve("a/manifest.json")).doesNotExist();
    }

    private static String made(java.nio.file.Path folder) {
        ArtifactAttempt attempt = new ArtifactAttempt(new Path("faulty:" + folder), FaultyFs.conf(), "app");
        return attempt.made(
                () -> {
                    List<WrittenFile> files = List.of(written(attempt, "a.bin"), written(attempt, "b.bin"));
                    attempt.commit(files, MANIFEST);
                    return "made";
                },
                () -> attempt.manifest().map(manifest -> "there"));
    }

    private static WrittenFile written(ArtifactAttempt attempt, String name) {
        try (StagedFile file = attempt.stage(name)) {
            file.stream().write(FILE);
            return file.publish(1);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + name + ": " + e.getMessage(), e);
        }
    }

    private static List<String> names(java.nio.file.Path folder) throws IOException {
        try (Stream<java.nio.file.Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
