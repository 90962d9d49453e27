package io.rankfeed.spark.export;

import io.rankfeed.export.lane.LaneHeader;
import io.rankfeed.job.ExportSection;
import io.rankfeed.sampling.order.LaneAssignment;
import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Order;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** The files of a version, numbered feed by feed, lane by lane (the shared one last), shard by shard. Travels to tasks. */
public final class CacheUnits implements Serializable {
    private static final long serialVersionUID = 1L;

    /**
     * A file.
     *
     * @param lane its label: the lane's number, or {@link LaneHeader#SHARED}
     * @param firstOrdinal ordinal of its first row in the lane
     * @param rows at least 1
     */
    public record Unit(String feed, String lane, int shard, long firstOrdinal, long rows) implements Serializable {
        /** Path below the version's folder (docs/format/cache.md, section 1). */
        public String path() {
            return LaneHeader.path(feed, lane, shard);
        }
    }

    private final long shardRows;
    private final ArrayList<Unit> units = new ArrayList<>();
    /** The index of the first unit, by feed and lane; the shared lane is the last. */
    private final ArrayList<int[]> firstUnits = new ArrayList<>();

    public CacheUnits(Order order, long shardRows) {
        this.shardRows = shardRows;
        for (Feed feed : order.feeds()) {
            LaneAssignment assignment = LaneAssignment.of(feed);
            int[] first = new int[feed.lanes() + 1];
            for (int lane = 0; lane < feed.lanes(); lane++) {
                first[lane] = units.size();
                add(feed.name(), Integer.toString(lane), assignment.laneRows(lane));
            }
            first[feed.lanes()] = units.size();
            add(feed.name(), LaneHeader.SHARED, assignment.laneRows(LaneLayout.SHARED));
            firstUnits.add(first);
        }
    }

    /** @throws ConfigException if a lane would have more files than their names can number */
    static void refuseTooMany(Feed feed, ExportSection section) {
        LaneAssignment assignment = LaneAssignment.of(feed);
        // No lane has more rows than the first.
        long max = Math.max(assignment.laneRows(0), assignment.laneRows(LaneLayout.SHARED));
        long files = parts(max, section.shardRows());
        if (files > LaneHeader.MAX_FILES) {
            long batches = parts(parts(max, LaneHeader.MAX_FILES), section.batchRows());
            throw new ConfigException("export.shard-rows: " + section.shardRows() + " cuts a lane of feed '"
                    + feed.name() + "' into " + files + " files, of which there are at most " + LaneHeader.MAX_FILES
                    + "; take at least " + batches * section.batchRows());
        }
    }

    private static long parts(long whole, long part) {
        return whole / part + (whole % part == 0 ? 0 : 1);
    }

    int count() {
        return units.size();
    }

    public List<Unit> all() {
        return units;
    }

    Unit unit(int number) {
        return units.get(number);
    }

    /**
     * The unit in which a row is.
     *
     * @param feed its index in the order file
     * @param lane or {@link LaneLayout#SHARED}
     */
    int unitOf(int feed, int lane, long ordinal) {
        int[] first = firstUnits.get(feed);
        return first[lane == LaneLayout.SHARED ? first.length - 1 : lane] + (int) (ordinal / shardRows);
    }

    /** A row's destination: its unit (upper 32 bits) and its index in the unit's file, in one number that sorts as the two do. */
    long destination(int unit, long ordinal) {
        return (long) unit << Integer.SIZE | (ordinal - units.get(unit).firstOrdinal());
    }

    static int unitOfDestination(long destination) {
        return (int) (destination >>> Integer.SIZE);
    }

    /** The ordinal that was given to {@link #destination}. */
    long ordinalOfDestination(long destination) {
        return units.get(unitOfDestination(destination)).firstOrdinal() + (destination & 0xFFFF_FFFFL);
    }

    private void add(String feed, String lane, long rows) {
        for (long from = 0; from < rows; from += shardRows) {
            units.add(new Unit(feed, lane, (int) (from / shardRows), from, Math.min(shardRows, rows - from)));
        }
    }
}
