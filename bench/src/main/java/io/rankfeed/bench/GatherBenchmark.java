package io.rankfeed.bench;

import io.rankfeed.feeder.batch.BatchAssembler;
import io.rankfeed.feeder.batch.RankOrder;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.schema.order.TrainFeed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Time to fill one slot with a shuffled batch from mapped lanes in the page cache, order included. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // @Setup runs before everything else
public class GatherBenchmark {
    private static final long ROWS = 100_000;
    private static final int EPOCHS = 100;

    /** The number of int16 tokens of a row; if it is negative, rows have 1 to that many tokens and are padded. */
    @Param({"512", "16", "-512"})
    public int tokens;

    @Param({"256", "4096"})
    public int batch;

    /** The number of helper threads in addition to the thread that fills the slot. */
    @Param({"0", "1"})
    public int helpers;

    private Path folder;
    private LaneCache cache;
    private GatherPool pool;
    private Arena arena;
    private BatchAssembler assembler;
    private MemorySegment slot;
    private SlotSizes sizes;
    private long steps;
    private long firstShuffled;
    private long step;

    @Setup
    public void open() throws IOException {
        folder = Files.createTempDirectory("rankfeed-bench");
        TrainFeed order = Orders.pass(ROWS, batch, EPOCHS);
        TokenVersion.write(folder, order, tokens);
        OpenVersion version = OpenVersion.open(folder);
        cache = version.map(TokenVersion.FEED, LaneSelection.all());
        pool = new GatherPool(helpers);
        arena = Arena.ofShared();
        RankOrder rank = RankOrder.train(order, 0, 1);
        ColumnPlan plan = ColumnPlan.of(version.manifest(), rank.rows(), ColumnSelection.all(), 0);
        assembler = new BatchAssembler(rank, cache, plan, pool);
        slot = arena.allocate(plan.slotBytes(), ColumnPlan.ALIGNMENT_BYTES);
        sizes = new SlotSizes(plan.tensors().size());
        steps = order.steps();
        firstShuffled = order.stepsPerEpoch();
        step = firstShuffled;
    }

    @TearDown
    public void close() throws IOException {
        pool.close();
        cache.close();
        arena.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Measures the time of one batch; {@code batch} divided by it is the number of rows per second. */
    @Benchmark
    public int fill() {
        int rows = assembler.fill(step, slot, sizes);
        step = step + 1 == steps ? firstShuffled : step + 1;
        return rows;
    }
}
