package io.rankfeed.feeder.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.serve.protocol.FrameType;
import io.rankfeed.testing.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a client sends, it gets an ERROR or a closed socket, and another rank is not affected. */
@Timeout(300)
class ProtocolFuzzPropertyTest {
    private static final long SEED = Seed.of(ProtocolFuzzPropertyTest.class);
    private static final int CONNECTIONS = 400;

    @TempDir
    private Path folder;

    @Test
    void client_anyBytes_disturbsNoOtherRank() throws Exception {
        Random random = new Random(SEED);
        CountingCatalog catalog = new CountingCatalog(100_000);
        try (ServedRun run = new ServedRun(folder, catalog, OptionalInt.of(4), 2);
                TestTrainer healthy = run.trainer(0).attach("train", 0, 4, 0)) {
            for (int connection = 0; connection < CONNECTIONS; connection++) {
                try (TestTrainer wild = run.trainer(1 + random.nextInt(3))) {
                    abuse(random, wild);
                } catch (IOException e) {
                    // The feeder closed first, which is its right.
                }
                TestTrainer.Batch batch = Objects.requireNonNull(healthy.next());
                assertThat(batch.step())
                        .as("seed %d, connection %d", SEED, connection)
                        .isEqualTo(connection);
                healthy.release(batch);
            }
            ServedRun.until("every wild session over", () -> catalog.openSources.get() == 1);
            assertThat(run.segments()).hasSize(1);
            assertThat(run.log).noneMatch(line -> line.contains("defect"));
        }
    }

    private static void abuse(Random random, TestTrainer wild) throws IOException {
        if (random.nextInt(3) > 0) {
            int rank = 1 + random.nextInt(3);
            wild.greet(TestTrainer.hello(random.nextInt(5) == 0 ? "nothing" : "train", rank, 4, random.nextInt(9)));
            if (random.nextBoolean()) {
                wild.send(TestTrainer.ATTACHED, 0, 0, 0);
            }
        }
        for (int burst = random.nextInt(6); burst >= 0; burst--) {
            switch (random.nextInt(4)) {
                case 0 -> wild.sendRaw(bytes(random, random.nextInt(200)));
                case 1 -> wild.send(random.nextInt(12), random.nextInt(5), random.nextInt(4), random.nextInt(6));
                case 2 -> wild.send(TestTrainer.RELEASE, random.nextInt(65_536), random.nextInt(3), random.nextLong());
                default -> wild.sendHello(bytes(random, random.nextInt(300)));
            }
        }
    }

    private static byte[] bytes(Random random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    @Test
    void frames_outOfOrder_areProtocolErrors() throws IOException {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(4), 2)) {
            for (int type : List.of(
                    TestTrainer.WELCOME,
                    TestTrainer.ATTACHED,
                    TestTrainer.READY,
                    TestTrainer.RELEASE,
                    TestTrainer.BYE)) {
                refused(run, trainer -> trainer.send(type, 0, 0, 0));
            }
            refused(run, trainer -> trainer.send(11, 0, 0, 0));
            refused(run, trainer -> trainer.send(0, 0, 0, 0));
            refused(run, trainer -> trainer.send(TestTrainer.HELLO, 0, 1 << 21, FrameType.PROTOCOL_VERSION));
            refused(run, trainer -> trainer.send(TestTrainer.HELLO, 0, -1, FrameType.PROTOCOL_VERSION));
            refused(run, trainer -> trainer.sendHello(utf8("[]")));
            refused(run, trainer -> trainer.sendHello(utf8("{\"feed\":\"train\"}")));
            refused(run, trainer -> trainer.sendHello(utf8("[".repeat(100_000))));
            refused(
                    run,
                    trainer -> trainer.sendHello(
                            utf8(TestTrainer.hello("train", 1, 4, 0).replace("localRank", "LocalRank"))));
            refused(run, trainer -> trainer.sendHello(utf8(TestTrainer.hello("train", 1, 4, 4711))));
            refusedOnceAttached(run, trainer -> trainer.send(TestTrainer.ATTACHED, 0, 0, 0));
            refusedOnceAttached(run, trainer -> trainer.send(TestTrainer.SEEK, 0, 2, 0));
            refusedOnceAttached(run, trainer -> trainer.send(TestTrainer.SEEK, 0, 1, 11));
            refusedOnceAttached(run, trainer -> trainer.send(TestTrainer.SEEK, 0, 1, -1));
            refusedOnceAttached(run, trainer -> trainer.send(TestTrainer.RELEASE, 0, 0, 77));
            refusedOnceAttached(run, trainer -> trainer.send(TestTrainer.RELEASE, 2, 0, 1));
            refusedOnceAttached(run, trainer -> {
                TestTrainer.Batch batch = Objects.requireNonNull(trainer.next());
                trainer.release(batch);
                trainer.release(batch);
            });
            refusedOnceAttached(run, trainer -> trainer.sendHello(utf8(TestTrainer.hello("train", 1, 4, 0))));
        }
    }

    private interface Offence {
        void commit(TestTrainer trainer) throws IOException;
    }

    private static void refused(ServedRun run, Offence offence) throws IOException {
        try (TestTrainer trainer = run.trainer(1)) {
            offence.commit(trainer);
            TestTrainer.Frame answer = trainer.read();
            assertThat(answer.type()).isEqualTo(TestTrainer.ERROR);
            assertThat(answer.code()).isEqualTo("protocol");
            assertThat(answer.token()).isEqualTo(1);
        }
    }

    private static void refusedOnceAttached(ServedRun run, Offence offence) throws IOException {
        refused(run, trainer -> {
            trainer.attach("train", 1, 4, 0);
            offence.commit(trainer);
            ignoreBatches(trainer);
        });
    }

    /** READY frames may be on their way already; the ERROR comes after them. */
    private static void ignoreBatches(TestTrainer trainer) throws IOException {
        trainer.skipTo(TestTrainer.ERROR);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void refusal_hasCodeAndExitCode() throws IOException {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(4), 2)) {
            String good = TestTrainer.hello("train", 1, 4, 0);
            assertRefusal(run, 1, good.replace("\"world\":4", "\"world\":3"), "wrong-world", 2);
            assertRefusal(run, 1, good.replace("\"world\":4", "\"world\":2"), "wrong-world", 2);
            assertRefusal(run, 2, good, "wrong-rank", 2);
            assertRefusal(run, 1, good.replace("\"world\":4", "\"world\":1"), "wrong-rank", 2);
            assertRefusal(run, 1, good.replace("\"plan\":null", "\"plan\":\"ffffffffffffffff\""), "wrong-plan", 2);
            assertRefusal(run, 1, good.replace("train", "trian"), "config", 2);
            assertRefusal(run, 1, good.replace("\"columns\":null", "\"columns\":[{\"name\":\"y\"}]"), "bad-column", 2);
            assertRefusal(
                    run,
                    1,
                    good.replace("\"columns\":null", "\"columns\":[{\"name\":\"x\",\"layout\":\"oval\"}]"),
                    "bad-column",
                    2);
            run.catalog.damage(0);
            try (TestTrainer trainer = run.trainer(1).attach("train", 1, 4, 0)) {
                TestTrainer.Frame error = trainer.read();
                assertThat(error.code()).isEqualTo("corrupt");
                assertThat(error.token()).isEqualTo(3);
                assertThat(error.message()).contains("lane-00000-00000.arrow, byte 4711");
            }
            try (TestTrainer trainer = run.trainer(1)) {
                trainer.sendPayload(TestTrainer.HELLO, FrameType.PROTOCOL_VERSION + 1, utf8(good));
                assertThat(trainer.read().code()).isEqualTo("version");
            }
            try (TestTrainer trainer = run.trainer(1)) {
                byte[] flagged = ByteBuffer.wrap(TestTrainer.frame(TestTrainer.HELLO, 0, 0, FrameType.PROTOCOL_VERSION))
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put(1, (byte) 1)
                        .array();
                trainer.sendRaw(flagged);
                assertThat(trainer.read().code()).isEqualTo("protocol");
            }
        }
    }

    private static void assertRefusal(ServedRun run, int rank, String hello, String code, int exitCode)
            throws IOException {
        try (TestTrainer trainer = run.trainer(rank)) {
            TestTrainer.Frame answer = trainer.greet(hello);
            assertThat(answer.type()).isEqualTo(TestTrainer.ERROR);
            assertThat(answer.code()).isEqualTo(code);
            assertThat(answer.token()).isEqualTo(exitCode);
            assertThat(answer.message()).isNotBlank();
        }
    }
}
