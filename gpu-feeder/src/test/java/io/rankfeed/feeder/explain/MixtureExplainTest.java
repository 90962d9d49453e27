package io.rankfeed.feeder.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.feeder.fixture.TestMixture;
import io.rankfeed.feeder.fixture.TestRows;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.sampling.order.OrderLookup;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.TrainFeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code rankfeed explain} of drawn mixtures: the member of each row, and every step of a row. */
class MixtureExplainTest {
    @TempDir
    private Path root;

    private static String memberOf(TrainFeed feed, int stratum) {
        List<String> members = new ArrayList<>();
        feed.members()
                .forEach(member ->
                        members.addAll(Collections.nCopies(member.strata().size(), member.name())));
        return members.get(stratum);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void batch_rows_haveMemberStratumAndFile(int seed) throws IOException {
        TestMixture mixture = TestMixture.write(root, new Random(seed));
        TrainFeed feed = mixture.mixture().feed();
        TestRows values = mixture.rows();
        long step = feed.steps() - 1;
        int epoch = feed.epochAt(step);

        CommandRun run = CommandRun.of(
                new ExplainCommand(),
                mixture.folder(),
                "--epoch",
                epoch,
                "--step",
                step - feed.epochStart(epoch),
                "--rank",
                1,
                "--world",
                2,
                "--columns",
                "own");

        assertThat(run.err()).isEmpty();
        List<String> lines = run.out().lines().toList();
        assertThat(lines.get(0)).contains("; mixture " + mixture.mixture().id() + "; member alpha, version ");
        assertThat(lines.get(1)).startsWith("place\trow_id\tmember\tstratum\t").endsWith("\town");
        assertThat(lines).hasSize(2 + feed.batch() / 2);
        for (int position = 0; position < feed.batch() / 2; position++) {
            OrderLookup.Row row = new OrderLookup(feed).rowAt(step, 1, 2, position);
            String[] words = lines.get(2 + position).split("\t", -1);
            String member = memberOf(feed, row.stratum());
            Manifest.Version version =
                    TestVersion.manifest(mixture.members().get(member).folder());
            assertThat(words[1]).isEqualTo(Long.toString(values.rowId("train", row.stratum(), row.index())));
            assertThat(words[2]).isEqualTo(member);
            assertThat(words[3]).isEqualTo(feed.strata().get(row.stratum()).name());
            assertThat(words[4]).isEqualTo(Long.toString(row.index()));
            assertThat(words[7]).startsWith(version.dataset() + "/versions/" + version.id() + "/lanes/train/");
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void row_ofAnyMember_isFoundAtAllItsSteps(int seed) throws IOException {
        Random random = new Random(seed);
        TestMixture mixture = TestMixture.write(root, random);
        TrainFeed feed = mixture.mixture().feed();
        TestRows values = mixture.rows();
        OrderLookup.Row drawn = new OrderLookup(feed).rowAt(random.nextLong(feed.steps()), 0, 1, 0);
        long rowId = values.rowId("train", drawn.stratum(), drawn.index());
        List<String> wanted = new ArrayList<>();
        for (long step = 0; step < feed.steps(); step++) {
            for (int rank = 0; rank < 2; rank++) {
                for (int position = 0; position < feed.batch() / 2; position++) {
                    OrderLookup.Row row = new OrderLookup(feed).rowAt(step, rank, 2, position);
                    if (values.rowId("train", row.stratum(), row.index()) == rowId) {
                        wanted.add(String.join(
                                " ",
                                Long.toString(step),
                                Integer.toString(rank),
                                Integer.toString(position),
                                memberOf(feed, row.stratum()),
                                Long.toString(row.index())));
                    }
                }
            }
        }

        CommandRun run = CommandRun.of(new ExplainCommand(), mixture.folder(), "--row", rowId, "--world", 2);

        assertThat(run.err()).isEmpty();
        assertThat(run.out()
                        .lines()
                        .skip(2)
                        .map(line -> line.split("\t", -1))
                        .map(words -> String.join(" ", words[2], words[5], words[6], words[8], words[10])))
                .as("seed %d", seed)
                .containsExactlyInAnyOrderElementsOf(wanted);
    }

    @Test
    void words_unfit_areRefused() throws IOException {
        TestMixture mixture = TestMixture.write(root, new Random(3));
        CommandRun unknown = CommandRun.of(new ExplainCommand(), mixture.folder(), "--row", "123456789");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err())
                .contains("of mixture " + mixture.mixture().id() + " has no such row; a version holds only");
        CommandRun plan = CommandRun.of(new ExplainCommand(), mixture.folder(), "--step", 0, "--plan", "seed7");
        assertThat(plan.exitCode()).isEqualTo(2);
        assertThat(plan.err()).contains("is a mixture, which is a plan itself; leave the plan out");
        CommandRun missing = CommandRun.of(new ExplainCommand(), root.resolve("mixtures/other"), "--step", 0);
        assertThat(missing.exitCode()).isEqualTo(2);
        assertThat(missing.err()).contains("path of a mixture");
    }
}
