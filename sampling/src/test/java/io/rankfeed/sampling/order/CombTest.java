package io.rankfeed.sampling.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.TrainFeed;
import java.util.List;
import org.junit.jupiter.api.Test;

class CombTest {
    @Test
    void drawn_byAllLanes_isTheSumOverLanes() {
        RandomOrders orders = new RandomOrders(73, 64);
        for (int i = 0; i < 500; i++) {
            TrainFeed order = orders.next();
            for (Comb comb : Comb.of(order)) {
                for (long step = comb.step; step <= comb.end; step++) {
                    assertThat(comb.drawnByAllLanes(step))
                            .as("seed 73, case %d, step %d", i, step)
                            .isEqualTo(sum(comb, order.strata().size(), order.lanes(), step));
                }
            }
        }
    }

    /** The longest segment, the most lanes and the largest batch that 64 bits hold. */
    @Test
    void drawn_atTheLimits_isTheSumOverLanes() {
        int lanes = 1 << 16;
        long steps = 3_000_000_017L;
        long units = steps * 256;
        List<Long> quotas = List.of(1L, units / 3, 0L, units - units / 3 - 2, 1L);
        Segment segment = new Segment(
                7, steps, 0, quotas, List.of(5L, 4L, 3L, 2L, 1L), Multiplier.choose(steps, lanes), steps - 1);
        Comb comb = new Comb(segment, lanes);
        for (long step : List.of(1_000_000_007L, 6 + steps)) {
            assertThat(comb.drawnByAllLanes(step)).as("step %d", step).isEqualTo(sum(comb, quotas.size(), lanes, step));
        }
    }

    private static long[] sum(Comb comb, int strata, int lanes, long step) {
        long[] drawn = new long[strata];
        long[] sum = new long[drawn.length];
        for (int lane = 0; lane < lanes; lane++) {
            comb.drawnAll(lane, step, drawn, 0);
            for (int s = 0; s < sum.length; s++) {
                sum[s] += drawn[s];
            }
        }
        return sum;
    }
}
