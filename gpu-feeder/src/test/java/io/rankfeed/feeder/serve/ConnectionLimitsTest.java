package io.rankfeed.feeder.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.feeder.ring.MemoryBudget;
import io.rankfeed.feeder.serve.protocol.Deadlines;
import io.rankfeed.feeder.serve.protocol.WireBuffers;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Opens connections that send nothing, stop within a frame or end: their memory is bounded, and other clients can
 * connect.
 */
class ConnectionLimitsTest {
    private static final int WITHOUT_HELLO = 400;
    private static final Deadlines SHORT = new Deadlines(1_000_000, 1_000_000);

    @TempDir
    private Path folder;

    @Test
    void connections_silent_yieldToNewOnes() throws Exception {
        List<TestTrainer> silent = new ArrayList<>();
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(2), 3)) {
            for (int i = 0; i < WITHOUT_HELLO; i++) {
                silent.add(run.trainer(0));
            }
            try (TestTrainer trainer = run.trainer(0).attach("train", 0, 2, 0)) {
                assertThat(Objects.requireNonNull(trainer.next()).step()).isZero();
                ServedRun.until("few threads are left", () -> threads("rankfeed-rank-0") <= 20);
            }
        } finally {
            for (TestTrainer trainer : silent) {
                trainer.close();
            }
        }
    }

    @Test
    void connection_withoutHello_endsAtDeadline() throws Exception {
        try (ServedRun run = new ServedRun(folder, new CountingCatalog(5), OptionalInt.of(2), 3, SHORT);
                TestTrainer trainer = run.trainer(0)) {
            TestTrainer.Frame error = trainer.read();
            assertThat(error.type()).isEqualTo(TestTrainer.ERROR);
            assertThat(error.code()).isEqualTo("protocol");
            assertThat(error.message()).contains("no HELLO within ");
        }
    }

    @Test
    void hello_withoutAttached_endsAtDeadline() throws Exception {
        Deadlines deadlines = new Deadlines(Deadlines.OF_RING.helloNanos(), 200_000_000);
        try (ServedRun run = new ServedRun(folder, new CountingCatalog(5), OptionalInt.of(2), 3, deadlines);
                TestTrainer stuck = run.trainer(0)) {
            stuck.greet(TestTrainer.hello("train", 0, 2, 0));
            TestTrainer.Frame error = stuck.read();
            assertThat(error.code()).isEqualTo("protocol");
            assertThat(error.message()).contains("no ATTACHED within 0.2 s of WELCOME");
            try (TestTrainer next = run.trainer(0).attach("train", 0, 2, 0)) {
                assertThat(Objects.requireNonNull(next.next()).step()).isZero();
            }
        }
    }

    @Test
    void connections_many_reuseMemory() throws Exception {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(2), 3)) {
            long before = 0;
            for (int i = 0; i < 300; i++) {
                try (TestTrainer trainer = run.trainer(0).attach("train", 0, 2, 0)) {
                    assertThat(trainer.next()).isNotNull();
                }
                ServedRun.until("the segment is dropped", () -> noSegments(run));
                if (i == 20) {
                    before = directBytes();
                }
            }
            // The test's own mappings are not among them; a pair of buffers may be taken once more.
            assertThat(directBytes()).isLessThanOrEqualTo(before + 2 * WireBuffers.PAIR_BYTES);
        }
    }

    @Test
    void padValue_outOfRange_isBadColumn() throws Exception {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(2), 3)) {
            for (String value : List.of("1e400", "-1e400", "1e99999")) {
                try (TestTrainer trainer = run.trainer(0)) {
                    TestTrainer.Frame error = trainer.greet(TestTrainer.hello("train", 0, 2, 0)
                            .replace(
                                    "\"columns\":null",
                                    "\"columns\":[{\"name\":\"row_id\",\"padValue\":" + value + "}]"));
                    assertThat(error.code()).as(value).isEqualTo("bad-column");
                    assertThat(error.message()).contains("'row_id'").contains("64-bit float");
                }
            }
        }
    }

    @Test
    void segment_truncated_endsOnlyItsRank() throws Exception {
        try (ServedRun run = new ServedRun(folder, OptionalInt.of(2), 3);
                TestTrainer victim = run.trainer(0);
                TestTrainer other = run.trainer(1).attach("train", 1, 2, 0)) {
            victim.greet(TestTrainer.hello("train", 0, 2, 0));
            String segment = victim.welcome().path("segment").asText();
            try (FileChannel file = FileChannel.open(Path.of(segment), StandardOpenOption.WRITE)) {
                file.truncate(4096);
            }
            victim.send(TestTrainer.ATTACHED, 0, 0, 0);
            TestTrainer.Frame error = victim.read();
            assertThat(error.code()).isEqualTo("segment");
            assertThat(error.message()).contains(segment).contains("truncated");
            assertThat(Objects.requireNonNull(other.next()).step()).isZero();
        }
    }

    @Test
    void connectionBuffers_countAsMemory() {
        MemoryBudget budget = new MemoryBudget(2 * WireBuffers.PAIR_BYTES);
        WireBuffers buffers = new WireBuffers(budget);
        WireBuffers.Pair first = buffers.take();
        buffers.take();
        assertThatThrownBy(buffers::take).hasMessageContaining("--memory");
        buffers.giveBack(first);
        assertThat(buffers.take().inbox()).isSameAs(first.inbox());
    }

    private static boolean noSegments(ServedRun run) {
        try {
            return run.segments().isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    private static long threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .count();
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
