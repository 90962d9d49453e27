package io.rankfeed.feeder.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.feeder.batch.RankOrder;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.cli.VerifyCommand;
import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.schema.config.ConfigJson;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Contents;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.run.RunName;
import io.rankfeed.schema.run.VersionCommit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The golden version whose id does not cover its order, and the golden version of format 1 with the same lanes. */
class DefaultOrderVersionTest {
    private static final Path GOLDEN = Path.of("../schema/src/test/resources/golden");
    private static final String VERSION = "versions/a46aef0157b1abee";
    private static final String ORDER = "ed3322a593a243bf";

    @TempDir
    private Path folder;

    private Path dataset;

    @BeforeEach
    void copy() throws IOException {
        dataset = folder.resolve("golden");
        try (Stream<Path> files = Files.walk(GOLDEN.resolve("dataset"))) {
            for (Path file : files.toList()) {
                Path to = dataset.resolve(
                        GOLDEN.resolve("dataset").relativize(file).toString());
                Files.createDirectories(to.getParent());
                Files.copy(file, to);
            }
        }
    }

    private OpenOrder open(Optional<String> plan) {
        return NamedOrder.open(dataset.resolve(VERSION).toString(), plan);
    }

    private static List<List<Long>> batches(OpenOrder opened, String feed) {
        RankOrder order = RankOrder.of(opened.feed(feed), 1, 2);
        List<List<Long>> batches = new ArrayList<>();
        for (long step = 0; step < order.steps(); step++) {
            BatchRows rows = new BatchRows(order.rows());
            order.fill(step, rows);
            List<Long> batch = new ArrayList<>();
            for (int i = 0; i < rows.size(); i++) {
                batch.add(rows.stratum(i) * 1000L + rows.index(i));
            }
            batches.add(batch);
        }
        return batches;
    }

    @Test
    void path_ofVersion_isReadByTheOrderOfItsCommit() {
        OpenOrder opened = open(Optional.empty());
        OpenOrder ofFormat1 = NamedOrder.open(GOLDEN.resolve("version").toString(), Optional.empty());
        assertThat(opened.order().plan()).isEqualTo(ORDER);
        for (String feed : List.of("train", "valid")) {
            assertThat(batches(opened, feed)).isEqualTo(batches(ofFormat1, feed));
            opened.map(feed, LaneSelection.all()).close();
        }
        assertThat(NamedOrder.open(dataset + "@latest", Optional.empty()).order())
                .isEqualTo(opened.order());
    }

    @Test
    void copy_withoutCommits_needsOneOrder() throws IOException {
        Files.delete(dataset.resolve("commits/0000000001.json"));
        assertThat(open(Optional.empty()).order().plan()).isEqualTo(ORDER);
        Path file = dataset.resolve("orders").resolve(ORDER).resolve(Order.FILE_NAME);
        Path moved = Files.move(file, folder.resolve("my-order.json"));
        assertThatThrownBy(() -> open(Optional.empty()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--plan");
        assertThat(open(Optional.of(moved.toString())).order().plan()).isEqualTo(ORDER);
        assertThat(CommandRun.of(new VerifyCommand(), dataset.resolve(VERSION).toString())
                        .exitCode())
                .isZero();
    }

    /** Two jobs whose settings differ, and whose numbers are the same. */
    @Test
    void run_isPlannedOverByItsOwnSettings() throws IOException {
        commit(1, "one", "error");
        commit(2, "two", "repeat");
        for (String run : List.of("two", RunName.LATEST)) {
            assertThat(plan("@" + run).exitCode()).as(plan("@" + run).err()).isZero();
        }
        for (String first : List.of("@one", "/" + VERSION)) {
            assertThat(plan(first).err()).contains("on-shortage: repeat");
        }
    }

    private CommandRun plan(String named) {
        return CommandRun.of(new PlanCommand(), dataset + named, "--set", "rows=80", "--dry-run");
    }

    /** Writes the plan of a run, and what the run leaves. */
    private void commit(int number, String run, String onShortage) throws IOException {
        ObjectNode job = JsonNodeFactory.instance.objectNode();
        job.putObject("sample")
                .set(
                        "train",
                        ConfigJson.toJson(PlannableVersion.section("batch: 4, lanes: 2, epochs: 2, rows: 20, seed: 42,"
                                + " strata: [{column: difficulty}], weights: {easy: 1, hard: 1}, on-shortage: "
                                + onShortage)));
        List<Input> inputs =
                List.of(new Input.ArtifactInput(ArtifactFormat.PREPARED, "0011223344556677", "a".repeat(64)));
        Manifest.Plan plan = new Manifest.Plan(new Contents("golden", job, inputs, 37, List.of()), Map.of());
        Path folder = Files.createDirectories(dataset.resolve("plans").resolve(plan.id()));
        Files.write(folder.resolve(Manifest.FILE_NAME), ManifestJson.toBytes(plan));
        VersionCommit commit = new VersionCommit(
                run, Path.of(VERSION).getFileName().toString(), Optional.of(ORDER), Optional.of(plan.id()));
        Files.write(dataset.resolve(VersionCommit.FOLDER).resolve(VersionCommit.fileName(number)), commit.toBytes());
        Path facts = Files.createDirectories(dataset.resolve("runs").resolve(run));
        Files.writeString(
                facts.resolve("run.json"),
                "{\"command\": \"pipeline\", \"order\": \"" + ORDER + "\", \"plan\": \"" + plan.id()
                        + "\", \"state\": \"committed\", \"version\": \"" + commit.version() + "\"}");
    }

    @Test
    void selection_ofOtherRows_isRefused() throws IOException {
        Path file = dataset.resolve(VERSION).resolve("selection.json");
        Files.writeString(file, Files.readString(file).replace("\"seed\": 42", "\"seed\": 43"));
        assertThatThrownBy(() -> OpenVersion.open(dataset.resolve(VERSION)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("selection.json");
    }
}
