package io.rankfeed.spark.prepare.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BestFitTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void bins_haveTheLoadsOfTheQuadraticAlgorithm(int seed) {
        Random random = new Random(seed);
        int capacity = 1 + random.nextInt(200);
        int[] lengths = random.ints(random.nextInt(300), 1, capacity + 1).toArray();

        List<int[]> bins = BestFit.bins(lengths, capacity);

        assertThat(bins.stream().flatMapToInt(Arrays::stream).sorted().toArray())
                .isEqualTo(IntStream.range(0, lengths.length).toArray());
        bins.forEach(
                bin -> assertThat(bin).isEqualTo(Arrays.stream(bin).sorted().toArray()));
        int[] loads = bins.stream()
                .mapToInt(bin -> Arrays.stream(bin).map(item -> lengths[item]).sum())
                .toArray();
        assertThat(Arrays.stream(loads)).allMatch(load -> load >= 1 && load <= capacity);
        assertThat(Arrays.stream(loads).sorted().toArray()).isEqualTo(loadsOfTheQuadraticAlgorithm(lengths, capacity));
    }

    /** Of bins with equal room it does not matter which one is taken. */
    private static int[] loadsOfTheQuadraticAlgorithm(int[] lengths, int capacity) {
        List<Integer> loads = new ArrayList<>();
        Arrays.stream(lengths).boxed().sorted(Comparator.reverseOrder()).forEach(length -> {
            int best = -1;
            for (int bin = 0; bin < loads.size(); bin++) {
                boolean fits = loads.get(bin) + length <= capacity;
                if (fits && (best < 0 || loads.get(bin) > loads.get(best))) {
                    best = bin;
                }
            }
            if (best < 0) {
                loads.add(length);
            } else {
                loads.set(best, loads.get(best) + length);
            }
        });
        return loads.stream().mapToInt(Integer::intValue).sorted().toArray();
    }

    @Test
    void bins_atTheBoundaries_areRight() {
        assertThat(BestFit.bins(new int[0], 8)).isEmpty();
        assertThat(BestFit.bins(new int[] {8}, 8)).containsExactly(new int[] {0});
        assertThat(BestFit.bins(new int[] {4, 4, 1}, 8)).containsExactly(new int[] {0, 1}, new int[] {2});
        assertThat(BestFit.bins(new int[] {1, 1, 1}, 1)).hasSize(3);
    }
}
