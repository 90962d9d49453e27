package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.pool.ShardedWork;
import io.rankfeed.feeder.timing.ReadTimer;
import io.rankfeed.feeder.timing.Stage;
import io.rankfeed.feeder.timing.StageTable;
import io.rankfeed.feeder.timing.StageTimer;
import java.lang.foreign.MemorySegment;

/**
 * The two passes over a batch's rows, which read lengths and copy values; each is divided into shards of about equal
 * bytes.
 */
final class GatherWork extends ShardedWork {
    /** The minimum size of a shard, in bytes; below it, waking a helper takes longer than the copy (measured by GatherBenchmark). */
    static final long SHARD_BYTES = 512 << 10;

    private static final long OFFSET_BYTES = 64;

    private final BatchAddresses addresses;
    private final ColumnGather[] gathers;
    private final long shardBytes;
    private final boolean anyVariable;
    private final ReadTimer reads;
    private final StageTimer checks;
    private final StageTimer assembly;
    private final StageTimer texts;

    private int rows;
    private MemorySegment slot = MemorySegment.NULL;
    private boolean measuring;
    private int shards;

    GatherWork(BatchAddresses addresses, ColumnGather[] gathers, long shardBytes, StageTable stages) {
        reads = new ReadTimer(stages);
        checks = stages.stage(Stage.VERIFY.id());
        assembly = stages.stage(Stage.ASSEMBLE.id());
        texts = stages.stage(Stage.TEXT.id());
        this.shardBytes = shardBytes;
        this.addresses = addresses;
        this.gathers = gathers;
        boolean variable = false;
        for (ColumnGather gather : gathers) {
            variable |= gather.isVariable();
        }
        anyVariable = variable;
    }

    void pointTo(int validRows, MemorySegment slotData) {
        rows = validRows;
        slot = slotData;
    }

    /** Checks the record batches of these rows that nobody has read before. */
    void require(LaneCache cache, int validRows) {
        if (!cache.isChecked()) {
            reads.begin();
            long begun = System.nanoTime();
            cache.require(addresses.block, validRows);
            reads.record(checks, System.nanoTime() - begun);
        }
    }

    /** Starts the pass that reads lengths; returns the number of its shards. */
    int measuring() {
        measuring = true;
        shards = anyVariable ? shardsOf(rows * OFFSET_BYTES) : 0;
        return shards;
    }

    /** Starts the pass that copies values; returns the number of its shards. */
    int copying() {
        measuring = false;
        long bytes = 0;
        for (ColumnGather gather : gathers) {
            bytes += gather.costBytes();
        }
        shards = shardsOf(bytes);
        return shards;
    }

    /** Columns that record another stage have an interval of their own, so that their waits are not counted again. */
    @Override
    protected void shard(int shard) {
        int from = (int) ((long) rows * shard / shards);
        int to = (int) ((long) rows * (shard + 1) / shards);
        long assembled = 0;
        reads.begin();
        long begun = System.nanoTime();
        for (ColumnGather gather : gathers) {
            Stage stage = gather.stage();
            if (stage == Stage.ASSEMBLE || (measuring && stage == null)) {
                gather(gather, from, to);
                continue;
            }
            assembled += reads.withoutWaits(System.nanoTime() - begun);
            reads.begin();
            begun = System.nanoTime();
            gather(gather, from, to);
            if (stage == Stage.TEXT) {
                reads.record(texts, System.nanoTime() - begun);
            }
            reads.begin();
            begun = System.nanoTime();
        }
        assembly.record(assembled + reads.withoutWaits(System.nanoTime() - begun));
    }

    private void gather(ColumnGather gather, int from, int to) {
        if (measuring) {
            gather.measure(addresses, from, to, slot);
        } else {
            gather.copy(addresses, from, to, slot);
        }
    }

    private int shardsOf(long bytes) {
        long wanted = Math.max(1, bytes / shardBytes);
        return (int) Math.min(wanted, rows);
    }
}
