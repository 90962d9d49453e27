package io.rankfeed.feeder.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.job.FeedSection;
import io.rankfeed.job.plan.FeedNumbers;
import io.rankfeed.job.plan.StageConditions;
import io.rankfeed.job.plan.VersionPlan;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.manifest.FeedDecisions;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.selection.SelectedTrain;
import java.util.List;
import java.util.Optional;

/**
 * The default order of a version over a dataset: one epoch of its rows, with strata as often as they are. Its settings follow from the
 * version and the numbers of the order, so that no plan states them.
 */
public record ImportedPlan(Order order, FeedDecisions decisions) {
    /**
     * @param batch rows of a global batch, a multiple of the lanes
     * @param version the id of the version
     * @throws io.rankfeed.schema.failure.ConfigException if the rows cannot be planned so
     */
    public static ImportedPlan of(String dataset, String version, SelectedTrain stored, int batch) {
        RowOrder order = stored.list().isHashed() ? RowOrder.GLOBAL : RowOrder.PLANNED;
        FeedSection section = ConfigDocument.of("the import", settings(stored.lanes(), batch, order, stored.columns()))
                .bind(FeedSection.class);
        FeedNumbers numbers = VersionPlan.of(
                section, stored, StageConditions.NONE, new Member.Source(dataset, version, stored.name()));
        return new ImportedPlan(
                OrderId.identified(new Order(dataset, OrderId.NONE, Optional.empty(), List.of(numbers.feed()))),
                numbers.decisions());
    }

    /** The settings by which a default order was planned. */
    static ObjectNode settings(TrainFeed feed, SelectedTrain stored) {
        return settings(feed.lanes(), feed.batch(), feed.order(), stored.columns());
    }

    private static ObjectNode settings(int lanes, int batch, RowOrder order, List<String> columns) {
        ObjectNode settings = JsonNodeFactory.instance
                .objectNode()
                .put("lanes", lanes)
                .put("batch", batch)
                .put("order", order.word());
        if (!columns.isEmpty()) {
            ArrayNode strata = settings.putArray("strata");
            ArrayNode proportional = settings.putArray("proportional");
            columns.forEach(column -> {
                strata.addObject().put("column", column);
                proportional.add(column);
            });
            // Neither a stratum without a row for each lane nor a share that is rounded up prevents an import; both are
            // reported.
            settings.put("on-rare", "leave-out").put("on-shortage", "repeat");
        }
        return settings;
    }
}
