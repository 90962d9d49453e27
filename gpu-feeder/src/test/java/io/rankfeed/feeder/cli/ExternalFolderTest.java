package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.console.LogLines;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.cache.References;
import io.rankfeed.feeder.explain.ExplainCommand;
import io.rankfeed.feeder.external.ExternalFiles;
import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.feeder.fixture.ImportedVersion;
import io.rankfeed.feeder.fixture.TestMixture;
import io.rankfeed.feeder.fixture.TestMixture.Written;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** A mixture of two versions over datasets: their files at other paths, and how many of them are mapped. */
class ExternalFolderTest {
    private static final int FILES = 6;

    @TempDir
    private Path dir;

    private TestMixture mixture;
    private Path pets;

    @BeforeEach
    void write() throws IOException {
        SortedMap<String, Written> members = new TreeMap<>();
        for (String name : List.of("pets", "cats")) {
            Path dataset = dir.resolve("data-" + name);
            for (int i = 0; i < FILES; i++) {
                Path file = dataset.resolve("c" + i % 2 + "/" + i + ".jpg");
                Files.createDirectories(file.getParent());
                Files.write(file, (name + " " + i).getBytes(StandardCharsets.UTF_8));
            }
            ImportedVersion version = ImportedVersion.write(dir, name, dataset, Set.of());
            members.put(
                    "of-" + name,
                    new Written(version.folder(), version.feed(), version.rows(ExternalFolderTest::unread)));
        }
        mixture = TestMixture.of(dir, members, Map.of(), new Random(5));
        pets = dir.resolve("data-pets");
    }

    private static Optional<byte[]> unread(int sample, Field field) {
        return Optional.empty();
    }

    private OpenOrder synced(Object... words) {
        FeedFlags flags = new FeedFlags();
        List<String> all =
                new ArrayList<>(List.of("--cache", dir.resolve("cache").toString(), "--progress", "none"));
        Stream.of(words).map(Object::toString).forEach(all::add);
        new CommandLine(flags).parseArgs(all.toArray(String[]::new));
        return new NodeFeed(flags, mixture.folder().toString()).sync(LogLines.text(System.out));
    }

    private static void map(OpenOrder opened) {
        opened.map("train", LaneSelection.all()).close();
    }

    @Test
    void filesOfAMember_atAnotherPath_areFedFromThere() throws IOException {
        Path moved = Files.move(pets, dir.resolve("elsewhere"));
        assertThatThrownBy(() -> map(synced()))
                .hasMessageContaining(pets + ": no such folder")
                .hasMessageContaining("feed with --external pets=PATH");

        map(synced("--external", "pets=" + moved));
        map(synced("--in-place", "--external", "pets=" + moved));

        // The option is of one feed: the copy has the stamps of the import.
        assertThatThrownBy(() -> map(synced())).hasMessageContaining(pets + ": no such folder");
    }

    @Test
    void filesWithOtherTimes_areRefused_untilTheirDigestsAreCompared() throws IOException {
        Path moved = Files.move(pets, dir.resolve("elsewhere"));
        Files.setLastModifiedTime(moved.resolve("c1/3.jpg"), FileTime.fromMillis(1_000_000_000_000L));
        String option = "pets=" + moved;
        OpenOrder opened = synced("--external", option);
        Path copy = opened.versions().stream()
                .filter(version -> version.manifest().dataset().equals("pets"))
                .findFirst()
                .orElseThrow()
                .folder();

        assertThatThrownBy(() -> map(opened))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(moved + "/c1/3.jpg: was modified at")
                .hasMessageContaining("run rankfeed verify " + copy + " --external " + option);

        CommandRun verified = CommandRun.of(new VerifyCommand(), copy, "--external", option, "--progress", "none");
        assertThat(verified.exitCode()).as(verified.err()).isZero();
        map(synced("--external", option));
        map(synced());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dogs=. | --external dogs: no imported version of this dataset is read; there are cats, pets",
                "pets=nowhere | nowhere: no such folder; give the folder of the files of the dataset with --external pets=PATH",
                "pets | --external pets: not NAME=PATH",
                "pets= | --external pets=: not NAME=PATH",
                "=/ | --external =/: not NAME=PATH"
            })
    void otherNames_andMissingFolders_areConfigurationErrors(String option, String message) throws IOException {
        for (String more : List.of("--dry-run", "--in-place")) {
            refused(message, new FeedCommand(), mixture.folder(), more, "--external", option);
        }
        refused(message, new ExplainCommand(), mixture.folder(), "--step", 0, "--external", option);
        Path feed = Files.writeString(dir.resolve("feed.yaml"), "feeds: {}\n");
        refused(message, new PreviewCommand(), mixture.folder(), "--config", feed, "--external", option);
    }

    private static void refused(String message, Callable<Integer> command, Object... words) {
        CommandRun run = CommandRun.of(command, words);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(message);
    }

    @Test
    void aDatasetInTwoFolders_isAConfigurationError() {
        Object[] twice = {mixture.folder(), "--dry-run", "--external", "pets=" + pets, "--external", "pets=" + dir};
        refused("--external pets: given twice", new FeedCommand(), twice);
    }

    @Test
    void explain_ofFilesAtAnotherPath_listsTheSameRows() throws IOException {
        Object[] words = {mixture.folder(), "--step", 0};
        CommandRun before = CommandRun.of(new ExplainCommand(), words);
        assertThat(before.exitCode()).as(before.err()).isZero();
        Path moved = Files.move(pets, dir.resolve("elsewhere"));

        assertThat(CommandRun.of(new ExplainCommand(), words).exitCode()).isNotZero();

        CommandRun after =
                CommandRun.of(new ExplainCommand(), mixture.folder(), "--step", 0, "--external", "pets=" + moved);
        assertThat(after.exitCode()).as(after.err()).isZero();
        assertThat(after.out()).isEqualTo(before.out());
    }

    /** A feeder serves one version or mixture, and either has one feed over files: the limit is that of the feeder. */
    @Test
    void filesOfAllMembers_haveOneLimit_andTheOthersAreClosedAfterEachRead() throws IOException {
        OpenOrder opened = synced();
        assertThat(ExternalFiles.MAX_MAPPED).isLessThan(65_530 / 2);
        for (int maxMapped : List.of(2 * FILES, 2 * FILES - 1, FILES - 1)) {
            try (LaneCache cache = opened.map("train", LaneSelection.all(), maxMapped)) {
                readAll(cache, 0);
                readAll(cache, 1);

                assertThat(mapped()).isEqualTo(maxMapped - maxMapped % FILES);
                assertThat(open()).isZero();
            }
            assertThat(mapped()).isZero();
        }
    }

    private void readAll(LaneCache cache, int member) {
        References images = Objects.requireNonNull(cache.references("image", 0));
        for (int lane = 0; lane < 2; lane++) {
            for (int row = 0; row < FILES / 2; row++) {
                images.bytes(cache.firstBlock(member, lane), row);
            }
        }
    }

    private long mapped() throws IOException {
        try (Stream<String> regions = Files.lines(Path.of("/proc/self/maps"))) {
            return regions.filter(region -> region.contains(dir + "/data-")).count();
        }
    }

    private long open() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(this::isInDataset).count();
        }
    }

    private boolean isInDataset(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).startsWith(dir)
                    && Files.readSymbolicLink(descriptor).toString().contains("/data-");
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }
}
