package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.console.ProgressStyle;
import io.rankfeed.feeder.cache.ArtifactFolder;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.explain.ExplainCommand;
import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.feeder.remote.VersionLocation;
import io.rankfeed.feeder.sync.SyncRequest;
import io.rankfeed.feeder.sync.SyncStep;
import io.rankfeed.feeder.sync.VersionSync;
import io.rankfeed.look.InspectCommand;
import io.rankfeed.look.SimulateCommand;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes values of the golden version's manifest: every command refuses it, and nothing is copied. */
class ManifestDamageTest {
    private static final Path GOLDEN = Path.of("../schema/src/test/resources/golden/version");
    private static final long SEED = 11;
    /** Finds the scalar of a line; a canonical file has at most one on each line. */
    private static final Pattern SCALAR = Pattern.compile("( *(?:\"[^\"]*\": )?)(\".*\"|-?[0-9]+|true|false|null)(,?)");

    @TempDir
    private Path dir;

    private Path version;
    private List<String> lines;

    @BeforeEach
    void copy() throws IOException {
        version = dir.resolve("version");
        try (Stream<Path> files = Files.walk(GOLDEN)) {
            for (Path file : files.toList()) {
                Path target = version.resolve(GOLDEN.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
        lines = Files.readAllLines(version.resolve("manifest.json"));
    }

    @Test
    void manifest_changedScalar_isRefused() throws IOException {
        List<List<String>> changed = changed();
        assertThat(changed).hasSizeGreaterThan(60);
        for (List<String> manifest : changed) {
            Files.write(version.resolve("manifest.json"), manifest);
            refused(new VerifyCommand());
            refused(new FeedCommand(), "--dry-run");
            for (SyncRequest.Mode mode : SyncRequest.Mode.values()) {
                assertThatThrownBy(() -> sync(mode))
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining("manifest.json");
            }
        }
        assertThat(dir.resolve("cache")).doesNotExist();
        Files.write(version.resolve("manifest.json"), lines);
        assertThat(CommandRun.of(new VerifyCommand(), version).exitCode()).isZero();
        assertThat(sync(SyncRequest.Mode.COPY)).exists();
    }

    @Test
    void manifest_otherCommands_useTheSameReader() throws IOException {
        List<List<String>> changed = changed();
        Random random = new Random(SEED);
        for (Object command : List.of(
                new InspectCommand(VersionLocation::store),
                new SimulateCommand(VersionLocation::store, new NodeParts()))) {
            Files.write(version.resolve("manifest.json"), changed.get(random.nextInt(changed.size())));
            refused(command);
        }
        Files.write(version.resolve("manifest.json"), changed.get(random.nextInt(changed.size())));
        refused(new ExplainCommand(), "--step", "0");
        Path feeds = Files.writeString(dir.resolve("feeds.yaml"), "feeds: {train: {columns: [{name: label}]}}\n");
        refused(new PreviewCommand(), "--step", "0", "--config", feeds.toString());
    }

    @Test
    void cachedManifest_changed_isReplaced() throws IOException {
        Path copy = sync(SyncRequest.Mode.COPY);
        Files.write(copy.resolve("manifest.json"), changed().get(3));

        CommandRun verified = CommandRun.of(new VerifyCommand(), copy);
        assertThat(verified.exitCode()).isEqualTo(3);
        assertThat(sync(SyncRequest.Mode.COPY)).isEqualTo(copy);
        assertThat(copy.resolve("manifest.json")).hasSameBinaryContentAs(GOLDEN.resolve("manifest.json"));
    }

    private void refused(Object command, String... more) {
        List<Object> words = new ArrayList<>(List.of(version));
        words.addAll(List.of(more));
        CommandRun run = CommandRun.of(command, words.toArray());
        assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
        assertThat(run.err()).contains(version.resolve("manifest.json").toString());
    }

    private Path sync(SyncRequest.Mode mode) {
        return VersionSync.run(new SyncRequest(
                ArtifactFolder.at(version),
                dir.resolve("cache"),
                LaneSelection.all(),
                mode,
                1,
                event -> {},
                ProgressStyle.NONE,
                SyncStep.Listener.NONE));
    }

    /** Returns the manifest once for each of its scalars, with another value of its kind. */
    private List<List<String>> changed() {
        List<List<String>> all = new ArrayList<>();
        for (int line = 0; line < lines.size(); line++) {
            Matcher scalar = SCALAR.matcher(lines.get(line));
            if (scalar.matches()) {
                List<String> manifest = new ArrayList<>(lines);
                manifest.set(line, scalar.group(1) + other(scalar.group(2)) + scalar.group(3));
                all.add(manifest);
            }
        }
        return all;
    }

    private static String other(String value) {
        return switch (value) {
            case "true" -> "false";
            case "false" -> "true";
            case "null" -> "3";
            case "\"\"" -> "\"x\"";
            default -> {
                if (!value.startsWith("\"")) {
                    yield Long.toString(Long.parseLong(value) + 1);
                }
                char last = value.charAt(value.length() - 2);
                yield value.substring(0, value.length() - 2) + (last == '5' ? '6' : '5') + "\"";
            }
        };
    }
}
