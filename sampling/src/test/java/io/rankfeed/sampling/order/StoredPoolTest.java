package io.rankfeed.sampling.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.RowCycles;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredPoolTest {
    /** Orders of a planner and a reader that share no code with these, at every world size. */
    @ParameterizedTest
    @ValueSource(strings = {GoldenPlans.PLANS, GoldenPlans.MIXTURES})
    void rows_goldenOrders_haveTheDigestsOfTheSecondReader(String file) throws NoSuchAlgorithmException {
        for (JsonNode golden : GoldenPlans.cases(file)) {
            StoredOrder order = new StoredOrder(golden);
            for (var world : golden.get("digests").properties()) {
                for (int rank = 0; rank < world.getValue().size(); rank++) {
                    assertThat(order.digest(rank, Integer.parseInt(world.getKey())))
                            .as("rank %d of %s: %s", rank, world.getKey(), golden)
                            .isEqualTo(world.getValue().get(rank).asText());
                }
            }
        }
    }

    /** 3,781 rows in batches of 100: 81 rows are left out of each epoch, others in each. */
    @Test
    void pass_poolThatNoBatchDivides_leavesOutOtherRowsInEachEpoch() {
        int lanes = 4;
        long quota = 3700 / lanes;
        StoredPool pool = new StoredPool(7, 0, 3781, lanes, lanes, RowCycles.LIST_FIRST, EpochMode.PASS);
        int[] visits = new int[3781];
        for (int epoch = 0; epoch < 50; epoch++) {
            Set<Long> seen = new HashSet<>();
            for (int lane = 0; lane < lanes; lane++) {
                for (long draw = epoch * quota; draw < (epoch + 1) * quota; draw++) {
                    long row = pool.row(quota, epoch, lane, draw);
                    assertThat(seen.add(row))
                            .as("row %d in epoch %d", row, epoch)
                            .isTrue();
                    visits[(int) row]++;
                }
            }
        }
        assertThat(visits).containsOnly(48, 49);
    }

    @Test
    void lanes_notDivisorOfStoredLanes_areRefused() {
        assertThatThrownBy(() -> new StoredPool(7, 0, 10, 6, 4, RowCycles.SHUFFLED, EpochMode.STREAM))
                .hasMessageContaining("10 rows in 6 lanes cannot be drawn by 4 lanes");
    }
}
