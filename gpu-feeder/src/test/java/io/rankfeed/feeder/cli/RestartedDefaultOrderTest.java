package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.fixture.TestMixture;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.run.VersionCommit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plan by which a restarted feeder reads a version that was named by its path alone. */
class RestartedDefaultOrderTest {
    private static final Path GOLDEN = Path.of("../schema/src/test/resources/golden");
    private static final String VERSION = "a46aef0157b1abee";

    @TempDir
    private Path folder;

    private static NodeFeed feed(Path version, Optional<String> plan) {
        FeedFlags flags = new FeedFlags();
        plan.ifPresent(flags.plan::pin);
        return new NodeFeed(flags, version.toString());
    }

    private static Optional<String> pinned(Path version) {
        NodeFeed feed = feed(version, Optional.empty());
        return feed.plan().pinned(version.toString(), feed.source());
    }

    @Test
    void onlyOrder_staysThatOfTheRun_whenOthersAreAdded() throws IOException {
        Path orders = folder.resolve("golden/orders");
        copy(GOLDEN.resolve("dataset/orders"), orders);
        Path version = folder.resolve("golden/versions").resolve(VERSION);
        copy(GOLDEN.resolve("dataset/versions").resolve(VERSION), version);
        Order first = feed(version, Optional.empty()).source().order();
        Optional<String> plan = pinned(version);

        Order second = write(orders, first);
        Path commit = folder.resolve("golden/commits/0000000001.json");
        Files.createDirectories(commit.getParent());
        Files.write(commit, new VersionCommit("r", VERSION, Optional.of(second.plan()), Optional.empty()).toBytes());
        assertThat(feed(version, Optional.empty()).source().order().plan()).isEqualTo(second.plan());
        assertThat(plan).isPresent();
        assertThat(feed(version, plan).source().order().plan()).isEqualTo(first.plan());
    }

    /** A version of format 1 has one order, and a mixture is one. */
    @Test
    void orderOfItsOwn_isFoundWithoutAPlan() throws IOException {
        assertThat(pinned(GOLDEN.resolve("version"))).isEmpty();
        assertThat(pinned(Path.of(
                        TestMixture.write(folder, new Random(3)).folder().toString())))
                .isEmpty();
    }

    private static Order write(Path orders, Order like) throws IOException {
        TrainFeed own = (TrainFeed) like.feed("train").orElseThrow();
        TrainFeed seeded = new TrainFeed(
                own.name(),
                own.seed() + 1,
                own.lanes(),
                own.batch(),
                own.epochs(),
                own.stepsPerEpoch(),
                own.epochStarts(),
                own.mode(),
                own.order(),
                own.window(),
                own.members(),
                own.segments());
        Order order = OrderId.identified(new Order(
                "golden",
                OrderId.NONE,
                Optional.empty(),
                List.of(seeded, like.feed("valid").orElseThrow())));
        Path file = orders.resolve(order.plan()).resolve(Order.FILE_NAME);
        Files.createDirectories(file.getParent());
        Files.write(file, OrderJson.toBytes(order));
        return order;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }
}
