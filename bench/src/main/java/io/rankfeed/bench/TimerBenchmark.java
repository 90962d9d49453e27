package io.rankfeed.bench;

import io.rankfeed.feeder.timing.ReadTimer;
import io.rankfeed.feeder.timing.Stage;
import io.rankfeed.feeder.timing.StageTable;
import io.rankfeed.feeder.timing.StageTimer;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Measures what the timers of the feeder cost. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // @Setup runs before everything else
public class TimerBenchmark {
    private StageTimer waits;
    private StageTimer fills;
    private StageTimer assembly;
    private ReadTimer reads;
    private long nanos;

    @Setup
    public void makeTable() {
        StageTable table = new StageTable();
        table.moveTo(Arena.ofAuto().allocate(StageTable.BYTES, Long.BYTES));
        waits = table.stage(Stage.WAIT_SLOT.id());
        fills = table.stage(Stage.FILL.id());
        assembly = table.stage(Stage.ASSEMBLE.id());
        reads = new ReadTimer(table);
    }

    /** Records one duration. */
    @Benchmark
    public void record() {
        nanos = (nanos + 997) & 0xFFFF;
        fills.record(nanos);
    }

    /** What {@link #batch} costs without timers. */
    @Benchmark
    public long off() {
        return nanos;
    }

    /** Takes the times and makes the records of a batch that one thread assembles, as {@code FillLoop} and {@code GatherWork} do. */
    @Benchmark
    public long batch() {
        long begun = System.nanoTime();
        waits.record(0);
        reads.begin();
        long assembled = System.nanoTime();
        reads.record(assembly, System.nanoTime() - assembled);
        long filled = System.nanoTime();
        fills.record(filled - begun, 262_144);
        return filled;
    }
}
