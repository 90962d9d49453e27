package io.rankfeed.spark.sample.select;

import io.rankfeed.job.FeedSection;
import io.rankfeed.job.StrataColumn;
import io.rankfeed.job.plan.CountedStratum;
import io.rankfeed.job.plan.OrderedStages;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.selection.ListOrder;
import io.rankfeed.schema.selection.RowDigests;
import io.rankfeed.schema.selection.SelectedFeed;
import io.rankfeed.schema.selection.SelectedSequential;
import io.rankfeed.schema.selection.SelectedStratum;
import io.rankfeed.schema.selection.SelectedTrain;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The part of {@code selection.json} about a planned feed. */
public final class SelectedRows {
    private SelectedRows() {}

    /** @param rowDigests of its rows, as {@link RowDigests} makes them */
    public static SelectedFeed of(PlannedFeed planned, List<String> rowDigests) {
        if (!(planned.feed() instanceof TrainFeed train)) {
            return new SelectedSequential(
                    planned.feed().name(),
                    planned.feed().lanes(),
                    FeedRows.of(planned.feed()).total(),
                    rowDigests);
        }
        FeedSection section = planned.section();
        List<String> columns =
                section.strata().stream().map(StrataColumn::displayName).toList();
        return new SelectedTrain(
                train.name(),
                train.lanes(),
                columns,
                new ListOrder(listedBy(section), OrderedStages.of(train, section.stages())),
                strata(train, columns.size(), planned.strata()),
                rowDigests);
    }

    private static List<SelectedStratum> strata(TrainFeed train, int columns, List<CountedStratum> counted) {
        Map<String, List<String>> values =
                counted.stream().collect(Collectors.toMap(CountedStratum::name, CountedStratum::parts));
        return train.strata().stream()
                .map(stratum -> new SelectedStratum(
                        stratum.name(),
                        // Rare strata that are drawn together have no value in common.
                        values.getOrDefault(stratum.name(), Collections.nCopies(columns, stratum.name())),
                        stratum.available(),
                        stratum.rows()))
                .toList();
    }

    private static ListOrder.By listedBy(FeedSection section) {
        if (section.list().isPresent()) {
            return new ListOrder.Given();
        }
        if (section.orderBy().isPresent()) {
            return new ListOrder.Column(section.orderBy().get());
        }
        return section.order() == RowOrder.PLANNED ? new ListOrder.Table() : new ListOrder.Hash(section.seedOfLists());
    }
}
