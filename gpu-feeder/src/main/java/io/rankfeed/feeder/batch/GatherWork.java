package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.pool.ShardedWork;
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

    private int rows;
    private MemorySegment slot = MemorySegment.NULL;
    private boolean measuring;
    private int shards;

    GatherWork(BatchAddresses addresses, ColumnGather[] gathers, long shardBytes) {
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

    @Override
    protected void shard(int shard) {
        int from = (int) ((long) rows * shard / shards);
        int to = (int) ((long) rows * (shard + 1) / shards);
        for (ColumnGather gather : gathers) {
            if (measuring) {
                gather.measure(addresses, from, to, slot);
            } else {
                gather.copy(addresses, from, to, slot);
            }
        }
    }

    private int shardsOf(long bytes) {
        long wanted = Math.max(1, bytes / shardBytes);
        return (int) Math.min(wanted, rows);
    }
}
