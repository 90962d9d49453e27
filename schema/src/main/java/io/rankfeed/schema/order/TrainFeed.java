package io.rankfeed.schema.order;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The numbers of a training feed: the rows of every step follow from them (docs/format/plan.md, section 1).
 *
 * @param seed any 64 bits; order.json holds 0 to 2^63 - 1
 * @param lanes V, the virtual ranks; every world size that divides it can read the feed
 * @param batch G, rows of a global batch, a multiple of {@code lanes}; of the largest one where segments have their own
 * @param stepsPerEpoch steps of an epoch, of the longest one where the first steps of epochs are listed; the last epoch of a run over
 *     stored pools may be shorter
 * @param epochStarts the first step of each epoch where the batch changes during the run; otherwise empty
 * @param window 1, or steps per epoch where the balance holds within epochs only
 * @param members sorted by name; at least one, in a mixture several
 * @param segments sorted by step; they cover the run without gaps
 */
public record TrainFeed(
        String name,
        long seed,
        int lanes,
        int batch,
        int epochs,
        int stepsPerEpoch,
        List<Long> epochStarts,
        EpochMode mode,
        RowOrder order,
        int window,
        List<Member> members,
        List<Segment> segments)
        implements Feed {
    /** @throws IllegalArgumentException if the numbers contradict each other, or exceed {@link OrderLimits} */
    public TrainFeed(
            String name,
            long seed,
            int lanes,
            int batch,
            int epochs,
            int stepsPerEpoch,
            List<Long> epochStarts,
            EpochMode mode,
            RowOrder order,
            int window,
            List<Member> members,
            List<Segment> segments) {
        this.name = name;
        this.seed = seed;
        this.lanes = lanes;
        this.batch = batch;
        this.epochs = epochs;
        this.stepsPerEpoch = stepsPerEpoch;
        this.epochStarts = List.copyOf(epochStarts);
        this.mode = mode;
        this.order = order;
        this.window = window;
        this.members = List.copyOf(members);
        this.segments = List.copyOf(segments);
        TrainFeedRules.check(this);
    }

    /** A feed of the pools of its own plan. */
    public TrainFeed(
            String name,
            long seed,
            int lanes,
            int batch,
            int epochs,
            int stepsPerEpoch,
            EpochMode mode,
            RowOrder order,
            int window,
            List<Stratum> strata,
            List<Segment> segments) {
        this(
                name,
                seed,
                lanes,
                batch,
                epochs,
                stepsPerEpoch,
                List.of(),
                mode,
                order,
                window,
                List.of(Member.ofPlan(name, lanes, order, strata)),
                segments);
    }

    /** A feed whose batch changes during the run. */
    public TrainFeed(
            String name,
            long seed,
            int lanes,
            int batch,
            List<Long> epochStarts,
            RowOrder order,
            List<Member> members,
            List<Segment> segments) {
        this(
                name,
                seed,
                lanes,
                batch,
                epochStarts.size(),
                longestEpoch(epochStarts, segments),
                epochStarts,
                EpochMode.STREAM,
                order,
                1,
                members,
                segments);
    }

    /** Steps of the longest epoch, at least 1: starts that are out of order are refused later. */
    static int longestEpoch(List<Long> starts, List<Segment> segments) {
        long end = segments.isEmpty() ? 0 : segments.get(segments.size() - 1).end();
        long longest = 1;
        for (int e = starts.size() - 1; e >= 0; e--) {
            longest = Math.max(longest, end - starts.get(e));
            end = starts.get(e);
        }
        return (int) Math.min(longest, Integer.MAX_VALUE);
    }

    @Override
    public long stepsPerPass() {
        return stepsPerEpoch;
    }

    /** Steps of the whole run. */
    public long steps() {
        return segments.get(segments.size() - 1).end();
    }

    @Override
    public long epochStart(int epoch) {
        if (epoch == epochs) {
            return steps();
        }
        return epochStarts.isEmpty() ? (long) epoch * stepsPerEpoch : epochStarts.get(epoch);
    }

    @Override
    public int epochAt(long step) {
        if (epochStarts.isEmpty()) {
            return (int) (step / stepsPerEpoch);
        }
        int found = Collections.binarySearch(epochStarts, step);
        return found >= 0 ? found : -found - 2;
    }

    /** The strata of all members, numbered from 0 over them; of several members named {@code MEMBER/STRATUM}. */
    public List<Stratum> strata() {
        return members.size() == 1 ? members.get(0).strata() : new NumberedStrata(members);
    }

    /** Whether the pools are those that versions store, and not those of a plan whose rows are still to be exported. */
    public boolean isStored() {
        return members.get(0).source().isPresent();
    }

    /** Different rows that the run draws. */
    public long drawnRows() {
        long[] drawn = PoolRules.drawn(this);
        long rows = 0;
        for (int s = 0; s < drawn.length; s++) {
            rows += Math.min(strata().get(s).rows(), lanes * drawn[s]);
        }
        return rows;
    }

    /** Whether format 1 can express it: pools of its own plan, drawn to their end, and one batch. */
    boolean isOfFormat1() {
        return !isStored()
                && epochStarts.isEmpty()
                && members.get(0).cycles() != RowCycles.SHUFFLED
                && PoolRules.areDrawn(this);
    }

    /** Returns this feed, whose pools are those of its own plan, with lists that have no order of its own in the first cycle. */
    public TrainFeed shuffled() {
        Member own = members.get(0);
        return with(new Member(name, own.source(), own.lanes(), RowCycles.SHUFFLED, own.strata()));
    }

    /**
     * Returns this feed, whose pools are those of its own plan, as one that draws them from a version with the same rows. Each step has
     * the same rows as before.
     */
    public TrainFeed over(Member.Source version) {
        Member own = members.get(0);
        List<Stratum> stored = own.strata().stream()
                .map(stratum -> new Stratum(stratum.name(), stratum.rows()))
                .toList();
        return with(new Member(name, Optional.of(version), own.lanes(), own.cycles(), stored));
    }

    private TrainFeed with(Member member) {
        return new TrainFeed(
                name,
                seed,
                lanes,
                batch,
                epochs,
                stepsPerEpoch,
                epochStarts,
                mode,
                order,
                window,
                List.of(member),
                segments);
    }

    /** Rows of a global batch of a segment. */
    public int batch(Segment segment) {
        return segment.batch().orElse(batch);
    }

    /** Rows of all global batches of a segment. */
    public long rows(Segment segment) {
        return segment.steps() * batch(segment);
    }

    /** Rows that a lane gives to each step of a segment. */
    public int rowsPerLane(Segment segment) {
        return batch(segment) / lanes;
    }

    /** Rows that a lane gives to each step; to one of the largest batch where segments have their own. */
    public int rowsPerLane() {
        return batch / lanes;
    }

    /** The segment of a global step. */
    public Segment segmentAt(long step) {
        if (step < 0 || step >= steps()) {
            throw new IndexOutOfBoundsException("step " + step + " of " + steps());
        }
        int low = 0;
        int high = segments.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (segments.get(middle).step() <= step) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return segments.get(low);
    }
}
