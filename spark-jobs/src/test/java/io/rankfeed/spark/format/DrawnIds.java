package io.rankfeed.spark.format;

import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.sampling.order.EpochOrder;
import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.spark.export.ArrowFile;
import io.rankfeed.spark.export.Version;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The order of the rows of a version's feed {@code train}, by a column of its lanes as Arrow reads them. */
final class DrawnIds {
    private DrawnIds() {}

    /** The ids of each rank of a world in the order of a plain loop over its batches, then the rows that the epoch leaves out. */
    static List<List<Long>> of(Version version, int world, String column) throws IOException {
        TrainFeed feed = (TrainFeed) version.order().feed("train").orElseThrow();
        Map<Integer, List<Long>> stored = stored(version, feed.lanes(), column);
        List<Set<Long>> ranks = new ArrayList<>();
        List<EpochOrder> orders = new ArrayList<>();
        for (int rank = 0; rank < world; rank++) {
            ranks.add(new LinkedHashSet<>());
            orders.add(new EpochOrder(feed, rank, world));
        }
        Set<Long> seen = new LinkedHashSet<>();
        BatchRows batch = new BatchRows(feed.batch());
        for (long step = 0; step < feed.epochStart(1); step++) {
            for (int rank = 0; rank < world; rank++) {
                orders.get(rank).fill(step, batch);
                for (int i = 0; i < batch.size(); i++) {
                    long id = stored.get(batch.lane(i)).get((int) batch.ordinal(i));
                    if (seen.add(id)) {
                        ranks.get(rank).add(id);
                    }
                }
            }
        }
        LaneLayout layout = new LaneLayout(feed);
        for (int stratum = 0; stratum < feed.strata().size(); stratum++) {
            for (long index = 0; index < feed.strata().get(stratum).rows(); index++) {
                int lane = layout.lane(stratum, index);
                long ordinal = layout.ordinal(stratum, index);
                long id = stored.get(lane).get((int) ordinal);
                if (seen.add(id)) {
                    ranks.get((int) ((lane < 0 ? ordinal : lane) % world)).add(id);
                }
            }
        }
        return ranks.stream().map(List::copyOf).toList();
    }

    /** The ids of each lane, and of the shared rows under -1. */
    private static Map<Integer, List<Long>> stored(Version version, int lanes, String column) throws IOException {
        Path folder = Path.of(version.path().toUri().getPath(), "lanes/train");
        Map<Integer, List<Long>> stored = new HashMap<>();
        for (int lane = LaneLayout.SHARED; lane < lanes; lane++) {
            String prefix = lane < 0 ? "shared-" : String.format(Locale.ROOT, "lane-%05d-", lane);
            List<Long> ids = new ArrayList<>();
            for (String name : FormattedCopiesIT.names(folder)) {
                if (name.startsWith(prefix)) {
                    ArrowFile.read(folder.resolve(name)).columns().get(column).forEach(id -> ids.add((Long) id));
                }
            }
            stored.put(lane, ids);
        }
        return stored;
    }
}
