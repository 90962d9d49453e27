package io.rankfeed.sampling.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The golden vectors that docs/format/plan.md states in words. */
class OrderGoldenTest {
    @Test
    void plannedOrderDealsTheListOut() {
        TrainFeed a = GoldenOrders.a();
        assertThat(pools(a)).containsExactly(10L);
        List<Long> first = new ArrayList<>();
        List<Long> second = new ArrayList<>();
        for (int step = 0; step < 5; step++) {
            first.addAll(Rows.indices(Rows.batch(a, step, 0, 2)));
            second.addAll(Rows.indices(Rows.batch(a, step, 1, 2)));
        }
        assertThat(first).containsExactly(0L, 2L, 4L, 6L, 8L);
        assertThat(second).containsExactly(1L, 3L, 5L, 7L, 9L);
    }

    @Test
    void aSmallCurriculumHasItsNumbers() {
        TrainFeed b = GoldenOrders.b();
        assertThat(b.segments())
                .containsExactly(
                        new Segment(0, 3, 0, List.of(4L, 2L, 0L), List.of(0L, 0L, 0L), 1, 2),
                        new Segment(3, 4, 1, List.of(2L, 5L, 1L), List.of(4L, 2L, 0L), 1, 3),
                        new Segment(7, 3, 2, List.of(1L, 3L, 2L), List.of(6L, 7L, 1L), 1, 2));
        assertThat(pools(b)).containsExactly(14L, 20L, 6L);
    }

    @Test
    void aSmallCurriculumHasItsRows() {
        TrainFeed b = GoldenOrders.b();
        assertThat(text(b, 0, 0, 1)).isEqualTo("(0,1)(0,2)(1,1)(0,0)");
        assertThat(text(b, 0, 0, 2)).isEqualTo("(0,2)(0,0)");
        assertThat(text(b, 0, 1, 2)).isEqualTo("(1,1)(0,1)");
        assertThat(text(b, 3, 0, 1)).isEqualTo("(1,7)(1,5)(1,4)(0,8)");
        assertThat(text(b, 3, 0, 2)).isEqualTo("(1,4)(0,8)");
        assertThat(text(b, 3, 1, 2)).isEqualTo("(1,5)(1,7)");
        assertThat(text(b, 9, 0, 1)).isEqualTo("(2,4)(1,19)(1,18)(0,13)");
        assertThat(text(b, 9, 0, 2)).isEqualTo("(2,4)(1,18)");
        assertThat(text(b, 9, 1, 2)).isEqualTo("(1,19)(0,13)");
    }

    @Test
    void rowsOfAScarceStratumAreShared() {
        TrainFeed c = GoldenOrders.c();
        assertThat(c.segments()).containsExactly(new Segment(0, 6, 0, List.of(3L, 3L), List.of(0L, 0L), 1, 2));
        List<String> steps = new ArrayList<>();
        for (int step = 0; step < 6; step++) {
            StringBuilder lanes = new StringBuilder();
            for (int rank = 0; rank < 4; rank++) {
                OrderLookup.Row row = Rows.batch(c, step, rank, 4).get(0);
                lanes.append(row.stratum() == 0 ? "A" : Long.toString(row.index()));
            }
            steps.add(lanes.toString());
        }
        assertThat(steps).containsExactly("0AA3", "AA23", "AA24", "A15A", "45AA", "01AA");
    }

    @Test
    void eachEpochOfAPassIsThePool() {
        TrainFeed d = GoldenOrders.d();
        assertThat(d.stepsPerEpoch()).isEqualTo(12);
        assertThat(pools(d)).containsExactly(96L);
        assertThat(d.segments())
                .containsExactly(
                        new Segment(0, 12, 0, List.of(24L), List.of(0L), 5, 8),
                        new Segment(12, 12, 1, List.of(24L), List.of(24L), 5, 7));
        assertThat(Rows.indices(Rows.batch(d, 0, 0, 1))).containsExactly(4L, 2L, 6L, 0L, 1L, 5L, 7L, 3L);
        assertThat(Rows.indices(Rows.batch(d, 0, 0, 2))).containsExactly(2L, 0L, 6L, 4L);
        assertThat(Rows.indices(Rows.batch(d, 12, 0, 1))).containsExactly(9L, 76L, 67L, 21L, 60L, 18L, 39L, 34L);
        assertThat(Rows.indices(Rows.batch(d, 12, 0, 2))).containsExactly(60L, 76L, 34L, 18L);
        for (int epoch = 0; epoch < 2; epoch++) {
            List<Long> union = new ArrayList<>();
            for (int step = 0; step < 12; step++) {
                union.addAll(Rows.indices(Rows.batch(d, epoch * 12L + step, 0, 1)));
            }
            assertThat(union)
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(0, 96).boxed().toList());
        }
    }

    @Test
    void aLongCurriculumHasItsNumbersAndRows() {
        TrainFeed e = GoldenOrders.e();
        assertThat(e.segments())
                .containsExactly(
                        new Segment(0, 300, 0, List.of(840L, 360L, 0L), List.of(0L, 0L, 0L), 89, 296),
                        new Segment(300, 400, 1, List.of(480L, 960L, 160L), List.of(840L, 360L, 0L), 119, 259),
                        new Segment(700, 300, 2, List.of(120L, 600L, 480L), List.of(1320L, 1320L, 160L), 89, 290));
        assertThat(pools(e)).containsExactly(11520L, 15360L, 5120L);
        assertThat(text(e, 777, 0, 4))
                .isEqualTo("(1,11796)(1,11804)(1,11792)(2,2264)(2,2284)(2,2276)(0,10808)(1,11800)");
        assertThat(text(e, 777, 3, 4))
                .isEqualTo("(1,11795)(2,2279)(1,11803)(2,2259)(0,10807)(2,2267)(1,11807)(1,11799)");
    }

    private static String text(TrainFeed order, long step, int rank, int world) {
        return Rows.text(Rows.batch(order, step, rank, world));
    }

    private static List<Long> pools(TrainFeed order) {
        return order.strata().stream().map(Stratum::rows).toList();
    }
}
