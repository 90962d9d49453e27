package io.rankfeed.feeder.serve;

import io.rankfeed.feeder.batch.BatchAssembler;
import io.rankfeed.feeder.batch.MaxImages;
import io.rankfeed.feeder.batch.RankOrder;
import io.rankfeed.feeder.batch.RowContext;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.cache.Verification;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.ring.RingLayout;
import io.rankfeed.feeder.serve.admission.BatchSource;
import io.rankfeed.feeder.serve.admission.Catalog;
import io.rankfeed.feeder.serve.admission.FeedFacts;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.timing.StageTable;
import io.rankfeed.feeder.transform.CanvasMaker;
import io.rankfeed.feeder.transform.DecodeBudget;
import io.rankfeed.feeder.transform.DecoderMessages;
import io.rankfeed.feeder.transform.ImageWorkers;
import io.rankfeed.feeder.transform.Normalization;
import io.rankfeed.feeder.transform.Rejections;
import io.rankfeed.sampling.order.SequentialOrder;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An opened version or mixture as a catalog: lanes are mapped once per feed and shared by the ranks of the node. */
public final class VersionCatalog implements Catalog {
    private static final String ONLY_STRATUM = "all";

    private final OpenOrder opened;
    private final LaneSelection lanes;
    private final GatherPool pool;
    private final long decodeBytes;
    private final LaneScrub scrub = new LaneScrub();
    private final Rejections rejections;
    private final DecoderMessages messages;
    private final Map<String, LaneCache> caches = new HashMap<>();
    private @Nullable ImageWorkers workers;

    /**
     * @param lanes of this node
     * @param decodeBytes memory of images while they are decoded
     * @param log receives the first row of each reason that is fed as zeros, and the first decoder message of each reason
     */
    public VersionCatalog(
            OpenOrder opened, LaneSelection lanes, GatherPool pool, long decodeBytes, Consumer<String> log) {
        this.opened = opened;
        this.lanes = lanes;
        this.pool = pool;
        this.decodeBytes = decodeBytes;
        this.rejections = new Rejections(log);
        this.messages = new DecoderMessages(log);
    }

    /** Counts the rows that were fed as zeros or empty, by column and reason. */
    public Map<String, Long> rejections() {
        return rejections.counts();
    }

    /** The number of lines that native image decoders printed, by reason. */
    public Map<String, Long> decoderMessages() {
        return messages.counts();
    }

    @Override
    public String plan() {
        return opened.order().plan();
    }

    /** Kind and id of what is fed, for messages. */
    public String words() {
        return opened.words();
    }

    @Override
    public String version() {
        return opened.id();
    }

    /**
     * Returns the lanes of a feed. Feeds of a plan may differ in them; the world must divide the lanes of every feed
     * that it reads.
     */
    @Override
    public int lanes(String feed) {
        return opened.feed(feed).lanes();
    }

    @Override
    public List<FeedFacts> feeds() {
        return opened.order().feeds().stream().map(FeedFacts::of).toList();
    }

    @Override
    public long ringBytes(String feed, int world, int slots, ColumnSelection columns) {
        ColumnPlan plan = columnPlan(feed, world, columns);
        return RingLayout.of(slots, plan.tensors(), plan.slotBytes()).lengthBytes();
    }

    /**
     * Computes the tensors of a slot, which are equal for all ranks. Opens no lanes.
     *
     * @throws io.rankfeed.schema.failure.ConfigException if the world does not divide the lanes, or a requested column
     *     is not available
     */
    public ColumnPlan columnPlan(String feed, int world, ColumnSelection columns) {
        return plan(feed, order(feed, 0, world), columns);
    }

    @Override
    public BatchSource open(String feed, int rank, int world, ColumnSelection columns) {
        RankOrder order = order(feed, rank, world);
        ColumnPlan plan = plan(feed, order, columns);
        MaxImages.require(plan, order, cache(feed));
        RowContext context = new RowContext(this::workers, rejections, new StageTable());
        return new AssembledSource(
                plan,
                new BatchAssembler(order, cache(feed), plan, pool, context),
                cache(feed),
                scrub,
                opened.feed(feed),
                context.stages());
    }

    /** The seed of the random numbers of steps, if the feed file has none. */
    private long seed(String feed) {
        return switch (opened.feed(feed)) {
            case TrainFeed train -> train.seed();
            case SequentialFeed list -> 0;
        };
    }

    private synchronized ImageWorkers workers() {
        ImageWorkers mine = workers;
        if (mine == null) {
            CanvasMaker maker = CanvasMaker.find();
            maker.redirectMessages(messages);
            mine = new ImageWorkers(maker, new DecodeBudget(decodeBytes));
            workers = mine;
        }
        return mine;
    }

    private RankOrder order(String feed, int rank, int world) {
        return RankOrder.of(opened.feed(feed), rank, world);
    }

    private ColumnPlan plan(String feed, RankOrder order, ColumnSelection columns) {
        try {
            return ColumnPlan.of(opened.columns(), order.rows(), columns, seed(feed));
        } catch (ConfigException e) {
            throw new ConfigException("feed '" + feed + "' of " + opened.words() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Maps the lanes of feeds before a trainer asks: a wrong structure is reported at the start, and no first batch waits.
     *
     * @throws io.rankfeed.schema.failure.CorruptDataException if a lane is not what the manifest says
     */
    public void map(Collection<String> feeds, Verification when) {
        List<LaneCache> mapped = feeds.stream().map(this::cache).toList();
        mapped.forEach(cache -> cache.verify(when));
        if (when != Verification.OFF) {
            scrub.start(mapped);
        }
    }

    private synchronized LaneCache cache(String feed) {
        return caches.computeIfAbsent(feed, name -> opened.map(name, lanes));
    }

    @Override
    public SortedMap<Integer, SortedMap<String, Long>> tally(
            String feedName, int rank, int world, long fromStep, long toStep) {
        return switch (opened.feed(feedName)) {
            case TrainFeed train ->
                StrataTally.byStage(train, new StrataTally(train, rank, world).between(fromStep, toStep));
            case SequentialFeed list -> sequentialTally(SequentialOrder.of(list), rank, world, fromStep, toStep);
        };
    }

    private static SortedMap<Integer, SortedMap<String, Long>> sequentialTally(
            SequentialOrder order, int rank, int world, long fromStep, long toStep) {
        long rows = 0;
        for (long step = fromStep; step < toStep; step++) {
            rows += order.validRows(step, rank, world);
        }
        SortedMap<Integer, SortedMap<String, Long>> stages = new TreeMap<>();
        stages.put(0, new TreeMap<>(Map.of(ONLY_STRATUM, rows)));
        return stages;
    }

    /** The mapping is the catalog's: closing a source frees nothing. */
    private record AssembledSource(
            ColumnPlan plan, BatchAssembler assembler, LaneCache cache, LaneScrub scrub, Feed feed, StageTable stages)
            implements BatchSource {
        @Override
        public String transforms() {
            return plan.transforms();
        }

        @Override
        public Map<String, Normalization> normalizations() {
            return plan.normalizations();
        }

        @Override
        public List<TensorSpec> tensors() {
            return plan.tensors();
        }

        @Override
        public long slotBytes() {
            return plan.slotBytes();
        }

        @Override
        public int maxRows() {
            return plan.rows();
        }

        @Override
        public int fill(long globalStep, MemorySegment slotData, SlotSizes sizes) {
            scrub.begin(cache, globalStep == feed.epochStart(feed.epochAt(globalStep)));
            try {
                return assembler.fill(globalStep, slotData, sizes);
            } finally {
                scrub.end();
            }
        }

        @Override
        public void close() {}
    }
}
