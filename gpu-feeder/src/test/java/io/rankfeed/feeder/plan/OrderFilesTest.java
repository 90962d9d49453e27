package io.rankfeed.feeder.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.run.IdFiles;
import io.rankfeed.schema.run.OrderName;
import io.rankfeed.schema.store.LocalFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class OrderFilesTest {
    @TempDir
    private Path dataset;

    private Path folder = Path.of("");

    @BeforeEach
    void folder() throws IOException {
        folder = Files.createDirectories(dataset.resolve(OrderName.FILES.folder()));
    }

    private static Path write(OrderFiles files, Order order) {
        return files.write(order.plan(), OrderJson.toBytes(order), Optional.empty());
    }

    @Test
    void plan_writtenAgain_isKept_andDamagedOneIsReplaced() throws IOException {
        OrderFiles files = new OrderFiles(folder, OrderName.FILES);
        Path file = write(files, order(1)).resolve(Order.FILE_NAME);
        byte[] whole = Files.readAllBytes(file);
        Object written = Files.readAttributes(file, "*").get("fileKey");
        write(files, order(1));
        assertThat(Files.readAttributes(file, "*").get("fileKey")).isEqualTo(written);
        Files.writeString(file, "{");
        write(files, order(1));
        assertThat(file).hasBinaryContent(whole);
        assertThat(names()).containsExactly(order(1).plan(), order(1).plan() + "/" + Order.FILE_NAME);
    }

    /** A process that is killed leaves a file of another name: the plan is there as before, or not at all. */
    @Test
    void killedWriter_leavesTheStateBefore() throws IOException {
        OrderFiles files = new OrderFiles(folder, OrderName.FILES);
        String id = order(1).plan();
        Path part = folder.resolve(id).resolve("." + Order.FILE_NAME + ".0123");
        Files.createDirectories(part.getParent());
        Files.write(part, new byte[100]);
        assertThatThrownBy(() -> read(id))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no plan of that name or id");
        write(files, order(1));
        assertThat(read(id).plan()).isEqualTo(id);

        // Killed after the plan, and before its name: the plan is there, the name is free.
        Files.write(folder.resolve(".mine.json.0123"), new byte[3]);
        assertThatThrownBy(() -> read("mine")).isInstanceOf(ConfigException.class);
        files.requireFree("mine", order(2).plan());
        files.name("mine", id);
        assertThat(read("mine").plan()).isEqualTo(id);
    }

    @Test
    void name_ofAnotherPlan_isRefused() {
        OrderFiles files = new OrderFiles(folder, OrderName.FILES);
        files.name("mine", order(1).plan());
        files.name("mine", order(1).plan());
        for (Runnable attempt : List.<Runnable>of(
                () -> files.name("mine", order(2).plan()), () -> files.requireFree("mine", order(2).plan()))) {
            assertThatThrownBy(attempt::run)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("names the plan " + order(1).plan() + ", and this one is " + order(2).plan()
                            + "; choose another name, or delete that file");
        }
    }

    @Test
    void name_damagedOrNoFile_isReported() throws IOException {
        OrderFiles files = new OrderFiles(folder, OrderName.FILES);
        Files.writeString(folder.resolve("truncated.json"), "{");
        assertThatThrownBy(() -> files.name("truncated", order(1).plan()))
                .isInstanceOf(RankfeedException.class)
                .hasMessageContaining("truncated.json");
        Files.createDirectories(folder.resolve("folder.json"));
        assertThatThrownBy(() -> files.name("folder", order(1).plan()))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("delete it");
        Files.createSymbolicLink(folder.resolve("link.json"), folder.resolve("none"));
        assertThatThrownBy(() -> files.name("link", order(1).plan()))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("is a link to nothing");
    }

    /** One of the writers has the name; those of other plans are refused. */
    @Test
    void writersOfOneName_atOnce_oneWins() throws Exception {
        for (int round = 0; round < 20; round++) {
            String name = "name" + round;
            int writers = 6;
            CyclicBarrier start = new CyclicBarrier(writers);
            List<FutureTask<Optional<String>>> tasks = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                String id = order(1 + writer % 3).plan();
                FutureTask<Optional<String>> task = new FutureTask<>(() -> {
                    start.await();
                    try {
                        new OrderFiles(folder, OrderName.FILES).name(name, id);
                        return Optional.of(id);
                    } catch (ConfigException e) {
                        return Optional.empty();
                    }
                });
                tasks.add(task);
                Thread.ofPlatform().start(task);
            }
            List<String> won = new ArrayList<>();
            for (FutureTask<Optional<String>> task : tasks) {
                task.get().ifPresent(won::add);
            }
            byte[] bytes = Files.readAllBytes(folder.resolve(IdFiles.file(name)));
            assertThat(won).hasSize(2).containsOnly(OrderName.FILES.idIn(bytes, name));
        }
        assertThat(names()).allMatch(name -> name.matches("name[0-9]+\\.json"));
    }

    private Order read(String words) {
        return OrderName.read(words, dataset + "/versions/x", path -> LocalFiles.INSTANCE);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> !file.equals(folder))
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    private static Order order(long seed) {
        Member member = new Member(
                "train", "d", "fedcba9876543210", "train", 4, RowCycles.SHUFFLED, List.of(new Stratum("a", 40)));
        Segment segment = new Segment(0, 5, 0, List.of(20L), List.of(0L), 1, 2);
        TrainFeed train =
                new TrainFeed("train", seed, 2, 8, List.of(0L), RowOrder.GLOBAL, List.of(member), List.of(segment));
        return OrderId.identified(new Order("d", OrderId.NONE, Optional.empty(), List.of(train)));
    }
}
