package io.rankfeed.feeder.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.serve.admission.FeedFacts;
import io.rankfeed.feeder.serve.admission.FeedStage;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The epochs, stages and rows of strata in WELCOME. */
@Timeout(300)
class WelcomeTest {
    private static final Path GOLDEN = Path.of("../schema/src/test/resources/golden/version");

    @TempDir
    private Path folder;

    @Test
    void trainFeed_hasStepsStagesAndRowsByStratum() throws IOException {
        try (ServedRun run = new ServedRun(folder, OptionalInt.empty(), 3)) {
            JsonNode welcome = welcome(run, "train");
            assertThat(welcome.path("steps").asLong()).isEqualTo(10);
            assertThat(welcome.path("epochs").asInt()).isEqualTo(2);
            assertThat(welcome.path("stepsPerEpoch").asLong()).isEqualTo(5);
            assertThat(welcome.has("epochStarts")).isFalse();
            assertThat(welcome.path("strata")).hasToString("[\"all\"]");
            assertThat(welcome.path("stages"))
                    .hasToString("[{\"batch\":16,\"rows\":[80],\"stage\":0,\"step\":0},"
                            + "{\"batch\":16,\"rows\":[80],\"stage\":1,\"step\":5}]");
        }
    }

    @Test
    void sequentialFeed_isOneStageWithoutRows() throws IOException {
        try (ServedRun run = new ServedRun(folder, OptionalInt.empty(), 3)) {
            JsonNode welcome = welcome(run, "valid");
            assertThat(welcome.path("steps").asLong()).isEqualTo(3);
            assertThat(welcome.has("strata")).isFalse();
            assertThat(welcome.path("stages")).hasToString("[{\"batch\":16,\"stage\":0,\"step\":0}]");
        }
    }

    @Test
    void epochsThatDiffer_haveTheirFirstSteps_inBatchesToo() throws IOException {
        CountingCatalog catalog = new CountingCatalog(5);
        catalog.plan(CountingCatalog.train(3, 4, List.of(0L, 4L, 7L), List.of("all"), 9));
        try (ServedRun run = new ServedRun(folder, catalog, OptionalInt.of(1), 3);
                TestTrainer trainer = run.trainer(0).attach("train", 0, 1, 0)) {
            assertThat(trainer.welcome().path("epochStarts")).hasToString("[0,4,7]");
            assertThat(trainer.welcome().has("stepsPerEpoch")).isFalse();
            List<String> found = new ArrayList<>();
            for (int step = 0; step < 9; step++) {
                TestTrainer.Batch batch = Objects.requireNonNull(trainer.next());
                found.add(batch.epoch() + "/" + batch.stepInEpoch());
                trainer.release(batch);
            }
            assertThat(found).containsExactly("0/0", "0/1", "0/2", "0/3", "1/0", "1/1", "1/2", "2/0", "2/1");
            assertThat(trainer.next()).isNull();
        }
    }

    @Test
    void manyEpochs_exceedTheBuffer_areSentInParts() throws IOException {
        CountingCatalog catalog = new CountingCatalog(5);
        List<Long> starts = LongStream.range(0, 60_000).boxed().toList();
        catalog.plan(CountingCatalog.train(starts.size(), 1, starts, List.of("all"), starts.size()));
        try (ServedRun run = new ServedRun(folder, catalog, OptionalInt.of(1), 3)) {
            assertThat(welcome(run, "train").path("epochStarts")).hasSize(60_000);
        }
    }

    /** The payload of a frame has at most 1 MiB. */
    @Test
    void moreStagesThanFit_areRefused() throws IOException {
        CountingCatalog catalog = new CountingCatalog(5);
        long[] stages = new long[30_000];
        Arrays.fill(stages, 1);
        catalog.plan(CountingCatalog.train(1, stages.length, List.of(), List.of("all"), stages));
        try (ServedRun run = new ServedRun(folder, catalog, OptionalInt.of(1), 3);
                TestTrainer trainer = run.trainer(0)) {
            TestTrainer.Frame answer = trainer.greet(TestTrainer.hello("train", 0, 1, 0));
            assertThat(answer.type()).isEqualTo(TestTrainer.ERROR);
            assertThat(answer.code()).isEqualTo("config");
            assertThat(answer.message())
                    .contains("feed 'train': 1 epoch and 30,000 stages take ", "at most 1048576", "plan fewer stages");
        }
    }

    @Test
    void rowsOfManyStrata_areLeftOut() throws IOException {
        CountingCatalog catalog = new CountingCatalog(5);
        List<String> strata =
                IntStream.range(0, 2000).mapToObj(n -> "stratum " + (1000 + n)).toList();
        catalog.plan(CountingCatalog.train(2, 5, List.of(), strata, new long[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
        try (ServedRun run = new ServedRun(folder, catalog, OptionalInt.empty(), 3)) {
            JsonNode welcome = welcome(run, "train");
            assertThat(welcome.has("strata")).isFalse();
            assertThat(welcome.path("stages")).hasSize(10);
            assertThat(welcome.path("stages").get(9)).hasToString("{\"batch\":16,\"stage\":9,\"step\":9}");
        }
    }

    @Test
    void stage_begins_isOneLineOfTheNodesFirstRank() throws IOException {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(2), 12);
                TestTrainer second = run.trainer(1).attach("train", 1, 2, 0);
                TestTrainer first = run.trainer(0).attach("train", 0, 2, 0)) {
            for (TestTrainer trainer : List.of(second, first)) {
                for (int step = 0; step < 10; step++) {
                    Objects.requireNonNull(trainer.next());
                }
                assertThat(trainer.next()).isNull();
            }
            assertThat(run.log)
                    .filteredOn(line -> line.contains(" begins at "))
                    .containsExactly(
                            "train: stage 0 begins at step 0 (epoch 0), batches of 16 rows",
                            "train: stage 1 begins at step 5 (epoch 1), batches of 16 rows");
        }
    }

    @Test
    void factsOfAnOrder_stagesAreThoseOfItsSegments() {
        FeedFacts facts = FeedFacts.of(OpenVersion.open(GOLDEN).feed("train"));
        assertThat(facts.strata()).containsExactly("easy", "hard");
        assertThat(facts.stages())
                .containsExactly(new FeedStage(0, 0, 4, List.of(12L, 4L)), new FeedStage(4, 1, 4, List.of(12L, 12L)));
        assertThat(facts.stageThatBegins(4)).contains(facts.stages().get(1));
        assertThat(facts.stageThatBegins(5)).isEmpty();
    }

    @Test
    void stageThatBegins_isFoundAmongMany() {
        FeedFacts facts = FeedFacts.of(CountingCatalog.train(1, 21, List.of(), List.of("all"), 1, 2, 3, 4, 5, 6));
        List<Long> begins = LongStream.range(-1, 22)
                .filter(step -> facts.stageThatBegins(step).isPresent())
                .boxed()
                .toList();
        assertThat(begins).containsExactly(0L, 1L, 3L, 6L, 10L, 15L);
        assertThat(facts.stageThatBegins(6)).contains(facts.stages().get(3));
    }

    @Test
    void factsOfAnOrder_segmentsOfOneStage_areAddedUp() {
        TrainFeed golden = (TrainFeed) OpenVersion.open(GOLDEN).feed("train");
        List<Segment> segments = golden.segments().stream()
                .map(s -> new Segment(s.step(), s.steps(), s.number(), s.quotas(), s.base(), s.m(), s.c(), 0))
                .toList();
        TrainFeed cut =
                new TrainFeed("train", 42, 2, 4, 2, 5, EpochMode.STREAM, RowOrder.GLOBAL, 1, golden.strata(), segments);
        assertThat(FeedFacts.of(cut).stages()).containsExactly(new FeedStage(0, 0, 4, List.of(24L, 16L)));
        assertThat(FeedFacts.of(cut).stageThatBegins(0)).isEmpty();
    }

    @Test
    void factsOfAPass_epochsAreNoStages() {
        List<Segment> epochs = List.of(
                new Segment(0, 2, 0, List.of(4L), List.of(0L), 1, 0),
                new Segment(2, 2, 1, List.of(4L), List.of(4L), 1, 0));
        TrainFeed pass = new TrainFeed(
                "train", 1, 2, 4, 2, 2, EpochMode.PASS, RowOrder.GLOBAL, 1, List.of(new Stratum("all", 8, 8)), epochs);
        assertThat(FeedFacts.of(pass).stages()).containsExactly(new FeedStage(0, 0, 4, List.of(16L)));
    }

    private static JsonNode welcome(ServedRun run, String feed) throws IOException {
        try (TestTrainer trainer = run.trainer(0).attach(feed, 0, 1, 0)) {
            return trainer.welcome();
        }
    }
}
