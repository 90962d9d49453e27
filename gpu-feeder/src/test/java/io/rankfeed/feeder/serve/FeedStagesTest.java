package io.rankfeed.feeder.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.serve.admission.RankState;
import io.rankfeed.feeder.timing.StageTimes;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The stage tables of all trainers of a server. */
@Timeout(120)
class FeedStagesTest {
    @TempDir
    private Path folder;

    @Test
    void stages_ofAFeed_areSummedOverRanksAndConnections() throws Exception {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(2), 2)) {
            for (int rank = 0; rank < 2; rank++) {
                for (int connection = 0; connection < 2; connection++) {
                    int ended = 2 * rank + connection;
                    try (TestTrainer trainer = run.trainer(rank).attach("train", rank, 2, 0)) {
                        TestTrainer.Batch batch = Objects.requireNonNull(trainer.next());
                        trainer.publish(0, "wait_batch", 3, 1_000_000);
                        trainer.publish(1, "\u001b[31m", 3, 1_000_000);
                        assertThat(waited(run).nanos()).isEqualTo((ended + 1) * 1_000_000L);
                        trainer.release(batch);
                        trainer.send(TestTrainer.BYE, 0, 0, 0);
                    }
                    ServedRun.until("trainer gone", () -> run.catalog.openSources.get() == 0);
                }
            }
            assertThat(times(run)).containsOnlyKeys("train");
            StageTimes train = Objects.requireNonNull(times(run).get("train"));
            assertThat(train.stages()).containsOnlyKeys("fill", "wait_slot", "wait_batch");
            assertThat(train.count("wait_batch")).isEqualTo(12);
            assertThat(train.count("fill")).isBetween(4L, 12L);
            assertThat(train.attachedNanos()).isPositive();
            assertThat(run.server.ranks())
                    .as("each rank has the waits of its stage tables")
                    .extracting(rank -> rank.times().nanos("wait_batch"))
                    .containsExactly(2_000_000L, 2_000_000L);
            assertThat(run.server.ranks().stream()
                            .mapToLong(rank -> rank.times().attachedNanos())
                            .sum())
                    .isEqualTo(train.attachedNanos());
        }
    }

    @Test
    void amountOfFills_isThatOfTheirValues() throws Exception {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(1), 2);
                TestTrainer trainer = run.trainer(0).attach("train", 0, 1, 0)) {
            int fill = 9;
            int rows = Objects.requireNonNull(trainer.next()).rowIds().size();
            ServedRun.until("both slots", () -> trainer.stage(fill, 64) == 2);
            long bytesOfRow = 8L + 4L * CountingCatalog.PAYLOAD_INTS;
            ServedRun.until("their bytes", () -> trainer.stage(fill, 80) == 2L * rows * bytesOfRow);
        }
    }

    private static SortedMap<String, StageTimes> times(ServedRun run) {
        return RankState.timesByFeed(run.server.ranks());
    }

    private static StageTimes.Sum waited(ServedRun run) {
        return Objects.requireNonNull(
                Objects.requireNonNull(times(run).get("train")).stages().get("wait_batch"));
    }

    @Test
    void state_ofARank_hasItsRingWhileATrainerIsAttached() throws Exception {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(1), 2)) {
            try (TestTrainer trainer = run.trainer(0).attach("train", 0, 1, 0)) {
                TestTrainer.Batch batch = Objects.requireNonNull(trainer.next());
                ServedRun.until("full ring", () -> state(run).filledSlots() == 2);
                assertThat(state(run).ring())
                        .hasValueSatisfying(ring -> assertThat(ring.slots()).isEqualTo(2));
                assertThat(state(run).rows()).isZero();
                trainer.release(batch);
                ServedRun.until("batch counted", () -> state(run).batches() == 1);
                assertThat(state(run).rows()).isEqualTo(CountingCatalog.BATCH);
                trainer.send(TestTrainer.BYE, 0, 0, 0);
            }
            ServedRun.until("trainer gone", () -> state(run).ring().isEmpty());
            assertThat(state(run).filledSlots()).isZero();
            assertThat(state(run).connections()).isEqualTo(1);
            assertThat(state(run).times().count("fill")).isPositive();
        }
    }

    private static RankState state(ServedRun run) {
        return run.server.ranks().getFirst();
    }

    @Test
    void stages_ofARingFileThatWasTruncated_areZero() throws Exception {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(1), 2);
                TestTrainer trainer = run.trainer(0).attach("train", 0, 1, 0)) {
            assertThat(trainer.next()).isNotNull();
            try (FileChannel file = trainer.map()) {
                file.truncate(4096);
            }
            assertThat(times(run).get("train"))
                    .satisfies(train -> assertThat(train.stages()).isEmpty());
        }
    }
}
