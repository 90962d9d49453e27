package io.rankfeed.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OrderDiffTest {
    /** Five steps of 4 rows in two lanes, of two strata. */
    private static Feed feed(long seed, List<Long> quotas) {
        List<Stratum> strata = List.of(new Stratum("x", 30), new Stratum("y", 9));
        Member member = new Member("train", "one", "00000000000000aa", "train", 4, RowCycles.SHUFFLED, strata);
        Segment segment = new Segment(0, 5, 0, quotas, List.of(0L, 0L), 2, 0);
        return new TrainFeed(
                "train",
                seed,
                2,
                4,
                1,
                5,
                List.of(),
                EpochMode.STREAM,
                RowOrder.GLOBAL,
                1,
                List.of(member),
                List.of(segment));
    }

    private static Report diff(Feed before, Feed after) {
        Report report = new Report();
        OrderDiff.describe(report, before.name(), Optional.of(before), Optional.of(after));
        return report;
    }

    @Test
    void equalFeeds_haveNoAnswer() {
        Report report = diff(feed(7, List.of(4L, 6L)), feed(7, List.of(4L, 6L)));
        assertThat(report.answers()).isEmpty();
        assertThat(report.tables().keySet())
                .containsExactly("numbers of train", "stages of train", "shares of train", "rows of train");
    }

    @Test
    void seedAndQuotas_thatChanged_areNamed() {
        Report report = diff(feed(7, List.of(4L, 6L)), feed(8, List.of(5L, 5L)));
        assertThat(report.answers())
                .containsExactly(
                        "feed train, seed: 7 before, 8 after",
                        "feed train, share in stage 0, stratum x: 0.4 before, 0.5 after",
                        "feed train, share in stage 0, stratum y: 0.6 before, 0.5 after",
                        "feed train, numbers of rows differ in 2 strata, counted for each stage");
        assertThat(report.tables().get("rows of train").rows())
                .containsExactly(List.of(0L, "x", 8L, 10L), List.of(0L, "y", 12L, 10L));
    }

    @Test
    void sequentialFeeds_areComparedByTheirNumbers() {
        Report report = diff(new SequentialFeed("valid", 2, 4, 11, 3), new SequentialFeed("valid", 2, 8, 11, 2));
        assertThat(report.answers())
                .containsExactly("feed valid, batch: 4 before, 8 after", "feed valid, steps: 3 before, 2 after");
    }

    @Test
    void feed_ofOneOrder_isAddedOrRemoved() {
        Report report = new Report();
        OrderDiff.describe(report, "a", Optional.empty(), Optional.of(feed(7, List.of(4L, 6L))));
        OrderDiff.describe(report, "b", Optional.of(feed(7, List.of(4L, 6L))), Optional.empty());
        assertThat(report.answers()).containsExactly("feed a: added", "feed b: removed");
    }
}
