package io.rankfeed.feeder.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.feeder.ring.SegmentName;
import io.rankfeed.feeder.ring.SharedMemory;
import io.rankfeed.feeder.serve.admission.FeederLock;
import io.rankfeed.feeder.serve.admission.Rendezvous;
import io.rankfeed.feeder.serve.admission.RunClaim;
import io.rankfeed.feeder.serve.admission.ServeSettings;
import io.rankfeed.feeder.serve.admission.SpaceCheck;
import io.rankfeed.feeder.serve.admission.VersionNamed;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class FeedServerTest {
    @TempDir
    private Path folder;

    @Test
    void ranks_allEpochs_getEachStepOnce() throws IOException {
        try (ServedRun run = new ServedRun(folder, OptionalInt.empty(), 3)) {
            List<Long> all = new ArrayList<>();
            for (int rank = 0; rank < 2; rank++) {
                try (TestTrainer trainer = run.trainer(rank).attach("train", rank, 2, 0)) {
                    assertThat(trainer.welcome().path("rows").asInt()).isEqualTo(8);
                    assertThat(trainer.welcome().path("graceSeconds").asInt()).isEqualTo(7);
                    assertThat(trainer.welcome().path("latest").asBoolean()).isTrue();
                    assertThat(trainer.welcome().path("feedFile").asText()).isEmpty();
                    assertThat(trainer.welcome().path("ranksHere").asInt()).isEqualTo(2);
                    for (long step = 0; step < 10; step++) {
                        TestTrainer.Batch batch = Objects.requireNonNull(trainer.next());
                        assertThat(batch.step()).isEqualTo(step);
                        assertThat(batch.epoch()).isEqualTo((int) step / 5);
                        assertThat(batch.stepInEpoch()).isEqualTo((int) step % 5);
                        assertThat(batch.sequence()).isEqualTo(step + 1);
                        for (long id : batch.rowIds()) {
                            all.add(id);
                        }
                        trainer.release(batch);
                    }
                    assertThat(trainer.next()).isNull();
                    trainer.send(TestTrainer.BYE, 0, 0, 0);
                }
            }
            assertThat(all).hasSize(160).doesNotHaveDuplicates();
        }
    }

    @Test
    void slots_unreleased_areNotFilled() throws IOException {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(1), 2);
                TestTrainer trainer = run.trainer(0).attach("train", 0, 1, 0)) {
            TestTrainer.Batch first = Objects.requireNonNull(trainer.next());
            TestTrainer.Batch second = Objects.requireNonNull(trainer.next());
            assertThat(second.slot()).isNotEqualTo(first.slot());
            trainer.release(second);
            TestTrainer.Batch third = Objects.requireNonNull(trainer.next());
            assertThat(third.slot()).isEqualTo(second.slot());
            // The first slot was never given back: it still holds what it held.
            assertThat(trainer.batch(new TestTrainer.Frame(4, first.slot(), 0, first.sequence(), null))
                            .rowIds())
                    .isEqualTo(first.rowIds());
        }
    }

    @Test
    void sequentialFeed_shortLastBatch_isServed() throws IOException {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(2), 4);
                TestTrainer train = run.trainer(0).attach("train", 0, 2, 0);
                TestTrainer valid = run.trainer(0).attach("valid", 0, 2, 1)) {
            assertThat(valid.welcome().path("kind").asText()).isEqualTo("sequential");
            assertThat(Objects.requireNonNull(valid.next()).rowIds()).hasSize(8);
            assertThat(Objects.requireNonNull(valid.next()).rowIds()).hasSize(4);
            assertThat(valid.next()).isNull();
            assertThat(Objects.requireNonNull(train.next()).step()).isZero();
            assertThat(run.segments()).hasSize(2);
        }
    }

    @Test
    void seek_newStream_startsAtTheStep() throws IOException {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(1), 2);
                TestTrainer trainer = run.trainer(0).attach("train", 0, 1, 10)) {
            assertThat(trainer.next()).isNull();
            trainer.send(TestTrainer.SEEK, 0, 1, 7);
            List<TestTrainer.Batch> batches = new ArrayList<>();
            TestTrainer.Batch batch = trainer.next();
            while (batch != null) {
                batches.add(batch);
                trainer.release(batch);
                batch = trainer.next();
            }
            assertThat(batches).extracting(TestTrainer.Batch::step).containsExactly(7L, 8L, 9L);
            assertThat(batches).extracting(TestTrainer.Batch::stream).containsOnly(1);
            assertThat(batches).extracting(TestTrainer.Batch::sequence).containsExactly(1L, 2L, 3L);
            assertThat(run.log)
                    .filteredOn(line -> line.startsWith("train of rank 0 "))
                    .satisfiesExactly(
                            line -> assertThat(line).contains("train of rank 0 attached", "world 1, step 10)"),
                            line -> assertThat(line)
                                    .startsWith("train of rank 0 (pid ")
                                    .endsWith("continues at step 7"));
        }
    }

    @Test
    void trainer_killed_isReplacedInNewGeneration() throws Exception {
        try (ServedRun run = new ServedRun(folder, OptionalInt.empty(), 2)) {
            for (int life = 1; life <= 20; life++) {
                try (TestTrainer trainer = run.trainer(1).attach("train", 1, 2, life % 10)) {
                    assertThat(trainer.welcome().path("generation").asInt()).isEqualTo(life);
                    assertThat(Objects.requireNonNull(trainer.next()).step()).isEqualTo(life % 10);
                    assertThat(run.segments()).hasSize(1);
                }
            }
            ServedRun.until("segment and source dropped", () -> run.catalog.openSources.get() == 0);
            assertThat(run.segments()).isEmpty();
            assertThat(run.server.quarantined()).isZero();
        }
    }

    @Test
    void trainer_otherWorld_isAdmittedAfterDeath() throws Exception {
        try (ServedRun run = new ServedRun(folder, OptionalInt.empty(), 2)) {
            for (int life = 1; life <= 20; life++) {
                int world = life % 2 == 0 ? 2 : 4;
                try (TestTrainer trainer = run.trainer(life % 2).attach("train", life % 2, world, 0)) {
                    assertThat(Objects.requireNonNull(trainer.next()).rowIds()).hasSize(16 / world);
                }
            }
        }
    }

    @Test
    void drain_informsTrainersAndLeavesNothing() throws Exception {
        ServedRun run = new ServedRun(folder, OptionalInt.of(2), 2);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(run.rendezvous.directory())))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(run.rendezvous.socket(0))))
                .isEqualTo("rw-------");
        assertThat(run.rendezvous.readyFile()).content().contains("\"ranks\": [", CountingCatalog.VERSION);
        try (TestTrainer trainer = run.trainer(0).attach("train", 0, 2, 0)) {
            TestTrainer.Frame one = trainer.read();
            TestTrainer.Frame two = trainer.read();
            run.close();
            run.close();
            assertThat(trainer.read().type()).isEqualTo(TestTrainer.DRAIN);
            assertThat(trainer.batch(one).step()).isZero();
            assertThat(trainer.batch(two).step()).isEqualTo(1);
            assertThatThrownBy(trainer::read).isInstanceOf(IOException.class);
        }
        assertThat(run.segments()).isEmpty();
        assertThat(run.rendezvous.directory()).doesNotExist();
        assertThat(run.catalog.openSources).hasValue(0);
    }

    @Test
    void start_afterKill_removesItsFiles() throws Exception {
        Rendezvous rendezvous = Rendezvous.of(
                "r", Map.of("XDG_RUNTIME_DIR", folder.resolve("run").toString()));
        Files.createDirectories(folder.resolve("run"));
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        Path orphan = Files.createDirectories(folder.resolve("shm"))
                .resolve(new SegmentName(rendezvous.uid(), "5de03bf3", 0, "train", ended.pid(), 2).fileName());
        Files.setLastModifiedTime(Files.createFile(orphan), FileTime.fromMillis(0));
        rendezvous.make();
        Files.writeString(rendezvous.socket(9), "");
        Files.writeString(rendezvous.directory().resolve(".feeder-1.json"), "{");
        Files.writeString(rendezvous.readyFile(), "{}");
        try (ServedRun run = new ServedRun(folder, OptionalInt.empty(), 2)) {
            assertThat(orphan).doesNotExist();
            assertThat(rendezvous.socket(9)).doesNotExist();
            assertThat(rendezvous.directory().resolve(".feeder-1.json")).doesNotExist();
            assertThat(run.rendezvous.readyFile()).content().contains("\"lanes\": 4");
        }
        assertThat(rendezvous.directory()).doesNotExist();
    }

    @Test
    void start_duringCleanup_waits() throws Exception {
        Rendezvous rendezvous = Rendezvous.of("r", Map.of("XDG_RUNTIME_DIR", folder.toString()));
        rendezvous.make();
        Files.writeString(rendezvous.lockFile(), "pid 999999999 (since long ago)\n");
        FeederLock sweeper = FeederLock.takeFree(rendezvous).orElseThrow();
        CompletableFuture<RunClaim> claim = new CompletableFuture<>();
        Thread starting = Thread.ofPlatform()
                .start(() ->
                        claim.complete(RunClaim.take(rendezvous, CountingCatalog.VERSION, new SharedMemory(folder))));
        ServedRun.until("waiting", () -> starting.getState() == Thread.State.TIMED_WAITING);
        sweeper.close();
        try (RunClaim taken = claim.get(10, TimeUnit.SECONDS)) {
            assertThat(taken.rendezvous().lockFile()).content().contains("version " + CountingCatalog.VERSION);
        }
        assertThat(rendezvous.directory()).doesNotExist();
    }

    @Test
    void rings_withoutRoom_areReportedAtStart() throws IOException {
        Path shm = Files.createDirectories(folder.resolve("shm"));
        Rendezvous rendezvous = Rendezvous.of("r", Map.of("XDG_RUNTIME_DIR", folder.toString()));
        long slotBytes = 1L << 44;
        CountingCatalog catalog = new CountingCatalog(5, slotBytes);
        long needed = 8 * (3 * 4096 + 64 * 448 + 2 * slotBytes);
        RunClaim claim = RunClaim.take(rendezvous, CountingCatalog.VERSION, new SharedMemory(shm));
        assertThatThrownBy(() -> claim.requireSpace(catalog, ServedRun.settings(OptionalInt.of(4), 2), line -> {}))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining(String.format("8 rings of depth 2 need %,d bytes (256.0 TiB)", needed))
                .hasMessageContaining("are available")
                .hasMessageContaining("--world")
                .hasMessageContaining("--ranks")
                .hasMessageContaining("--feeds")
                .hasMessageContaining("--depth")
                .hasMessageContaining("or enlarge " + shm);
        claim.close();
        assertThat(rendezvous.directory()).doesNotExist();
        assertThat(catalog.openSources).hasValue(0);
    }

    @Test
    void message_oneRing_isSingular() {
        ServeSettings one = new ServeSettings(
                new TreeSet<>(List.of(0)),
                OptionalInt.of(1),
                new TreeSet<>(List.of("train")),
                Map.of(),
                Map.of(),
                VersionNamed.FIXED,
                2,
                2,
                Long.MAX_VALUE,
                0,
                7);
        assertThatThrownBy(() ->
                        SpaceCheck.require(new CountingCatalog(5, 1L << 44), one, new SharedMemory(folder), line -> {}))
                .hasMessageContaining(": 1 ring of depth 2 needs ");
    }

    @Test
    void table_widerThanRing_isServedByColumns() throws IOException {
        CountingCatalog catalog = new CountingCatalog(5);
        catalog.beWide();
        try (ServedRun run = new ServedRun(folder, catalog, OptionalInt.of(1), 2)) {
            assertThat(run.log).anyMatch(line -> line.contains("feed 'train' with every column: 3001 tensors"));
            try (TestTrainer all = run.trainer(0)) {
                TestTrainer.Frame answer = all.greet(TestTrainer.hello("train", 0, 1, 0));
                assertThat(answer.code()).isEqualTo("bad-column");
                assertThat(answer.message()).contains("3001 tensors");
            }
            try (TestTrainer some = run.trainer(0)) {
                String named = TestTrainer.hello("train", 0, 1, 0)
                        .replace("\"columns\":null", "\"columns\":[{\"name\":\"row_id\"},{\"name\":\"x\"}]");
                some.greet(named);
                some.map();
                some.send(TestTrainer.ATTACHED, 0, 0, 0);
                assertThat(some.next()).isNotNull();
            }
        }
    }

    @Test
    void trainer_ringTooLarge_isRefusedAlone() throws IOException {
        CountingCatalog catalog = new CountingCatalog(5);
        try (ServedRun run = new ServedRun(folder, catalog, OptionalInt.empty(), 2);
                TestTrainer other = run.trainer(1).attach("train", 1, 4, 0)) {
            catalog.needSlotsOf(1L << 44);
            try (TestTrainer trainer = run.trainer(0)) {
                TestTrainer.Frame answer = trainer.greet(TestTrainer.hello("train", 0, 4, 0));
                assertThat(answer.code()).isEqualTo("shm-full");
                assertThat(answer.token()).isEqualTo(4);
            }
            assertThat(run.segments()).hasSize(1);
            assertThat(catalog.openSources).hasValue(1);
            assertThat(other.next()).isNotNull();
            catalog.needSlotsOf(0);
            try (TestTrainer again = run.trainer(0).attach("train", 0, 4, 0)) {
                assertThat(again.next()).isNotNull();
            }
        }
    }

    @Test
    void runName_leavingFolderOrTooLong_isRefused() {
        for (String name : List.of("", ".", "..", "a/b", "-x", ".x", "x".repeat(65), "a b", "a\u0000b")) {
            assertThatThrownBy(() -> Rendezvous.of(name, Map.of())).isInstanceOf(ConfigException.class);
        }
        Rendezvous deep = Rendezvous.of("x".repeat(64), Map.of("XDG_RUNTIME_DIR", "/tmp/" + "d".repeat(60)));
        assertThatThrownBy(() -> deep.socket(0))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("107");
    }

    @Test
    void rendezvous_link_isRefused() throws IOException {
        Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
        Files.createSymbolicLink(folder.resolve("rankfeed"), elsewhere);
        Rendezvous rendezvous = Rendezvous.of("r", Map.of("XDG_RUNTIME_DIR", folder.toString()));
        assertThatThrownBy(rendezvous::make)
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("symbolic link");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void bye_duringFill_isRead() throws Exception {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(1), 2)) {
            CountingCatalog.Gate gate = run.catalog.gateAt(2);
            try (TestTrainer trainer = run.trainer(0).attach("train", 0, 1, 0)) {
                trainer.release(Objects.requireNonNull(trainer.next()));
                trainer.next();
                gate.entered().await();
                trainer.send(TestTrainer.BYE, 0, 1, 0);
            }
            gate.opened().countDown();
            ServedRun.until("trainer gone", () -> run.catalog.openSources.get() == 0);
            assertThat(run.server.ranks()).singleElement().satisfies(report -> {
                assertThat(report.rows()).as("one given back, one in hand").isEqualTo(32);
            });
        }
    }

    @Test
    void report_everyRank_hasItsRows() throws Exception {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(2), 2)) {
            try (TestTrainer trainer = run.trainer(1).attach("train", 1, 2, 6)) {
                trainer.release(Objects.requireNonNull(trainer.next()));
                trainer.release(Objects.requireNonNull(trainer.next()));
                trainer.next();
                trainer.next();
                trainer.send(TestTrainer.BYE, 0, 1, 0);
            }
            ServedRun.until("trainer gone", () -> run.catalog.openSources.get() == 0);
            assertThat(run.server.ranks()).singleElement().satisfies(report -> {
                assertThat(report.key().rank()).isEqualTo(1);
                assertThat(report.rows())
                        .as("two given back, one in hand, one never taken")
                        .isEqualTo(24);
                assertThat(report.batches()).isEqualTo(3);
                assertThat(report.strata(run.catalog)).containsOnlyKeys(0);
                assertThat(Objects.requireNonNull(report.strata(run.catalog).get(0)))
                        .containsEntry("all", 24L);
            });
        }
    }
}
