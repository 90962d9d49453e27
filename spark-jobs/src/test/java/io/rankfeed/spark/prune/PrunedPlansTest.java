package io.rankfeed.spark.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.console.Console;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.mixture.Mixture;
import io.rankfeed.schema.mixture.MixtureJson;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.run.IdFiles;
import io.rankfeed.schema.run.OrderName;
import io.rankfeed.schema.run.VersionCommit;
import io.rankfeed.spark.RankfeedJobs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans over versions of a dataset with two runs, of which prune keeps the latest. */
class PrunedPlansTest {
    private static final String OLD = "aaaaaaaaaaaaaaaa";
    private static final String NEW = "bbbbbbbbbbbbbbbb";
    private static final String PLAN = "dddddddddddddddd";
    private static final String GONE = "cccccccccccccccc";

    @TempDir
    private Path root;

    private Path lane = Path.of("");
    private String ofOld = "";
    private String ofNew = "";
    private String ofGone = "";

    @BeforeEach
    void dataset() throws IOException {
        lane = write("versions/" + OLD + "/lanes/a", "old");
        write("versions/" + NEW + "/lanes/a", "new");
        run(1, "monday", OLD);
        run(2, "tuesday", NEW);
        ofOld = plan(1, OLD);
        ofNew = plan(2, NEW);
        ofGone = plan(3, GONE);
        name("old", ofOld);
        name("also-old", ofOld);
        name("new", ofNew);
        write("orders/" + ofOld + "/.order.json.1234", "left by a killed process");
        write("orders/" + ofOld + "/_1234-order.json", "left by a killed job");
        write("orders/notes.txt", "mine");
        write("orders/truncated.json", "{");
        write("orders/0123456789abcdef/order.json", "{}");
        write("orders/" + ofGone + "/notes.txt", "mine");
    }

    @Test
    void dryRun_namesPlansAndNames_andRemovesNothing() throws IOException {
        Set<String> before = files();
        assertThat(prune("--dry-run"))
                .contains("4 folders, 2 names", ofOld, ofGone, "old.json", "also-old.json")
                .doesNotContain(ofNew, "new.json", "truncated.json", "0123456789abcdef");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void plans_goWithTheirVersions_othersStay() throws IOException {
        assertThat(prune()).contains("4 folders, 2 names");
        assertThat(files())
                .filteredOn(file -> file.startsWith("orders"))
                .containsExactlyInAnyOrder(
                        "orders/" + ofNew + "/order.json",
                        "orders/new.json",
                        "orders/notes.txt",
                        "orders/truncated.json",
                        "orders/0123456789abcdef/order.json",
                        "orders/" + ofGone + "/notes.txt");
        assertThat(root.resolve("d/orders").resolve(ofOld)).doesNotExist();
        assertThat(root.resolve("d/versions").resolve(OLD)).doesNotExist();
        assertThat(prune()).contains("0 folders").doesNotContain("name");
    }

    /** A version that stays because a process reads it keeps its plans. */
    @Test
    void plan_ofVersionThatIsOpen_stays() throws IOException {
        Process reader =
                new ProcessBuilder("sleep", "3600").redirectInput(lane.toFile()).start();
        try {
            assertThat(prune()).contains("kept: process " + reader.pid()).doesNotContain(ofOld);
        } finally {
            reader.destroyForcibly();
        }
        assertThat(files()).contains("orders/" + ofOld + "/order.json", "orders/old.json", "orders/also-old.json");
    }

    /** A version that a mixture draws from stays with its plans, and with what it was made from. */
    @Test
    void version_thatAMixtureDrawsFrom_stays() throws IOException {
        Mixture mixture = Mixture.of(
                train(1, List.of(member("a", OLD), member("b", NEW))),
                new SampleSchema(List.of(new Field("x", DType.INT32, Shape.of(1), false))),
                Map.of());
        Path file = root.resolve("mixtures").resolve(mixture.id()).resolve(Mixture.FILE_NAME);
        Files.createDirectories(file.getParent());
        Files.write(file, MixtureJson.toBytes(mixture));
        write("plans/" + PLAN + "/rows/a", "rows");
        Path commit = write("commits/" + VersionCommit.fileName(1), "");
        Files.write(commit, new VersionCommit("monday", OLD, Optional.of(ofOld), Optional.of(PLAN)).toBytes());
        assertThat(prune("--dry-run"))
                .contains("kept: the mixture " + mixture.id() + " draws from it", "2 folders")
                .doesNotContain(ofOld, PLAN);
        prune();
        assertThat(files())
                .contains("versions/" + OLD + "/lanes/a", "orders/" + ofOld + "/order.json", "orders/old.json")
                .as("the settings that a plan over the version changes")
                .contains("plans/" + PLAN + "/rows/a");

        Files.writeString(file, "{");
        Set<String> before = files();
        assertThat(pruned(3)).contains(file.toString(), "nothing is removed", "delete its folder");
        assertThat(files()).isEqualTo(before);

        Files.delete(file);
        assertThat(prune()).contains("3 folders, 2 names");
        assertThat(files()).doesNotContain("versions/" + OLD + "/lanes/a", "plans/" + PLAN + "/rows/a");
    }

    /** The order of a version that trains nothing names no version; commits do. */
    @Test
    void orderThatACommitNames_staysWithItsVersion() throws IOException {
        String ofNewList = write(list(1));
        String ofOldList = write(list(2));
        commit(3, "tuesday", NEW, Optional.of(ofNewList));
        commit(4, "monday", OLD, Optional.of(ofOldList));
        run(5, "wednesday", NEW);
        prune();
        assertThat(files()).contains("orders/" + ofNewList + "/order.json", "orders/" + ofNew + "/order.json");
        assertThat(root.resolve("d/orders").resolve(ofOldList)).doesNotExist();
    }

    private static Order list(int batch) {
        List<Feed> feeds = List.of(new SequentialFeed("valid", 1, batch, 4, 4 / batch));
        return OrderId.identified(new Order("d", OrderId.NONE, Optional.empty(), feeds));
    }

    private void run(long number, String id, String version) throws IOException {
        write(
                "runs/" + id + "/run.json",
                "{\"runId\": \"" + id + "\", \"startedAt\": \"2026-01-0" + number + "\", \"version\": \"" + version
                        + "\"}");
        commit(number, id, version, Optional.empty());
    }

    private void commit(long number, String id, String version, Optional<String> order) throws IOException {
        Path commit = write("commits/" + VersionCommit.fileName(number), "");
        Files.write(commit, new VersionCommit(id, version, order, Optional.empty()).toBytes());
    }

    private String plan(long seed, String version) throws IOException {
        TrainFeed train = train(seed, List.of(member("train", version)));
        return write(OrderId.identified(new Order("d", OrderId.NONE, Optional.empty(), List.of(train))));
    }

    private String write(Order order) throws IOException {
        Files.write(write("orders/" + order.plan() + "/" + Order.FILE_NAME, ""), OrderJson.toBytes(order));
        return order.plan();
    }

    private static Member member(String name, String version) {
        return new Member(name, "d", version, "train", 4, RowCycles.SHUFFLED, List.of(new Stratum("a", 40)));
    }

    private static TrainFeed train(long seed, List<Member> members) {
        int count = members.size();
        Segment segment =
                new Segment(0, 5, 0, Collections.nCopies(count, 20L / count), Collections.nCopies(count, 0L), 1, 2);
        return new TrainFeed("train", seed, 2, 8, List.of(0L), RowOrder.GLOBAL, members, List.of(segment));
    }

    private void name(String name, String id) throws IOException {
        Files.write(write("orders/" + IdFiles.file(name), ""), OrderName.FILES.toBytes(id));
    }

    private Path write(String path, String text) throws IOException {
        Path file = root.resolve("d").resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private String prune(String... words) {
        return pruned(0, words);
    }

    private String pruned(int exitCode, String... words) {
        StringWriter printed = new StringWriter();
        PrintWriter both = new PrintWriter(printed, true);
        String[] all = Stream.concat(Stream.of("prune", root.toString(), "--keep", "1"), Stream.of(words))
                .toArray(String[]::new);
        assertThat(Console.execute(RankfeedJobs.commandLine().setErr(both).setOut(both), all))
                .as(printed.toString())
                .isEqualTo(exitCode);
        return printed.toString();
    }

    private Set<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve("d"))) {
            Set<String> names = new TreeSet<>();
            files.filter(Files::isRegularFile)
                    .forEach(
                            file -> names.add(root.resolve("d").relativize(file).toString()));
            return names;
        }
    }
}
