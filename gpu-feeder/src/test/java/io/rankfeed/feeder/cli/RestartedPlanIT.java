package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.run.IdFiles;
import io.rankfeed.schema.run.OrderName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A supervised feeder whose plan was named, and whose name is given to another plan while it runs. */
@Timeout(300)
class RestartedPlanIT {
    @TempDir
    private Path folder;

    @Test
    void feeder_killed_feedsThePlanOfItsRun() throws Exception {
        Path orders = folder.resolve("orders");
        String first = write(orders, 1);
        String second = write(orders, 2);
        Path name = orders.resolve(IdFiles.file("mine"));
        Files.write(name, OrderName.FILES.toBytes(first));
        Path stop = folder.resolve("stop");
        try (FeederChild run = FeederChild.start(
                folder,
                "feed",
                FeederChild.GOLDEN.toString(),
                "--in-place",
                "--run",
                "r",
                "--plan",
                name.toString(),
                "--",
                "sh",
                "-c",
                "while [ ! -e " + stop + " ]; do sleep 0.05; done")) {
            run.until("serving", () -> ready(run, 0).isPresent());
            JsonNode before = ready(run, 0).orElseThrow();
            Files.write(name, OrderName.FILES.toBytes(second));
            long pid = before.path("pid").asLong();
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            run.until("another feeder", () -> ready(run, pid).isPresent());
            assertThat(before.path("plan").asText()).isEqualTo(first);
            assertThat(ready(run, pid).orElseThrow().path("plan").asText()).isEqualTo(first);
            Files.writeString(stop, "");
            assertThat(run.exitCode()).as(run.log()).isZero();
        }
    }

    /** Writes a plan over the golden version, and returns its id. */
    private static String write(Path orders, long seed) throws IOException {
        OpenVersion version = OpenVersion.open(FeederChild.GOLDEN);
        TrainFeed own = (TrainFeed) version.feed("train");
        TrainFeed seeded = new TrainFeed(
                own.name(),
                seed,
                own.lanes(),
                own.batch(),
                own.epochs(),
                own.stepsPerEpoch(),
                own.mode(),
                own.order(),
                own.window(),
                own.strata(),
                own.segments());
        Member.Source source = new Member.Source("golden", version.manifest().id(), "train");
        Order order = OrderId.identified(new Order(
                "golden", OrderId.NONE, Optional.empty(), List.of(seeded.over(source), version.feed("valid"))));
        Path file = orders.resolve(order.plan()).resolve(Order.FILE_NAME);
        Files.createDirectories(file.getParent());
        Files.write(file, OrderJson.toBytes(order));
        return order.plan();
    }

    /** What a feeder that serves says of itself. */
    private static Optional<JsonNode> ready(FeederChild run, long otherThan) {
        Path file = run.rendezvous("r").resolve("feeder.json");
        try {
            return Optional.of(StrictJson.parse(Files.readAllBytes(file), "feeder.json"))
                    .filter(json -> json.path("pid").asLong() != otherThan);
        } catch (IOException | CorruptDataException e) {
            // The feeder replaces its files.
            return Optional.empty();
        }
    }
}
