package io.rankfeed.sampling.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.order.OrderLimits;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PrimitivesTest {
    @Test
    void hashesAreTheGoldenOnes() {
        assertThat(Mix.mix(1)).isEqualTo(0x5692161d100b05e5L);
        assertThat(Mix.key(42, 1, 0, 0, 0)).isEqualTo(0x7c15e27c53336e6fL);
    }

    @Test
    void permutationsAreTheGoldenOnes() {
        long key = Mix.key(42, 9);
        assertThat(LongStream.range(0, 10).map(x -> Permutation.at(10, key, x)))
                .containsExactly(0L, 6L, 2L, 9L, 7L, 1L, 5L, 3L, 8L, 4L);
        assertThat(LongStream.range(0, 10).map(x -> Permutation.at(100, key, x)))
                .containsExactly(9L, 7L, 86L, 50L, 52L, 33L, 43L, 87L, 2L, 47L);
    }

    @Test
    void floorSumIsTheSumOfFloors() {
        assertThat(FloorSum.sum(7, 10, 3, 4)).isEqualTo(6);
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 5_000; i++) {
            long n = random.nextLong(60);
            long m = random.nextLong(1, 50);
            long a = random.nextLong(200);
            long b = random.nextLong(200);
            long sum = LongStream.range(0, n).map(x -> (a * x + b) / m).sum();
            assertThat(FloorSum.sum(n, m, a, b)).as("%d %d %d %d", n, m, a, b).isEqualTo(sum);
        }
    }

    @Test
    void floorSumIsExactAtTheLimitOfALongSegment() {
        long steps = 3_037_000_000L;
        assertThat(OrderLimits.fitsComb(steps, 8)).isTrue();
        long m = Multiplier.choose(steps, 8);
        // A whole segment: a stratum as long as the line is drawn once for each unit.
        long edge = steps * 8;
        assertThat(FloorSum.sum(steps, steps, m, edge + steps - 1) - FloorSum.sum(steps, steps, m, steps - 1))
                .isEqualTo(edge);
    }

    @Test
    void multipliersAreTheGoldenOnes() {
        assertThat(Multiplier.choose(12, 4)).isEqualTo(5);
        assertThat(Multiplier.choose(1000, 8)).isEqualTo(589);
        assertThat(Multiplier.choose(12345, 4)).isEqualTo(7631);
        assertThat(Multiplier.choose(1, 4)).isZero();
        assertThat(Multiplier.choose(2, 4)).isEqualTo(1);
    }

    /** Divisions of 32 and of 64 bits, and pairs of which one or both are shuffled and not walked. */
    @Test
    void permutations_aroundThresholds_areThoseOfThePage() {
        long[] sizes = {2, 62, 63, 64, 65, (1L << 31) - 2, (1L << 31) - 1, 1L << 31, (1L << 31) + 1, (1L << 32) + 1};
        long key = Mix.key(42, 9);
        for (long first : sizes) {
            for (long second : sizes) {
                long[] x = {first - 1, second - 1, first / 2};
                long[] n = {first, second, first};
                long[] rows = LongStream.of(n).map(Permutation::gridRows).toArray();
                long[] columns = {
                    Permutation.gridColumns(first, rows[0]),
                    Permutation.gridColumns(second, rows[1]),
                    Permutation.gridColumns(first, rows[2])
                };
                long[] walked = x.clone();
                Permutation.walkAll(3, walked, n, rows, columns, new long[] {key, key + 1, key + 2});
                for (int i = 0; i < 3; i++) {
                    long page = ReferenceOrder.perm(n[i], key + i, x[i]);
                    assertThat(Permutation.at(n[i], key + i, x[i])).isEqualTo(page);
                    assertThat(Permutation.indexOf(n[i], key + i, page)).isEqualTo(x[i]);
                    assertThat(walked[i]).isEqualTo(n[i] < Permutation.SHUFFLE_BELOW ? x[i] : page);
                }
            }
        }
    }

    @Test
    void everyPermutationIsABijectionWithItsInverse() {
        for (int n = 0; n <= 5_000; n++) {
            long key = Mix.key(n, 1);
            int[] all = new int[n];
            if (n < Permutation.SHUFFLE_BELOW) {
                Permutation.shuffle(key, all);
            } else {
                walkAll(n, key, all);
            }
            boolean[] seen = new boolean[n];
            int wrong = 0;
            for (int x = 0; x < n; x++) {
                // The images all at once and one by one, the inverse, and (it is slow) the page's own words for some.
                boolean right = Permutation.at(n, key, x) == all[x] && Permutation.indexOf(n, key, all[x]) == x;
                if (n < 200 || x % 97 == 0) {
                    right &= ReferenceOrder.perm(n, key, x) == all[x];
                }
                wrong += right && !seen[all[x]] ? 0 : 1;
                seen[all[x]] = true;
            }
            assertThat(wrong).as("n = %d", n).isZero();
        }
    }

    private static void walkAll(int n, long key, int[] images) {
        long rows = Permutation.gridRows(n);
        long[] x = LongStream.range(0, n).toArray();
        Permutation.walkAll(
                n, x, columns(n, n), columns(n, rows), columns(n, Permutation.gridColumns(n, rows)), columns(n, key));
        Arrays.setAll(images, i -> (int) x[i]);
    }

    private static long[] columns(int n, long value) {
        long[] column = new long[n];
        Arrays.fill(column, value);
        return column;
    }

    @Test
    void longPermutationsInvert() {
        SplittableRandom random = new SplittableRandom(9);
        for (long n : new long[] {1_000_000_000L, 1_500_000_000L, (1L << 31) + 11, (1L << 40) + 9, 1L << 62}) {
            for (int i = 0; i < 100_000; i++) {
                long x = random.nextLong(n);
                long y = Permutation.at(n, 77, x);
                // Every image has one origin: where the inverse is exact, no two numbers can share an image.
                if (y < 0 || y >= n || Permutation.indexOf(n, 77, y) != x) {
                    throw new AssertionError("n = " + n + ": " + x + " becomes " + y);
                }
                if (i % 50 == 0) {
                    assertThat(y).isEqualTo(ReferenceOrder.perm(n, 77, x));
                }
            }
        }
    }
}
