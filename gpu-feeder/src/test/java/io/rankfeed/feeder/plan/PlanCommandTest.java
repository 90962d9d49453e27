package io.rankfeed.feeder.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.job.plan.CountedStratum;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.TrainFeed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanCommandTest {
    private static final String SIZES = "batch: 8, lanes: 4, rows: 40, epochs: 2, seed: 1";
    private static final String STAGES =
            SIZES + ", strata: [{column: level}], stages: [{until: 0.5, weights: {low: 1}},"
                    + " {weights: {low: 1, high: 1}}]";

    @TempDir
    private Path root;

    private PlannableVersion version;

    @BeforeEach
    void export() throws IOException {
        version = PlannableVersion.write(root, STAGES, PlannableVersion.LEVELS);
    }

    @Test
    void plan_isFoundByNameIdAndPath() throws IOException {
        String id = planned("--set", "seed=7", "--name", "mine");
        Path folder = version.orders().resolve(id);
        for (String words : List.of(
                "mine",
                id,
                folder.toString(),
                folder + "/",
                folder.resolve(Order.FILE_NAME).toString(),
                version.orders().resolve("mine.json").toString())) {
            Order order = opened(words).order();
            assertThat(order.plan()).as(words).isEqualTo(id);
            assertThat(((TrainFeed) order.feeds().getFirst()).seed()).isEqualTo(7);
        }
        try (Stream<Path> files = Files.list(version.orders())) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder(id, "mine.json");
        }
    }

    @Test
    void version_namedByFileAddress_isPlannedNextToIt() throws IOException {
        CommandRun run =
                CommandRun.of(new PlanCommand(), "file://" + version.folder(), "--set", "seed=7", "--name", "mine");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(version.orders().resolve("mine.json")).exists();
    }

    /** A restarted feeder finds the plan of its run, whatever its name means by then. */
    @Test
    void pinnedPlan_staysTheSame_whenItsNameIsGivenToAnother() throws IOException {
        String id = planned("--set", "seed=7", "--name", "mine");
        String file = version.orders().resolve("mine.json").toString();
        List<String> pinned = Stream.of(
                        "mine", id, file, version.orders().resolve(id).toString())
                .map(words -> PlanOption.pinned(words, version.folder().toString(), id))
                .toList();
        Files.delete(Path.of(file));
        String other = planned("--set", "seed=8", "--name", "mine");
        assertThat(opened("mine").order().plan()).isEqualTo(other).isNotEqualTo(id);
        assertThat(pinned)
                .hasSize(4)
                .allSatisfy(words -> assertThat(opened(words).order().plan()).isEqualTo(id));
    }

    @Test
    void pinnedPlan_ofAnotherFolder_isItsFolderOrFile() throws IOException {
        Path out = root.resolve("out");
        String id = planned("--set", "seed=7", "--name", "mine", "--out", out.toString());
        String folder = version.folder().toString();
        assertThat(PlanOption.pinned(out + "/mine.json", folder, id)).isEqualTo(out + "/" + id);
        Path copy = Files.copy(out.resolve(id).resolve(Order.FILE_NAME), root.resolve("my-order.json"));
        assertThat(PlanOption.pinned(copy.toString(), folder, id)).isEqualTo(copy.toString());
    }

    @Test
    void emptyFolder_isRefused() {
        assertRefused("--out: is empty; name a folder, or leave it out", "--set", "seed=7", "--out", "");
        assertRefused("--out hdfs:/nn/x: is an address", "--set", "seed=7", "--out", "hdfs://nn/x");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "floors={low: 0.1} | floors: no stratum of feed 'train' has a share, because these keys replace all"
                        + " shares of the version's own plan; add weights, balance, margins or stages",
                "weights={}        | weights: no stratum of feed 'train' has a share",
                "stages=[]         | or proportional: [level] for the shares of stored rows",
                "weights.low=2     | weights.low: the version's own plan has stages, which have weights of their own;"
                        + " write stages[0].weights.low for the first stage",
                "batch=512         | batch: 512 is more than the 40 rows that an epoch has in the version's own plan;"
                        + " lower the batch, or set rows, too",
                "seed=--- 5        | --set seed: a value must not begin with ---",
                "epohcs=3          | did you mean 'epochs'",
                "where=a > 1       | where chooses rows of a table"
            })
    void change_invalid_isNamed(String change, String message) {
        assertRefused(message, "--set", change);
    }

    @Test
    void singleStep_isCountedAsOne() {
        assertRefused(
                "stage 0 would end before step 5, but the run has 1 step (1 epoch of 1)",
                "--set",
                "batch=40",
                "--set",
                "epochs=1",
                "--set",
                "stages=[{until-step: 5, weights: {low: 1}}, {weights: {low: 1}}]");
    }

    @Test
    void change_ofOneStage_keepsTheOthers() throws IOException {
        String id = planned("--set", "stages[0].weights.low=3", "--set", "stages[0].weights.high=1");
        TrainFeed feed = (TrainFeed) opened(id).order().feeds().getFirst();
        assertThat(feed.segments().getFirst().quotas()).containsExactly(3L, 7L);
        assertThat(feed.segments().getLast().quotas()).containsExactly(5L, 5L);
    }

    @Test
    void rows_areSetWithALargerBatch() throws IOException {
        String id = planned("--set", "batch=64", "--set", "rows=64", "--set", "on-shortage=repeat");
        assertThat(opened(id).order().feeds().getFirst().batch()).isEqualTo(64);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"weights={all: 1} | weights", "balance=[level] | balance", "floors.all=1 | floors"})
    void sharesOfASingleStratum_areRefused(String change, String key) throws IOException {
        version =
                PlannableVersion.write(root.resolve("one"), SIZES, List.of(new CountedStratum("all", List.of(), 100)));
        assertRefused(
                key + ": the version stores feed 'train' as one stratum, which has all rows; leave this key out",
                "--set",
                change);
    }

    private OpenVersion opened(String words) {
        return PlanOption.open(OpenVersion.folderAt(version.folder()), Optional.of(words));
    }

    private String planned(String... words) {
        CommandRun run =
                run(Stream.concat(Stream.of(words), Stream.of("--json")).toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isZero();
        return StrictJson.parse(run.out().getBytes(StandardCharsets.UTF_8), "answer")
                .path("plan")
                .asText();
    }

    private void assertRefused(String message, String... words) {
        CommandRun run = run(words);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(message);
        assertThat(version.orders()).doesNotExist();
    }

    private CommandRun run(String... words) {
        List<Object> all = new ArrayList<>(List.of(version.folder()));
        all.addAll(Arrays.asList(words));
        return CommandRun.of(new PlanCommand(), all.toArray());
    }
}
