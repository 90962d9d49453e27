package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.PlannedColumn;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.sampling.order.BatchRows;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Fills slots with the batches of one rank and feed. Confined to one thread, which may change with a happens-before;
 * a large batch is copied by that thread and the pool's together. Allocates nothing per batch.
 */
public final class BatchAssembler {
    private final RankOrder order;
    private final LaneCache cache;
    private final GatherPool pool;
    private final BatchRows rows;
    private final BatchAddresses addresses;
    private final ColumnGather[] gathers;
    private final GatherWork work;

    /**
     * @param order the rows; its full batch must be the plan's
     * @param cache the mapped lanes of this rank, at least
     * @param plan the tensors of a slot
     */
    public BatchAssembler(RankOrder order, LaneCache cache, ColumnPlan plan, GatherPool pool) {
        this(order, cache, plan, pool, RowContext.withoutImages());
    }

    /** @param context the objects that columns of images and texts need */
    public BatchAssembler(RankOrder order, LaneCache cache, ColumnPlan plan, GatherPool pool, RowContext context) {
        this(order, cache, plan, pool, context, GatherWork.SHARD_BYTES);
    }

    /** @param shardBytes a batch of at least two of these is shared with the pool */
    BatchAssembler(
            RankOrder order, LaneCache cache, ColumnPlan plan, GatherPool pool, RowContext context, long shardBytes) {
        if (order.rows() != plan.rows()) {
            throw new IllegalArgumentException(
                    "a batch of the order has " + order.rows() + " rows, one of the plan " + plan.rows());
        }
        this.order = order;
        this.cache = cache;
        this.pool = pool;
        this.rows = plan.needsCycles() ? BatchRows.withCycles(plan.rows()) : new BatchRows(plan.rows());
        this.addresses = new BatchAddresses(plan.rows());
        List<ColumnGather> all = new ArrayList<>();
        for (PlannedColumn planned : plan.columns()) {
            all.add(gather(planned, cache, plan.rows(), context, all));
        }
        this.gathers = all.toArray(ColumnGather[]::new);
        this.work = new GatherWork(addresses, gathers, shardBytes, context.stages());
    }

    /**
     * Fills one slot with the batch of a global step.
     *
     * @param slotData at least {@link ColumnPlan#slotBytes} bytes, starting at the slot's data; open to every thread
     * @param sizes out
     * @return rows in the batch; fewer than the plan's only at the end of a sequential feed, down to 0
     * @throws io.rankfeed.schema.failure.CorruptDataException if the cache's bytes turn out to be damaged; the slot's
     *     content is then undefined
     */
    public int fill(long globalStep, MemorySegment slotData, SlotSizes sizes) {
        int valid = measure(globalStep, slotData, sizes);
        try {
            run(work.copying());
        } catch (InternalError e) {
            throw cache.lostPages(e);
        }
        return valid;
    }

    /** Writes lengths, offsets and sizes of a batch as {@link #fill} does, but no values. */
    int measure(long globalStep, MemorySegment slotData, SlotSizes sizes) {
        order.fill(globalStep, rows);
        int valid = rows.size();
        addresses.locate(rows, cache);
        try {
            work.require(cache, valid);
            work.pointTo(valid, slotData);
            run(work.measuring());
            for (ColumnGather gather : gathers) {
                gather.settle(valid, slotData);
            }
        } catch (InternalError e) {
            // What the JVM makes of a page that is no longer there: a file was cut after it was mapped.
            throw cache.lostPages(e);
        }
        long tokens = 0;
        long paddedTokens = 0;
        for (int i = 0; i < gathers.length; i++) {
            sizes.tensor(i, gathers[i].usedBytes(), gathers[i].width());
            tokens += gathers[i].tokens();
            paddedTokens += gathers[i].paddedTokens();
        }
        sizes.tokens(tokens, paddedTokens);
        return valid;
    }

    private void run(int shards) {
        if (shards == 1) {
            work.shard(0);
        } else if (shards > 1) {
            pool.run(work, shards);
        }
    }

    private static ColumnGather gather(
            PlannedColumn planned, LaneCache cache, int rows, RowContext context, List<ColumnGather> before) {
        return switch (planned) {
            case PlannedColumn.Copied copied -> copied(copied, cache, rows);
            case PlannedColumn.Listed listed -> new ListGather(listed, cache, rows);
            case PlannedColumn.Made made -> made(made, cache, rows, context);
            case PlannedColumn.Tokens tokens -> new TextGather(tokens, cache, rows, context);
            case PlannedColumn.Derived derived -> derived(derived, before);
            case PlannedColumn.Marked marked -> SideGather.marks(marked.tensor(), marked(before));
            case PlannedColumn.Keyed keyed -> new KeyGather(keyed, cache);
        };
    }

    private static ColumnGather derived(PlannedColumn.Derived derived, List<ColumnGather> before) {
        TextGather tokens = (TextGather) marked(before);
        return new SideGather(
                derived.tensor(),
                () -> tokens.usedBytes(derived.kind(), derived.tensor()),
                () -> tokens.width(derived.kind()));
    }

    /** Returns the last gather before a side tensor: it writes the values of that tensor. */
    private static ColumnGather marked(List<ColumnGather> before) {
        return before.stream()
                .filter(gather -> !(gather instanceof SideGather))
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    private static ColumnGather made(PlannedColumn.Made made, LaneCache cache, int rows, RowContext images) {
        if (made.isStacked()) {
            return new StackedGather(made, cache, rows, images);
        }
        return made.pipeline().pipeline().decodes()
                ? new FileGather(made, cache, rows, images)
                : new PixelGather(made, cache, images);
    }

    private static ColumnGather copied(PlannedColumn.Copied planned, LaneCache cache, int rows) {
        return switch (planned.tensor().layout()) {
            case FIXED -> new FixedGather(planned, cache);
            case PADDED -> new PaddedGather(planned, cache, rows);
            case RAGGED -> new RaggedGather(planned, cache, rows);
            case LIST, STACKED, DENSE, FLAT, BOUNDS -> throw new IllegalStateException(planned.source() + " is made");
        };
    }
}
