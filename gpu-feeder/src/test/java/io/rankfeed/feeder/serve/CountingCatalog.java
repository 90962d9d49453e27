package io.rankfeed.feeder.serve;

import io.rankfeed.feeder.ring.RingLayout;
import io.rankfeed.feeder.serve.admission.BatchSource;
import io.rankfeed.feeder.serve.admission.Catalog;
import io.rankfeed.feeder.serve.admission.FeedFacts;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.Layout;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.timing.StageTable;
import io.rankfeed.feeder.transform.Normalization;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Makes batches by arithmetic: row i of rank r's batch at step t has the id t · batch + i · world + r, and a payload of
 * {@link #PAYLOAD_INTS} ints of the same number. The last batch of {@code valid} is short by half.
 */
final class CountingCatalog implements Catalog {
    static final String PLAN = "00000000000000aa";
    static final String VERSION = "00000000000000bb";
    static final int LANES = 4;
    static final int BATCH = 16;
    static final int PAYLOAD_INTS = 64;
    static final int NO_DAMAGE = -1;

    final AtomicInteger openSources = new AtomicInteger();
    private volatile Feed train;
    private volatile long minSlotBytes;
    private volatile long damagedStep = NO_DAMAGE;
    private volatile boolean isWide;
    private volatile @Nullable Gate gate;

    CountingCatalog(long stepsPerEpoch) {
        this(stepsPerEpoch, 0);
    }

    /** @param minSlotBytes minimum size that the catalog states for a slot */
    CountingCatalog(long stepsPerEpoch, long minSlotBytes) {
        train = train(2, stepsPerEpoch, List.of(), List.of("all"), stepsPerEpoch, stepsPerEpoch);
        this.minSlotBytes = minSlotBytes;
    }

    /**
     * A feed over a version.
     *
     * @param stepsPerEpoch of the longest epoch
     * @param epochStarts empty where epochs have equal steps
     * @param strata the first one has all rows
     * @param stages the steps of each
     */
    static TrainFeed train(
            int epochs, long stepsPerEpoch, List<Long> epochStarts, List<String> strata, long... stages) {
        List<Segment> segments = new ArrayList<>();
        long step = 0;
        for (long steps : stages) {
            segments.add(new Segment(
                    step,
                    steps,
                    segments.size(),
                    ofFirst(strata, steps * BATCH / LANES),
                    ofFirst(strata, step * BATCH / LANES),
                    1,
                    0));
            step += steps;
        }
        long rows = step * BATCH;
        List<Stratum> pools =
                strata.stream().map(name -> new Stratum(name, rows)).toList();
        Member member = new Member("train", "d", VERSION, "train", LANES, RowCycles.SHUFFLED, pools);
        return new TrainFeed(
                "train",
                1,
                LANES,
                BATCH,
                epochs,
                (int) stepsPerEpoch,
                epochStarts,
                EpochMode.STREAM,
                RowOrder.GLOBAL,
                1,
                List.of(member),
                segments);
    }

    private static List<Long> ofFirst(List<String> strata, long units) {
        List<Long> all = new ArrayList<>(Collections.nCopies(strata.size(), 0L));
        all.set(0, units);
        return all;
    }

    void plan(Feed feed) {
        train = feed;
    }

    void needSlotsOf(long bytes) {
        minSlotBytes = bytes;
    }

    /** Makes the table wider than a ring, so that a request for all columns is refused. */
    void beWide() {
        isWide = true;
    }

    /** A step whose fill takes as long as a test wants. */
    record Gate(long step, CountDownLatch entered, CountDownLatch opened) {}

    /** @return the gate of the step: its fill counts {@code entered} down, and waits for {@code opened} */
    Gate gateAt(long step) {
        Gate made = new Gate(step, new CountDownLatch(1), new CountDownLatch(1));
        gate = made;
        return made;
    }

    void damage(long step) {
        damagedStep = step;
    }

    @Override
    public String plan() {
        return PLAN;
    }

    @Override
    public String version() {
        return VERSION;
    }

    @Override
    public int lanes(String feed) {
        return LANES;
    }

    @Override
    public List<FeedFacts> feeds() {
        return List.of(
                FeedFacts.of(train), FeedFacts.of(new SequentialFeed("valid", LANES, BATCH, 2 * BATCH + BATCH / 2, 3)));
    }

    @Override
    public long ringBytes(String feed, int world, int slots, ColumnSelection columns) {
        requireColumns(columns);
        Source source = new Source(feed, 0, world);
        return RingLayout.of(slots, source.tensors(), source.slotBytes()).lengthBytes();
    }

    @Override
    public BatchSource open(String feed, int rank, int world, ColumnSelection columns) {
        requireColumns(columns);
        openSources.incrementAndGet();
        return new Source(feed, rank, world);
    }

    private void requireColumns(ColumnSelection columns) {
        if (isWide && columns.columns().isEmpty()) {
            throw new ConfigException("3001 tensors in a batch");
        }
        columns.columns()
                .ifPresent(wanted -> wanted.forEach(column -> {
                    if (!column.name().equals("row_id") && !column.name().equals("x")) {
                        throw new ConfigException("no column '" + column.name() + "'");
                    }
                }));
    }

    @Override
    public SortedMap<Integer, SortedMap<String, Long>> tally(
            String feed, int rank, int world, long fromStep, long toStep) {
        SortedMap<String, Long> rows = new TreeMap<>();
        rows.put("all", (toStep - fromStep) * (BATCH / world));
        SortedMap<Integer, SortedMap<String, Long>> stages = new TreeMap<>();
        stages.put(0, rows);
        return stages;
    }

    private final class Source implements BatchSource {
        private final String feed;
        private final int rank;
        private final int world;
        private final StageTable stages = new StageTable();
        private boolean isOpen = true;

        Source(String feed, int rank, int world) {
            this.feed = feed;
            this.rank = rank;
            this.world = world;
        }

        @Override
        public StageTable stages() {
            return stages;
        }

        @Override
        public String transforms() {
            return "";
        }

        @Override
        public Map<String, Normalization> normalizations() {
            return Map.of();
        }

        @Override
        public List<TensorSpec> tensors() {
            long rows = maxRows();
            return List.of(
                    new TensorSpec("row_id", DType.INT64, Layout.FIXED, List.of(), 0, 0, 8 * rows, 0, 0),
                    new TensorSpec(
                            "x",
                            DType.INT32,
                            Layout.FIXED,
                            List.of(PAYLOAD_INTS),
                            0,
                            1024,
                            4L * PAYLOAD_INTS * rows,
                            0,
                            0));
        }

        @Override
        public long slotBytes() {
            return Math.max(minSlotBytes, 1024 + 4L * PAYLOAD_INTS * maxRows());
        }

        @Override
        public int maxRows() {
            return BATCH / world;
        }

        @Override
        public int fill(long globalStep, MemorySegment slotData, SlotSizes sizes) {
            if (globalStep == damagedStep) {
                throw new CorruptDataException("lane-00000-00000.arrow", 4711, "is damaged");
            }
            Gate here = gate;
            if (here != null && here.step() == globalStep) {
                here.entered().countDown();
                try {
                    here.opened().await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            boolean isShort = feed.equals("valid") && globalStep == 2;
            int rows = isShort ? maxRows() / 2 : maxRows();
            for (int row = 0; row < rows; row++) {
                long id = globalStep * BATCH + (long) row * world + rank;
                slotData.set(ValueLayout.JAVA_LONG, 8L * row, id);
                for (int i = 0; i < PAYLOAD_INTS; i++) {
                    slotData.set(ValueLayout.JAVA_INT, 1024 + 4L * (row * PAYLOAD_INTS + i), (int) id);
                }
            }
            sizes.tensor(0, 8L * rows, 0);
            sizes.tensor(1, 4L * PAYLOAD_INTS * rows, 0);
            return rows;
        }

        @Override
        public void close() {
            if (!isOpen) {
                throw new IllegalStateException("closed twice");
            }
            isOpen = false;
            openSources.decrementAndGet();
        }
    }
}
