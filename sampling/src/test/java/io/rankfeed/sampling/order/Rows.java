package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.List;

/** Rows of batches as the tests compare them. */
public final class Rows {
    private Rows() {}

    static List<OrderLookup.Row> of(BatchRows batch) {
        List<OrderLookup.Row> rows = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            rows.add(new OrderLookup.Row(batch.stratum(i), batch.index(i)));
        }
        return rows;
    }

    static List<OrderLookup.Row> batch(TrainFeed order, long step, int rank, int world) {
        EpochOrder epochOrder = new EpochOrder(order, rank, world);
        BatchRows batch = new BatchRows(epochOrder.rowsPerBatch());
        epochOrder.fill(step, batch);
        return of(batch);
    }

    static String text(List<OrderLookup.Row> rows) {
        StringBuilder text = new StringBuilder();
        for (OrderLookup.Row row : rows) {
            text.append('(')
                    .append(row.stratum())
                    .append(',')
                    .append(row.index())
                    .append(')');
        }
        return text.toString();
    }

    static List<Long> indices(List<OrderLookup.Row> rows) {
        return rows.stream().map(OrderLookup.Row::index).toList();
    }
}
