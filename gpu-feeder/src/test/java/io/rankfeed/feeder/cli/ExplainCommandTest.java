package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.fixture.RandomVersions;
import io.rankfeed.feeder.fixture.RowValues;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.sampling.FeedOrders;
import io.rankfeed.sampling.Order;
import io.rankfeed.sampling.OrderLookup;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExplainCommandTest {
    private static final Path GOLDEN = Path.of("../schema/src/test/resources/golden/version");

    @TempDir
    private Path dir;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void theRowsOfABatchComeWithIdentityStratumAndSource(int seed) throws IOException {
        Random random = new Random(seed);
        RowValues values = new RowValues(RandomVersions.schema(random), seed, 5);
        TestVersion version = TestVersion.write(dir, RandomVersions.order(random), values);
        TrainFeed feed = (TrainFeed) OpenVersion.open(version.folder()).feed("train");
        Order order = FeedOrders.of(feed);
        long epoch = feed.epochs() - 1;
        long step = feed.stepsPerEpoch() / 2;

        CommandRun run = CommandRun.of(
                new ExplainCommand(), version.folder(), "--epoch", epoch, "--step", step, "--rank", 0, "--world", 1);

        assertThat(run.err()).isEmpty();
        List<String> lines = run.out().lines().toList();
        assertThat(lines).hasSize(2 + feed.batch());
        for (int place = 0; place < feed.batch(); place++) {
            OrderLookup.Row row = new OrderLookup(order).rowAt(epoch * feed.stepsPerEpoch() + step, 0, 1, place);
            String[] words = lines.get(2 + place).split("\t", -1);
            assertThat(words[0]).isEqualTo(Integer.toString(place));
            assertThat(words[1]).isEqualTo(Long.toString(values.rowId("train", row.stratum(), row.index())));
            assertThat(words[2]).isEqualTo(feed.strata().get(row.stratum()).name());
            assertThat(words[3]).isEqualTo(Long.toString(row.index()));
            assertThat(words[6]).startsWith("lanes/train/");
            assertThat(words[7]).isEqualTo("samples/part-" + row.stratum() % 2 + ".parquet");
            assertThat(words[8]).isEqualTo(Long.toString(row.index()));
        }
    }

    @Test
    void theShortLastStepOfTheGoldenValidationFeedIsListed() {
        SequentialFeed feed = (SequentialFeed) OpenVersion.open(GOLDEN).feed("valid");

        CommandRun run = CommandRun.of(
                new ExplainCommand(), GOLDEN, "--feed", "valid", "--step", feed.steps() - 1, "--rank", 1, "--world", 2);

        assertThat(run.out().lines().skip(2)).hasSize(1).allMatch(line -> line.endsWith("\t209"));
    }

    @Test
    void whatDoesNotExistIsRefusedWithWhatDoes() {
        refused("--step 5 does not exist; the feed has 5, 0 to 4", "--step", 5);
        refused("--epoch 2 does not exist", "--step", 0, "--epoch", 2);
        refused("did you mean 'train'", "--step", 0, "--feed", "trian");
        refused("does not divide", "--step", 0, "--world", 3);
        refused("world size 0", "--step", 0, "--world", 0);
        refused("world size 0", "--step", 0, "--world", 0, "--feed", "valid");
        refused("rank 2 is not one of", "--step", 0, "--world", 2, "--rank", 2);
    }

    private static void refused(String message, Object... args) {
        Object[] all = new Object[args.length + 1];
        all[0] = GOLDEN;
        System.arraycopy(args, 0, all, 1, args.length);
        CommandRun run = CommandRun.of(new ExplainCommand(), all);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(message);
    }
}
