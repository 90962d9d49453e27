package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.MappedColumn;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.PlannedColumn;
import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.schema.failure.ConfigException;
import java.util.List;

/** Counts the images of every batch of a run before its first step, where the feed file limits them. */
public final class MaxImages {
    private MaxImages() {}

    /** @throws ConfigException if a batch has more images than its column may have */
    public static void require(ColumnPlan plan, RankOrder order, LaneCache cache) {
        List<PlannedColumn.Made> limited = plan.columns().stream()
                .filter(PlannedColumn.Made.class::isInstance)
                .map(PlannedColumn.Made.class::cast)
                .filter(made -> made.isStacked()
                        && images(made) < (long) plan.rows() * made.tensor().maxLength())
                .toList();
        for (PlannedColumn.Made made : limited) {
            require(made, order, cache);
        }
    }

    private static long images(PlannedColumn.Made made) {
        return made.tensor().itemsCapacityBytes() / 4;
    }

    private static void require(PlannedColumn.Made made, RankOrder order, LaneCache cache) {
        MappedColumn column = cache.column(made.field().name());
        BatchRows rows = new BatchRows(order.rows());
        BatchAddresses addresses = new BatchAddresses(order.rows());
        long max = 0;
        long at = 0;
        for (long step = 0; step < order.steps(); step++) {
            order.fill(step, rows);
            addresses.locate(rows, cache);
            long images = 0;
            for (int i = 0; i < rows.size(); i++) {
                int block = addresses.block[i];
                images += column.offset(block, addresses.row[i] + 1) - column.offset(block, addresses.row[i]);
            }
            if (images > max) {
                max = images;
                at = step;
            }
        }
        if (max > images(made)) {
            throw new ConfigException("column '" + made.tensor().name() + "': step " + at + " has " + max
                    + " images on this rank, max-images is " + images(made) + "; set max-images to " + max
                    + " or more, or use a smaller batch");
        }
    }
}
