package io.rankfeed.feeder.timing;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Waits in the kernel stand for pages of a disk: the timer cannot tell them apart. */
class ReadTimerTest {
    private static final long WORK_NANOS = 5_000_000;

    private final MemorySegment memory = MemorySegment.ofArray(new long[StageTable.BYTES / Long.BYTES]);
    private final StageTable table = new StageTable();
    private final ReadTimer reads = new ReadTimer(table);
    private final StageTimer copies = table.stage("assemble");

    private StageTimes times() {
        table.moveTo(memory);
        ByteBuffer bytes = ByteBuffer.wrap(memory.toArray(ValueLayout.JAVA_BYTE));
        return StageTimes.read(bytes.order(ByteOrder.LITTLE_ENDIAN), 1);
    }

    private static void sleep() {
        long end = System.nanoTime() + WORK_NANOS;
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(WORK_NANOS);
        }
    }

    private static void compute() {
        long end = System.nanoTime() + WORK_NANOS;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private void shard(Runnable work) {
        reads.begin();
        long begun = System.nanoTime();
        work.run();
        reads.record(copies, System.nanoTime() - begun);
    }

    @Test
    void touchedBytes_areReading() {
        reads.touch(MemorySegment.ofArray(new byte[10_000]), 4, 9_996);
        assertThat(times().count("read")).isEqualTo(1);
        assertThat(times().count("assemble")).isZero();
        assertThat(memory.get(ValueLayout.JAVA_LONG, 8 * StageTimer.BYTES + 80)).isEqualTo(9_996);
    }

    @Test
    void waits_ofSlowWork_areReading() {
        for (int i = 0; i < 20; i++) {
            shard(ReadTimerTest::sleep);
        }
        StageTimes times = times();
        assertThat(times.count("assemble")).isEqualTo(20);
        assertThat(times.count("read"))
                .as("the first slow work alone is not known")
                .isEqualTo(19);
        assertThat(times.nanos("read")).isGreaterThan(5 * times.nanos("assemble"));
        assertThat(times.nanos("read") + times.nanos("assemble")).isGreaterThanOrEqualTo(20 * WORK_NANOS);
    }

    @Test
    void computation_isNotReading_howeverLongTheThreadWaitedBefore() {
        for (int i = 0; i < 20; i++) {
            sleep();
            shard(ReadTimerTest::compute);
        }
        StageTimes times = times();
        assertThat(times.nanos("assemble")).isGreaterThan(10 * times.nanos("read"));
    }

    @Test
    void waits_amongFastWork_areFoundAgain() {
        for (int i = 0; i < 20; i++) {
            shard(ReadTimerTest::sleep);
            for (int k = 0; k < 200; k++) {
                shard(() -> {});
            }
        }
        StageTimes times = times();
        assertThat(times.nanos("read")).isGreaterThan(2 * times.nanos("assemble"));
    }
}
