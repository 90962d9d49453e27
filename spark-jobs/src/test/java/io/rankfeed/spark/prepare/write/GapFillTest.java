package io.rankfeed.spark.prepare.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GapFillTest {
    @Test
    void gap_largestRowLeavingRoom_isFilledByThreeRows() {
        assertThat(GapFill.chosen(new int[] {60, 45, 35, 20, 90}, 100)).containsExactly(1, 2, 3);
        assertThat(GapFill.chosen(new int[] {70, 80}, 50)).isEmpty();
        assertThat(GapFill.chosen(new int[] {}, 50)).isEmpty();
        assertThat(GapFill.chosen(new int[] {10, 10, 10, 10, 10}, 50)).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void choice_staysInTheRoomAndTakesARowOnce() {
        SplittableRandom random = new SplittableRandom(5);
        for (int round = 0; round < 300; round++) {
            int[] lengths = random.ints(random.nextInt(100), 1, 1000).toArray();
            long room = random.nextInt(5000);
            List<Integer> chosen = GapFill.chosen(lengths, room);
            assertThat(chosen).as("round %d of seed 5", round).isSorted().doesNotHaveDuplicates();
            assertThat(chosen.stream().mapToLong(i -> lengths[i]).sum()).isLessThanOrEqualTo(room);
        }
    }
}
