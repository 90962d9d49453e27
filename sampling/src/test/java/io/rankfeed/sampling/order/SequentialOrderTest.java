package io.rankfeed.sampling.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SequentialOrderTest {
    @Test
    void lastBatch_fewRows_isEmptyOnSomeRanks() {
        SequentialOrder order = new SequentialOrder(4, 8, 17);
        assertThat(order.steps()).isEqualTo(3);
        assertThat(indices(order, 0, 1, 4)).containsExactly(1L, 5L);
        assertThat(indices(order, 2, 0, 4)).containsExactly(16L);
        assertThat(indices(order, 2, 1, 4)).isEmpty();
        assertThat(indices(order, 1, 1, 2)).containsExactly(9L, 11L, 13L, 15L);
    }

    @Test
    void noRowsAreNoSteps() {
        assertThat(new SequentialOrder(4, 8, 0).steps()).isZero();
    }

    @Test
    void rows_anyWorldSize_comeOnceInListOrderFromOwnLanes() {
        long seed = 77;
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 500; i++) {
            int lanes = random.nextInt(1, 13);
            SequentialOrder order = new SequentialOrder(lanes, lanes * random.nextInt(1, 5), random.nextInt(0, 200));
            for (int world : Worlds.of(lanes)) {
                assertEveryRowOnce(order, world, "seed " + seed + ", configuration " + i + ", world " + world);
            }
            long stored = 0;
            for (int lane = 0; lane < lanes; lane++) {
                stored += order.laneRows(lane);
                assertThat(order.laneRows(lane)).isBetween(order.rows() / lanes, order.rows() / lanes + 1);
            }
            assertThat(stored).isEqualTo(order.rows());
        }
    }

    private static void assertEveryRowOnce(SequentialOrder order, int world, String where) {
        boolean[] seen = new boolean[(int) order.rows()];
        BatchRows out = new BatchRows(order.batch() / world);
        for (int rank = 0; rank < world; rank++) {
            long last = -1;
            for (long step = 0; step < order.steps(); step++) {
                order.fill(step, rank, world, out);
                assertThat(out.size()).as(where).isEqualTo(order.validRows(step, rank, world));
                for (int k = 0; k < out.size(); k++) {
                    assertThat(out.index(k)).as(where).isGreaterThan(last);
                    assertThat(out.index(k) / order.batch()).as(where).isEqualTo(step);
                    assertThat(out.lane(k) % world).as(where).isEqualTo(rank);
                    assertThat(out.ordinal(k)).as(where).isLessThan(order.laneRows(out.lane(k)));
                    assertThat(out.ordinal(k) * order.lanes() + out.lane(k)).isEqualTo(out.index(k));
                    last = out.index(k);
                    assertThat(seen[(int) last]).as(where).isFalse();
                    seen[(int) last] = true;
                }
            }
        }
        assertThat(seen).as(where).isEqualTo(filled(seen.length));
    }

    @Test
    void impossibleNumbersAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new SequentialOrder(4, 10, 5));
        assertThatIllegalArgumentException().isThrownBy(() -> new SequentialOrder(0, 8, 5));
        assertThatIllegalArgumentException().isThrownBy(() -> new SequentialOrder(4, 8, -1));
        assertThatIllegalArgumentException().isThrownBy(() -> new SequentialOrder(4, 8, Long.MAX_VALUE));
    }

    private static boolean[] filled(int length) {
        boolean[] all = new boolean[length];
        Arrays.fill(all, true);
        return all;
    }

    private static List<Long> indices(SequentialOrder order, long step, int rank, int world) {
        BatchRows out = new BatchRows(order.batch());
        order.fill(step, rank, world, out);
        return Rows.indices(Rows.of(out));
    }
}
