package io.rankfeed.spark.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.sampling.plan.BalanceWithin;
import io.rankfeed.sampling.plan.OnShortage;
import io.rankfeed.sampling.plan.OrderPlanner;
import io.rankfeed.sampling.plan.PlanRequest;
import io.rankfeed.sampling.plan.PoolSpan;
import io.rankfeed.sampling.plan.Shares;
import io.rankfeed.sampling.plan.ZeroQuota;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.spark.sample.select.FeedRows;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The golden version was written without the planner; its numbers must be those that the planner gives. */
class GoldenOrderTest {
    private static final Path GOLDEN = Path.of("../schema/src/test/resources/golden/version/order.json");

    @Test
    void goldenOrder_isThatOfThePlanner() {
        Order golden = OrderJson.read(GOLDEN);
        PlanRequest request = new PlanRequest(
                "train",
                42,
                2,
                4,
                2,
                20,
                EpochMode.STREAM,
                RowOrder.GLOBAL,
                BalanceWithin.BATCH,
                PoolSpan.RUN,
                OnShortage.ERROR,
                ZeroQuota.REFUSE,
                Shares.NEAREST,
                List.of(new PlanRequest.Available("hard", 11), new PlanRequest.Available("easy", 15)),
                List.of(stage("0.4", 3, 1), stage("1", 1, 1)));

        TrainFeed planned = OrderPlanner.plan(request);

        TrainFeed feed = (TrainFeed) golden.feed("train").orElseThrow();
        assertThat(planned).isEqualTo(feed);
    }

    @Test
    void rowsOfGoldenFeeds_areAtTheirPositionsInTheLanes() {
        Order golden = OrderJson.read(GOLDEN);
        FeedRows train = FeedRows.of(golden.feed("train").orElseThrow());
        FeedRows valid = FeedRows.of(golden.feed("valid").orElseThrow());

        assertThat(train.total()).isEqualTo(26);
        assertThat(train.laneAssignment().laneRows(0)).isEqualTo(12);
        assertThat(train.laneAssignment().laneRows(-1)).isEqualTo(2);
        assertThat(train.laneAssignment().lane(1, 10)).isEqualTo(-1);
        assertThat(train.laneAssignment().ordinal(1, 10)).isEqualTo(1);
        assertThat(train.laneAssignment().ordinal(1, 4)).isEqualTo(9);
        assertThat(valid.laneAssignment().laneRows(0)).isEqualTo(6);
        assertThat(valid.laneAssignment().laneRows(1)).isEqualTo(5);
        assertThat(valid.laneAssignment().laneRows(-1)).isZero();
    }

    private static PlanRequest.Stage stage(String until, int easy, int hard) {
        return new PlanRequest.Stage(
                new BigDecimal(until), Map.of("easy", BigDecimal.valueOf(easy), "hard", BigDecimal.valueOf(hard)));
    }
}
