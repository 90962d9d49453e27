package io.rankfeed.feeder.cache;

import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.StoredRows;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.selection.SelectedFeed;
import io.rankfeed.schema.selection.SelectedSequential;
import io.rankfeed.schema.selection.SelectedTrain;
import io.rankfeed.schema.selection.Selection;
import java.util.List;

/**
 * The stored rows of a feed, as both {@code order.json} and {@code selection.json} of a version state them.
 *
 * @param pools of a train feed the name, the available and the stored rows of each stratum; of a sequential feed nothing
 */
record OwnRows(String feed, int lanes, long rows, List<Pool> pools) {
    /** The stored rows of a stratum. */
    record Pool(String stratum, long available, long rows) {}

    static List<OwnRows> of(Order order) {
        return order.feeds().stream().map(OwnRows::of).toList();
    }

    static List<OwnRows> of(Selection selection) {
        return selection.feeds().stream().map(OwnRows::of).toList();
    }

    private static OwnRows of(Feed feed) {
        return switch (feed) {
            case TrainFeed train -> of(feed.name(), feed.lanes(), train.strata());
            case SequentialFeed list -> new OwnRows(feed.name(), feed.lanes(), list.rows(), List.of());
        };
    }

    private static OwnRows of(SelectedFeed feed) {
        return switch (feed) {
            case SelectedTrain train -> of(feed.name(), feed.lanes(), train.strata());
            case SelectedSequential list -> new OwnRows(feed.name(), feed.lanes(), list.rows(), List.of());
        };
    }

    private static OwnRows of(String feed, int lanes, List<? extends StoredRows> strata) {
        List<Pool> pools = strata.stream()
                .map(stratum -> new Pool(stratum.name(), stratum.available(), stratum.rows()))
                .toList();
        return new OwnRows(feed, lanes, pools.stream().mapToLong(Pool::rows).sum(), pools);
    }
}
