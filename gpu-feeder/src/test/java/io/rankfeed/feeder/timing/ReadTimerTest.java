package io.rankfeed.feeder.timing;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Waits in the kernel stand for pages of a disk, as the timer cannot distinguish them. */
class ReadTimerTest {
    private static final long WORK_NANOS = 5_000_000;

    private final MemorySegment memory = MemorySegment.ofArray(new long[StageTable.BYTES / Long.BYTES]);
    private final StageTable table = new StageTable();
    private final Counters thread = new Counters();
    private final ThreadUsage usage = new ThreadUsage(thread);
    private final ReadTimer reads = new ReadTimer(table, () -> usage);
    private final StageTimer copies = table.stage("assemble");
    private final StageTimer texts = table.stage("text");

    private static final class Counters implements ThreadCounters {
        private long faults;
        private long bytes;
        private long switches;
        private long idle;
        private long now;

        @Override
        public void read() {}

        @Override
        public long faults() {
            return faults;
        }

        @Override
        public long diskBytes() {
            return bytes;
        }

        @Override
        public long switches() {
            return switches;
        }

        @Override
        public long idleNanos() {
            return idle;
        }

        @Override
        public long nanos() {
            return now;
        }

        void sleep() {
            switches++;
            idle += WORK_NANOS;
            now += WORK_NANOS;
        }
    }

    private StageTimes times() {
        table.moveTo(memory);
        ByteBuffer bytes = ByteBuffer.wrap(memory.toArray(ValueLayout.JAVA_BYTE));
        return StageTimes.read(bytes.order(ByteOrder.LITTLE_ENDIAN), 1);
    }

    private void sleepingShard() {
        reads.begin();
        thread.sleep();
        reads.record(copies, WORK_NANOS);
    }

    private void shard(long nanos) {
        reads.begin();
        thread.now += nanos;
        reads.record(copies, nanos);
    }

    @Test
    void touchedBytes_areReading() {
        reads.touch(MemorySegment.ofArray(new byte[10_000]), 4, 9_996);
        assertThat(times().count("read")).isEqualTo(1);
        assertThat(times().count("assemble")).isZero();
        assertThat(readBytes()).isEqualTo(9_996);
    }

    private long readBytes() {
        table.moveTo(memory);
        return memory.get(ValueLayout.JAVA_LONG, 8 * StageTimer.BYTES + 80);
    }

    @Test
    void waits_haveTheBytesThatCameFromADisk() {
        thread.bytes = 8_192;
        shard(50_000);
        thread.now += 2_000_000;
        thread.bytes += 4_096;
        sleepingShard();
        assertThat(readBytes()).as("those of the fast work before, too").isEqualTo(12_288);
        thread.bytes += 512;
        sleepingShard();
        assertThat(readBytes()).isEqualTo(12_800);
    }

    @Test
    void touchedBytes_areNotCountedAgain() {
        reads.touch(MemorySegment.ofArray(new byte[10_000]), 0, 10_000);
        thread.bytes += 12_288;
        thread.now += 2_000_000;
        sleepingShard();
        assertThat(times().count("read")).isEqualTo(2);
        assertThat(readBytes()).isEqualTo(10_000);
        thread.bytes += 512;
        sleepingShard();
        assertThat(readBytes()).isEqualTo(10_512);
    }

    @Test
    void waits_ofSlowWork_areReading() {
        for (int i = 0; i < 20; i++) {
            sleepingShard();
        }
        StageTimes times = times();
        assertThat(times.count("assemble")).isEqualTo(20);
        assertThat(times.count("read"))
                .as("a wait right after the first reading, without a page of a disk, is not known")
                .isEqualTo(19);
        assertThat(times.nanos("read")).isEqualTo(19 * WORK_NANOS);
        assertThat(times.nanos("assemble")).isEqualTo(WORK_NANOS);
    }

    @Test
    void firstSlowWork_afterAQuietTime_isReading() {
        thread.now += 2_000_000;
        sleepingShard();
        assertThat(times().nanos("read")).isEqualTo(WORK_NANOS);
        assertThat(times().nanos("assemble")).isZero();
    }

    /** Pages of a disk show that it waited; how long it waited for the work before is not known. */
    @Test
    void firstSlowWork_amongFastWork_isReadingButForTheTimeBefore() {
        long before = 0;
        while (before < 900_000) {
            shard(50_000);
            before += 50_000;
        }
        thread.faults++;
        sleepingShard();
        assertThat(times().nanos("read")).isEqualTo(WORK_NANOS - before);
        assertThat(times().nanos("assemble")).isEqualTo(before + before);
    }

    @Test
    void computation_isNotReading_howeverLongTheThreadWaitedBefore() {
        for (int i = 0; i < 20; i++) {
            thread.sleep();
            thread.faults++;
            shard(WORK_NANOS);
        }
        assertThat(times().count("read")).isZero();
        assertThat(times().nanos("assemble")).isEqualTo(20 * WORK_NANOS);
    }

    @Test
    void waits_ofOneStage_areNotTakenFromTheNext() {
        sleepingShard();
        for (int i = 0; i < 20; i++) {
            reads.begin();
            thread.sleep();
            reads.begin();
            reads.record(texts, WORK_NANOS);
        }
        assertThat(times().count("read")).isZero();
        assertThat(times().nanos("text")).isEqualTo(20 * WORK_NANOS);
    }

    @Test
    void waits_amongFastWork_areFoundAgain() {
        for (int i = 0; i < 20; i++) {
            sleepingShard();
            for (int k = 0; k < 200; k++) {
                shard(1_000);
            }
        }
        StageTimes times = times();
        assertThat(times.nanos("read")).isGreaterThan(2 * times.nanos("assemble"));
    }

    @Test
    void kernel_countsWaitsOfTheThread() {
        KernelCounters kernel = new KernelCounters();
        kernel.read();
        long switches = kernel.switches();
        long idle = kernel.idleNanos();
        while (kernel.switches() == switches) {
            LockSupport.parkNanos(WORK_NANOS);
            kernel.read();
        }
        assertThat(kernel.idleNanos()).isGreaterThan(idle);
        assertThat(kernel.faults()).isNotNegative();
        assertThat(kernel.diskBytes()).isNotNegative();
    }
}
