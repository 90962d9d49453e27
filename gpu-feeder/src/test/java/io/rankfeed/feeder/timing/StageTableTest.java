package io.rankfeed.feeder.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of timers that a feeder writes and a client reads; the bytes are those of docs/format/ring.md, section 7. */
class StageTableTest {
    private final MemorySegment memory = MemorySegment.ofArray(new long[StageTable.BYTES / Long.BYTES]);
    private final StageTable table = new StageTable();

    private long number(int entry, int offset) {
        return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, (long) entry * 448 + offset);
    }

    private String name(int entry) {
        byte[] ascii = memory.asSlice((long) entry * 448, 48).toArray(ValueLayout.JAVA_BYTE);
        return new String(ascii, StandardCharsets.US_ASCII).replace("\0", "");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "125, 0", "126, 1", "250, 1", "251, 2", "500, 2", "501, 3", "1000, 3", "9223372036854775807, 35"
    })
    void duration_atABound_belongsToTheBucketBelow(long nanos, int bucket) {
        assertThat(StageTimer.bucket(nanos)).isEqualTo(bucket);
    }

    @Test
    void records_beforeTheRingFile_moveIntoIt() {
        StageTimer fill = table.stage("fill");
        fill.record(1_000, 6_144);
        table.moveTo(memory);
        fill.record(-5);
        table.stage("read").addFaults(3);
        table.stage("fill").record(300);

        assertThat(name(8)).isEqualTo("fill");
        assertThat(List.of(number(8, 64), number(8, 72), number(8, 80))).containsExactly(3L, 1_300L, 6_144L);
        assertThat(List.of(number(8, 128), number(8, 128 + 16), number(8, 128 + 24)))
                .containsExactly(1L, 1L, 1L);
        assertThat(name(9)).isEqualTo("read");
        assertThat(number(9, 88)).isEqualTo(3);
        assertThat(name(10)).isEmpty();
    }

    @Test
    void records_ofSeveralThreads_areAllCounted() throws InterruptedException {
        table.moveTo(memory);
        StageTimer timer = table.stage("decode");
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int k = 0; k < 50_000; k++) {
                    timer.record(200);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(List.of(number(8, 64), number(8, 72), number(8, 136)))
                .containsExactly(200_000L, 40_000_000L, 200_000L);
    }

    @Test
    void stages_withoutAFreeEntry_shareTheLast() {
        table.moveTo(memory);
        for (int i = 0; i < 80; i++) {
            table.stage("stage" + i).record(1);
        }
        assertThat(name(7)).isEmpty();
        assertThat(name(62)).isEqualTo("stage54");
        assertThat(name(63)).isEqualTo("other");
        assertThat(number(63, 64)).isEqualTo(25);
        assertThatThrownBy(() -> new StageTable().stage("x".repeat(48))).hasMessageContaining("47 characters");
    }
}
