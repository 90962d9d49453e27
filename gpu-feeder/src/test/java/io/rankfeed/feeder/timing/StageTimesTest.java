package io.rankfeed.feeder.timing;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.testing.Seed;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StageTimesTest {
    private final ByteBuffer bytes = ByteBuffer.allocate(StageTable.BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private static LongStream seeds() {
        return Seed.several(StageTimesTest.class, 20);
    }

    @Test
    void table_ofBothSides_isRead() {
        StageTable table = new StageTable();
        long[] words = new long[StageTable.BYTES / Long.BYTES];
        table.moveTo(MemorySegment.ofArray(words));
        table.stage("fill").record(2_000, 64);
        table.stage("fill").record(500);
        table.stage("random_crop").record(7);
        bytes.asLongBuffer().put(words);
        client(0, "wait_batch", 3, 900);
        client(1, "rm -rf\u001b", 3, 900);
        client(2, "trainer", -1, Long.MIN_VALUE);

        StageTimes read = StageTimes.read(bytes, 42);
        assertThat(read.attachedNanos()).isEqualTo(42);
        assertThat(read.stages())
                .containsOnlyKeys("fill", "random_crop", "trainer", "wait_batch")
                .containsEntry("random_crop", new StageTimes.Sum(1, 7))
                .containsEntry("trainer", new StageTimes.Sum(0, 0));
        assertThat(List.of(read.count("fill"), read.nanos("fill"))).containsExactly(2L, 2_500L);
        assertThat(List.of(read.count("wait_batch"), read.nanos("wait_batch"))).containsExactly(3L, 900L);
        assertThat(read.nanos("decode")).isZero();
        assertThat(read.quantile("fill", 0.5)).isEqualTo(500e-9);
        assertThat(read.quantile("fill", 0.51)).isEqualTo(2_000e-9);
        assertThat(read.quantile("decode", 0.5)).isZero();
        table.stage("wait_slot").record(0);
        table.stage("wait_slot").record(0);
        table.stage("wait_slot").record(126);
        bytes.asLongBuffer().put(words);
        assertThat(StageTimes.read(bytes, 42).quantile("wait_slot", 0.5)).isZero();
        assertThat(StageTimes.read(bytes, 42).quantile("wait_slot", 0.99)).isEqualTo(250e-9);
    }

    private void client(int entry, String name, long count, long nanos) {
        int at = entry * StageTimer.BYTES;
        for (int i = 0; i < name.length(); i++) {
            bytes.put(at + i, (byte) name.charAt(i));
        }
        bytes.putLong(at + 64, count).putLong(at + 72, nanos);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anyBytes_areReadAsNumbersOf0OrMore(long seed) {
        Random random = new Random(seed);
        random.nextBytes(bytes.array());
        for (int entry = 0; entry < StageTable.ENTRIES; entry++) {
            for (int i = 0; i < 48; i++) {
                bytes.put(entry * StageTimer.BYTES + i, (byte) (i == 0 ? 'a' + random.nextInt(3) : 0));
            }
        }
        StageTimes read = StageTimes.read(bytes, 1);
        assertThat(read.stages()).containsOnlyKeys("a", "b", "c");
        assertThat(read.plus(read).stages().values()).allMatch(sum -> sum.count() >= 0 && sum.nanos() >= 0);
    }

    @Test
    void differences_areNotNegative() {
        StageTimes early = new StageTimes(5, new TreeMap<>(Map.of("fill", new StageTimes.Sum(2, 10))));
        StageTimes late = new StageTimes(9, new TreeMap<>(Map.of("fill", new StageTimes.Sum(3, 4))));
        assertThat(late.since(early))
                .isEqualTo(new StageTimes(4, new TreeMap<>(Map.of("fill", new StageTimes.Sum(1, 0)))));
        assertThat(StageTimes.NONE.since(early).nanos("fill")).isZero();
    }
}
