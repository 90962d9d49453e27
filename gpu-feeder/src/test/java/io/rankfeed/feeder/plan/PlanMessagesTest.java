package io.rankfeed.feeder.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.job.plan.CountedStratum;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.TrainFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code rankfeed plan} says about versions that it cannot plan over as they are. */
class PlanMessagesTest {
    private static final String SIZES = "batch: 8, lanes: 4, rows: 40, epochs: 2, seed: 1";
    private static final String WEIGHED =
            SIZES + ", strata: [{column: level}], weights: {high: 20, low: 16, r1: 1, r2: 1, r3: 2}, on-rare: rest";

    @TempDir
    private Path root;

    private static CommandRun run(PlannableVersion version, String... words) {
        List<Object> all = new ArrayList<>(List.of(version.folder()));
        all.addAll(Arrays.asList(words));
        return CommandRun.of(new PlanCommand(), all.toArray());
    }

    private static TrainFeed opened(PlannableVersion version, String plan) {
        return (TrainFeed) planned(version, plan).feeds().getFirst();
    }

    private static Order planned(PlannableVersion version, String plan) {
        return PlanOption.open(OpenVersion.folderAt(version.folder()), Optional.of(plan))
                .order();
    }

    private PlannableVersion rare() throws IOException {
        List<CountedStratum> strata = new ArrayList<>(PlannableVersion.LEVELS);
        for (String name : List.of("r1", "r2", "r3")) {
            strata.add(new CountedStratum(name, List.of(name), 10));
        }
        return PlannableVersion.write(root, WEIGHED, strata);
    }

    @Test
    void lanes_thatDoNotDivide_areNamedWithTheDivisors() throws IOException {
        PlannableVersion version = PlannableVersion.write(root, SIZES, List.of(all(100)));
        assertThat(run(version, "--set", "lanes=3").err())
                .contains("lanes: 3 do not divide the 4 that the version stores; take 1, 2, 4")
                .doesNotContain("manifest.json");
        assertThat(run(version, "--set", "lanes=2").exitCode()).isZero();
    }

    @Test
    void versionWithoutATrainFeed_hasNothingToPlan() throws IOException {
        PlannableVersion version =
                PlannableVersion.write(root, "kind: sequential, batch: 8, lanes: 4", List.of(all(100)));
        for (String[] words : new String[][] {{}, {"--feed", "train"}}) {
            assertThat(run(version, words).err())
                    .contains("the version has no feed that trains, so that there is nothing to plan")
                    .doesNotContain("name one with --feed");
        }
        assertThatThrownBy(() -> opened(
                        version, version.folder().resolve(Order.FILE_NAME).toString()))
                .hasMessageContaining("has no feed that trains, so that there is no plan over its version")
                .hasMessageNotContaining("rankfeed plan makes one");
    }

    @Test
    void plan_thatIsMissing_isNamedWithoutAnOption() throws IOException {
        PlannableVersion version = PlannableVersion.write(root, SIZES, List.of(all(100)));
        assertThatThrownBy(() -> NamedOrder.open(version.folder().toString(), Optional.of("none")))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("plan none: no plan of that name or id is in ")
                .hasMessageNotContaining("--plan");
        String unknown = "0123456789abcdef";
        assertThatThrownBy(() -> NamedOrder.open(version.folder().toString(), Optional.of(unknown)))
                .hasMessageEndingWith("copy the folder orders from where the plan was written");
        assertThatThrownBy(() -> NamedOrder.open(version.folder().toString(), Optional.of(TestVersion.PLAN_ID)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is a plan that a version was exported by, in plans/" + TestVersion.PLAN_ID)
                .hasMessageContaining("leave it out");
    }

    @Test
    void pathOfAnotherKind_isNamedWithWhatToWrite() throws IOException {
        PlannableVersion version = PlannableVersion.write(root, SIZES, List.of(all(100)));
        assertThat(run(version, "--set", "seed=7", "--name", "seed7").exitCode())
                .isZero();
        Path dataset = root.resolve("d");
        assertThat(CommandRun.of(new PlanCommand(), dataset).err())
                .contains(dataset + " is a dataset, and not a version", "as in " + dataset + "@latest or ");
        String id = planned(version, "seed7").plan();
        for (String name : List.of("seed7", "seed7.json", id, id + "/" + Order.FILE_NAME)) {
            Path plan = version.orders().resolve(name);
            assertThat(CommandRun.of(new PlanCommand(), plan).err())
                    .contains(plan + " is a plan over a version", "the plan with --plan " + plan);
        }
        Path own = version.folder().resolve(Order.FILE_NAME);
        assertThat(CommandRun.of(new PlanCommand(), own).err()).contains(own + " is a file, and not a version");
        Path file = Files.writeString(root.resolve("mix.yaml"), "members: {}");
        assertThat(CommandRun.of(new PlanCommand(), file).err())
                .contains(file + " is a file", "rankfeed plan --mixture " + file, "rankfeed pipeline " + file);
        assertThat(CommandRun.of(new PlanCommand(), root.resolve("b@first")).err())
                .contains("no dataset exists at " + root.resolve("b") + "; did you mean '" + dataset + "@first'?");
        assertThat(run(version, "--set", "sample.train.seed=7").err())
                .contains("sample.train.seed: a plan has the keys of sample.FEED alone");
    }

    @Test
    void rareStrataOfTheExport_areOneStratumThatRequiresAShare() throws IOException {
        PlannableVersion version = rare();
        for (String change : List.of("seed=7", "on-rare=leave-out")) {
            CommandRun refused = run(version, "--set", change);
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.err())
                    .contains(
                            "feed 'train': the version stores the rare strata [r1, r2] as one, because its own plan has"
                                    + " on-rare: rest; give the stored strata shares, as in --set weights={high: 1, low: 1, r3: 1,"
                                    + " rest: 1}, or proportional: [level]");
        }
        CommandRun planned = run(version, "--set", "weights={high: 9, low: 8, r3: 1, rest: 2}", "--name", "mine");
        assertThat(planned.exitCode()).as(planned.err()).isZero();
        assertThat(opened(version, "mine").segments().getFirst().quotas()).containsExactly(9L, 8L, 1L, 2L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"seed=7", "epochs=3", "weights={high: 1, low: 1}"})
    void onRare_thatJoinedNothing_isNotInTheWay(String change) throws IOException {
        PlannableVersion version =
                PlannableVersion.write(root, WEIGHED.replace(", r1: 1, r2: 1, r3: 2", ""), PlannableVersion.LEVELS);
        CommandRun run = run(version, "--set", change);
        assertThat(run.exitCode()).as(run.err()).isZero();
    }

    private static CountedStratum all(long rows) {
        return new CountedStratum("all", List.of(), rows);
    }
}
