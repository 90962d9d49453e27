package io.rankfeed.job.plan;

import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.selection.ListOrder;
import io.rankfeed.schema.selection.RowDigests;
import io.rankfeed.schema.selection.SelectedStratum;
import io.rankfeed.schema.selection.SelectedTrain;
import java.util.Collections;
import java.util.List;

/** Feeds of versions to plan over. */
final class Stored {
    static final Member.Source SOURCE = new Member.Source("data", "0".repeat(16), "train");
    static final ListOrder HASHED = new ListOrder(new ListOrder.Hash(0), List.of());
    static final ListOrder AS_TABLE = new ListOrder(new ListOrder.Table(), List.of());

    private Stored() {}

    /** The pools of a plan. */
    static SelectedTrain of(TrainFeed plan, List<String> columns, List<CountedStratum> counted) {
        return feed(
                plan.lanes(),
                columns,
                HASHED,
                plan.strata().stream()
                        .map(stratum -> new SelectedStratum(
                                stratum.name(),
                                counted.stream()
                                        .filter(one -> one.name().equals(stratum.name()))
                                        .findFirst()
                                        .map(CountedStratum::parts)
                                        .orElseThrow(),
                                stratum.available(),
                                stratum.rows()))
                        .toList());
    }

    static SelectedTrain feed(int lanes, List<String> columns, ListOrder list, List<SelectedStratum> strata) {
        long rows = strata.stream().mapToLong(SelectedStratum::rows).sum();
        return new SelectedTrain(
                "train",
                lanes,
                columns,
                list,
                strata,
                Collections.nCopies(Math.toIntExact(RowDigests.count(rows)), "0".repeat(64)));
    }

    static SelectedStratum stratum(long rows, String... values) {
        return new SelectedStratum(String.join("/", values), List.of(values), rows, rows);
    }
}
