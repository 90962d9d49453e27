package io.rankfeed.feeder.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills trainers in processes of their own, which hold the kernel's lock. */
@Timeout(300)
class TrainerDeathIT {
    @TempDir
    private Path folder;

    @Test
    void trainer_killed_freesSlotsAndOtherRankContinues() throws Exception {
        CountingCatalog catalog = new CountingCatalog(100_000);
        try (ServedRun run = new ServedRun(folder, catalog, OptionalInt.of(2), 2);
                TestTrainer other = run.trainer(1).attach("train", 1, 2, 0)) {
            for (int life = 1; life <= 5; life++) {
                TrainerProcess trainer = TrainerProcess.start(run.rendezvous.socket(0), 0, 2);
                assertThat(trainer.ask("take")).isEqualTo("0");
                assertThat(run.segments()).hasSize(2);
                trainer.kill();
                ServedRun.until("the killed trainer's segment dropped", () -> catalog.openSources.get() == 1);
                assertThat(run.segments()).hasSize(1);
                assertThat(run.server.quarantined()).isZero();
                TestTrainer.Batch batch = Objects.requireNonNull(other.next());
                assertThat(batch.step()).isEqualTo(life - 1);
                other.release(batch);
            }
        }
    }

    @Test
    void segment_stillMapped_isNotWritten() throws Exception {
        CountingCatalog catalog = new CountingCatalog(100_000);
        try (ServedRun run = new ServedRun(folder, catalog, OptionalInt.of(1), 2)) {
            try (TrainerProcess trainer = TrainerProcess.start(run.rendezvous.socket(0), 0, 1)) {
                assertThat(trainer.ask("take")).isEqualTo("0");
                assertThat(trainer.ask("hang-up")).isEqualTo("hung up");
                ServedRun.until("quarantine", () -> run.server.quarantined() == 1);
                assertThat(run.segments()).isEmpty();
                try (TestTrainer next = run.trainer(0).attach("train", 0, 1, 7)) {
                    assertThat(next.welcome().path("generation").asInt()).isEqualTo(2);
                    for (int step = 7; step < 50; step++) {
                        TestTrainer.Batch batch = Objects.requireNonNull(next.next());
                        assertThat(batch.step()).isEqualTo(step);
                        next.release(batch);
                    }
                    assertThat(trainer.ask("look")).isEqualTo("0");
                    assertThat(run.server.quarantined()).isEqualTo(1);
                }
                trainer.kill();
            }
            ServedRun.until("out of quarantine", () -> run.server.quarantined() == 0);
        }
    }

    @Test
    void trainer_secondOfRank_isRefused() throws Exception {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(2), 2);
                TrainerProcess trainer = TrainerProcess.start(run.rendezvous.socket(0), 0, 2)) {
            assertThat(trainer.ask("take")).isEqualTo("0");
            try (TestTrainer second = run.trainer(0)) {
                TestTrainer.Frame answer = second.greet(TestTrainer.hello("train", 0, 2, 0));
                assertThat(answer.code()).isEqualTo("busy");
                assertThat(answer.token()).isEqualTo(4);
            }
            assertThat(trainer.ask("take")).isEqualTo("16");
        }
    }

    @Test
    void world_ofFirstTrainer_holdsUntilAllLeave() throws Exception {
        try (ServedRun run = new ServedRun(folder, OptionalInt.empty(), 2)) {
            try (TrainerProcess trainer = TrainerProcess.start(run.rendezvous.socket(0), 0, 2);
                    TestTrainer other = run.trainer(1)) {
                TestTrainer.Frame refusal = other.greet(TestTrainer.hello("train", 1, 4, 0));
                assertThat(refusal.code()).isEqualTo("wrong-world");
                assertThat(refusal.token()).isEqualTo(2);
                assertThat(refusal.message()).contains("world of 2");
                assertThat(trainer.ask("take")).isEqualTo("0");
            }
            try (TestTrainer next = run.trainer(1).attach("train", 1, 4, 0)) {
                assertThat(Objects.requireNonNull(next.next()).rowIds()).hasSize(4);
            }
        }
    }

    @Test
    void trainer_deadWithForkedSocket_isReplaced() throws Exception {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(2), 2);
                TestTrainer dead = run.trainer(0).attach("train", 0, 2, 0)) {
            // No process holds a lock, yet the socket is open: all that is left of a trainer killed after a fork.
            assertThat(dead.next()).isNotNull();
            try (TestTrainer next = run.trainer(0).attach("train", 0, 2, 3)) {
                assertThat(Objects.requireNonNull(next.next()).step()).isEqualTo(3);
                assertThat(next.welcome().path("generation").asInt()).isEqualTo(2);
            }
        }
        try (ServedRun run = new ServedRun(folder, OptionalInt.empty(), 2);
                TestTrainer dead = run.trainer(1).attach("train", 1, 2, 0)) {
            assertThat(dead.next()).isNotNull();
            try (TestTrainer next = run.trainer(0).attach("train", 0, 1, 3)) {
                assertThat(Objects.requireNonNull(next.next()).rowIds()).hasSize(16);
            }
        }
    }
}
