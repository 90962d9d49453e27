package io.rankfeed.feeder.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rings whose depth memory decides, and of which fewer slots are filled. */
@Timeout(120)
class ReadAheadTest {
    private static final int SLOTS = 9;

    @TempDir
    private Path folder;

    @Test
    void slots_heldByTheTrainer_areFilledWhateverIsReadAhead() throws Exception {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(1), SLOTS)) {
            run.server.readAhead(1);
            try (TestTrainer trainer = run.trainer(0).attach("train", 0, 1, 0)) {
                for (long step = 0; step < SLOTS; step++) {
                    assertThat(Objects.requireNonNull(trainer.next()).step()).isEqualTo(step);
                }
            }
        }
    }

    @Test
    void slots_beyondTheReadAhead_areSeldomFilled() throws Exception {
        CountingCatalog catalog = new CountingCatalog(2_000);
        try (ServedRun run = new ServedRun(folder, catalog, OptionalInt.of(1), SLOTS);
                TestTrainer trainer = run.trainer(0).attach("train", 0, 1, 0)) {
            double allInTurn = shareOfTwoSlots(trainer, 1_000);
            run.server.readAhead(1);
            shareOfTwoSlots(trainer, 100);
            assertThat(shareOfTwoSlots(trainer, 1_000)).isGreaterThan(allInTurn);
        }
    }

    /** Takes batches that are in order, and counts which slots they are in. */
    private static double shareOfTwoSlots(TestTrainer trainer, int count) throws Exception {
        Map<Integer, Integer> bySlot = new HashMap<>();
        long before = -1;
        for (int i = 0; i < count; i++) {
            TestTrainer.Batch batch = Objects.requireNonNull(trainer.next());
            assertThat(batch.step()).isEqualTo(before < 0 ? batch.step() : before + 1);
            before = batch.step();
            bySlot.merge(batch.slot(), 1, Integer::sum);
            trainer.release(batch);
        }
        List<Integer> counts = new ArrayList<>(bySlot.values());
        counts.sort((a, b) -> b - a);
        return counts.stream().limit(2).mapToInt(Integer::intValue).sum() / (double) count;
    }

    @Test
    void depth_fromAMinimum_isAsDeepAsHalfOfTheMemoryAllows() throws Exception {
        CountingCatalog catalog = new CountingCatalog(5, 1 << 20);
        long rings = 2 * 2;
        // Half of the memory, divided by two feeds of two ranks: 6 MiB, in which 5 slots of 1 MiB fit and 9 do not.
        long memoryBytes = 2 * rings * (6L << 20);
        try (ServedRun run =
                new ServedRun(folder, catalog, ServedRun.settings(OptionalInt.of(2), 2, SLOTS, memoryBytes))) {
            for (int rank = 0; rank < 2; rank++) {
                try (TestTrainer trainer = run.trainer(rank)) {
                    assertThat(trainer.greet(TestTrainer.hello("train", rank, 2, 0))
                                    .slot())
                            .isEqualTo(5);
                }
            }
        }
    }

    @Test
    void depth_withLittleMemory_isTheMinimum() throws Exception {
        CountingCatalog catalog = new CountingCatalog(5, 1 << 20);
        try (ServedRun run = new ServedRun(folder, catalog, ServedRun.settings(OptionalInt.of(1), 2, SLOTS, 6L << 20));
                TestTrainer trainer = run.trainer(0)) {
            assertThat(trainer.greet(TestTrainer.hello("train", 0, 1, 0)).slot())
                    .isEqualTo(2);
        }
    }
}
