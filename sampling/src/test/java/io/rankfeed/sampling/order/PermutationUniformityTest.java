package io.rankfeed.sampling.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whether the permutations of 10,000 keys are spread as chance would spread them. Keys are those that plans use, with one word
 * counting up: the seed, the cycle or the step. Everything is fixed, so a score is a fact about the construction.
 */
class PermutationUniformityTest {
    private static final int KEYS = 10_000;
    private static final long SEED = 42;

    /** Of some thousand scores the largest by chance is near 3.7; a weakness shows as 8 and more. */
    private static final double MAX_SCORE = 4.8;

    private record Keys(String counting, IntToLongFunction key) {}

    private static final List<Keys> FAMILIES = List.of(
            new Keys("seed", i -> Mix.key(i, 1, 0, 0, 1)),
            new Keys("cycle", i -> Mix.key(SEED, 1, 2, 5, i)),
            new Keys("step", i -> Mix.key(SEED, 4, i, 1, 4)));

    private static final int[] SMALL = IntStream.rangeClosed(2, 64).toArray();

    /** Squares, their neighbors and primes: full grids, grids with a column too many, grids with a hole. */
    private static final int[] LARGER = {65, 66, 71, 72, 73, 80, 81, 82, 100, 101, 127, 144, 145, 199, 256, 257, 400};

    private static final int[] ALL =
            IntStream.concat(Arrays.stream(SMALL), Arrays.stream(LARGER)).toArray();

    /** What is counted in each build; the construction itself is compared with stored orders (OrderVectorsTest). */
    private static final int[] SOME = {4, 7, 16, 31, 64, 73, 145};

    @Test
    void row_manyKeys_isAtEachPositionEquallyOften() {
        countPositions(SOME);
    }

    @Test
    @Tag("nightly")
    void row_manyKeysAndSizes_isAtEachPositionEquallyOften() {
        countPositions(ALL);
    }

    private static void countPositions(int[] sizes) {
        Worst worst = new Worst();
        for (Keys family : FAMILIES) {
            for (int n : sizes) {
                int[][] hits = new int[n][n];
                for (int k = 0; k < KEYS; k++) {
                    int[] images = images(n, family.key().applyAsLong(k));
                    for (int x = 0; x < n; x++) {
                        hits[x][images[x]]++;
                    }
                }
                worst.see(ChiSquare.positions(hits, KEYS), "positions, n = " + n + " over " + family.counting());
            }
        }
        worst.check();
    }

    @Test
    void twoRows_manyKeys_areAtEachPairEquallyOften() {
        Worst worst = new Worst();
        for (Keys family : FAMILIES) {
            for (int n : Arrays.stream(SMALL).filter(n -> n > 2).toArray()) {
                int[][] pairs = pairs(n);
                int[][] hits = new int[pairs.length][n * (n - 1)];
                for (int k = 0; k < KEYS; k++) {
                    int[] images = images(n, family.key().applyAsLong(k));
                    for (int i = 0; i < pairs.length; i++) {
                        int first = images[pairs[i][0]];
                        int second = images[pairs[i][1]];
                        hits[i][first * (n - 1) + (second > first ? second - 1 : second)]++;
                    }
                }
                for (int i = 0; i < pairs.length; i++) {
                    String where = "pair " + Arrays.toString(pairs[i]) + ", n = " + n + " over " + family.counting();
                    worst.see(ChiSquare.even(hits[i]), where);
                }
            }
        }
        worst.check();
    }

    /** For longer lists the pairs are too many to count one by one: their distances and their grid lines are counted. */
    @Test
    void twoRows_longList_haveEachDistanceEquallyOften() {
        Worst worst = new Worst();
        int[] sizes = IntStream.concat(Arrays.stream(LARGER), IntStream.of(64, 1_000, 1_023, 3_000))
                .toArray();
        for (Keys family : FAMILIES) {
            for (int n : sizes) {
                int columns = (int) Permutation.gridColumns(n, Permutation.gridRows(n));
                int[][] pairs = pairs(n);
                int[][] hits = new int[pairs.length][n - 1];
                int[] sameRow = new int[pairs.length];
                int[] sameColumn = new int[pairs.length];
                for (int k = 0; k < KEYS; k++) {
                    long key = family.key().applyAsLong(k);
                    for (int i = 0; i < pairs.length; i++) {
                        int first = (int) Permutation.at(n, key, pairs[i][0]);
                        int second = (int) Permutation.at(n, key, pairs[i][1]);
                        hits[i][Math.floorMod(second - first, n) - 1]++;
                        sameRow[i] += first / columns == second / columns ? 1 : 0;
                        sameColumn[i] += first % columns == second % columns ? 1 : 0;
                    }
                }
                double[] sharing = sharing(n, columns);
                for (int i = 0; i < pairs.length; i++) {
                    String where = "pair " + Arrays.toString(pairs[i]) + ", n = " + n + " over " + family.counting();
                    worst.see(ChiSquare.even(hits[i]), "distance, " + where);
                    worst.see(binomial(sameRow[i], sharing[0]), "one grid row, " + where);
                    worst.see(binomial(sameColumn[i], sharing[1]), "one grid column, " + where);
                }
            }
        }
        worst.check();
    }

    @Test
    void neighbors_manyKeys_stayNeighborsAsByChance() {
        countNeighbors(SOME);
    }

    @Test
    @Tag("nightly")
    void neighbors_manyKeysAndSizes_stayNeighborsAsByChance() {
        countNeighbors(IntStream.concat(IntStream.rangeClosed(4, 82), IntStream.of(100, 145, 256))
                .toArray());
    }

    private static void countNeighbors(int[] sizes) {
        Worst worst = new Worst();
        for (Keys family : FAMILIES) {
            for (int n : sizes) {
                long stayed = 0;
                long turned = 0;
                for (int k = 0; k < KEYS; k++) {
                    int[] images = images(n, family.key().applyAsLong(k));
                    for (int x = 0; x + 1 < n; x++) {
                        stayed += images[x + 1] == images[x] + 1 ? 1 : 0;
                        turned += images[x + 1] == images[x] - 1 ? 1 : 0;
                    }
                }
                // Of n - 1 neighbors each stays with probability 1 / n; the variance of their number is 1 - 1/n -
                // 1/n^2.
                double mean = KEYS * (n - 1.0) / n;
                double deviation = Math.sqrt(KEYS * (1 - 1.0 / n - 1.0 / n / n));
                worst.see((stayed - mean) / deviation, "successors, n = " + n + " over " + family.counting());
                worst.see((turned - mean) / deviation, "predecessors, n = " + n + " over " + family.counting());
            }
        }
        worst.check();
    }

    @Test
    void eachOrderOfAFewRowsComesEquallyOften() {
        Worst worst = new Worst();
        for (Keys family : FAMILIES) {
            for (int n = 2; n <= 7; n++) {
                int orders = IntStream.rangeClosed(1, n).reduce(1, (a, b) -> a * b);
                int[] hits = new int[orders];
                int keys = Math.max(KEYS, 20 * orders);
                for (int k = 0; k < keys; k++) {
                    hits[rank(images(n, family.key().applyAsLong(k)))]++;
                }
                worst.see(ChiSquare.even(hits), "orders of n = " + n + " over " + family.counting());
            }
        }
        worst.check();
    }

    @Test
    void cyclesLanesAndStrata_anySeed_areIndependent() {
        Worst worst = new Worst();
        for (int n :
                IntStream.concat(Arrays.stream(SMALL), IntStream.of(65, 81, 82)).toArray()) {
            int[][] hits = new int[4][n * n];
            for (int k = 0; k < KEYS; k++) {
                int x = k % n;
                int here = (int) Permutation.at(n, Mix.key(k, 1, 3, 2, 1), x);
                hits[0][here * n + (int) Permutation.at(n, Mix.key(k, 1, 3, 2, 2), x)]++;
                hits[1][here * n + (int) Permutation.at(n, Mix.key(k, 1, 3, 3, 1), x)]++;
                hits[2][here * n + (int) Permutation.at(n, Mix.key(k, 1, 4, 2, 1), x)]++;
                hits[3][here * n + (int) Permutation.at(n, Mix.key(k + 1L, 1, 3, 2, 1), x)]++;
            }
            String[] other = {"next cycle", "next lane", "next stratum", "next seed"};
            for (int i = 0; i < hits.length; i++) {
                worst.see(ChiSquare.even(hits[i]), other[i] + ", n = " + n);
            }
        }
        worst.check();
    }

    /** What the scores say of a map that is not a shuffle: each row is everywhere equally often, but always with its neighbor. */
    @Test
    void aRotationIsReportedFromAPermutation() {
        int n = 31;
        int[] positions = new int[n];
        int[] pairs = new int[n * (n - 1)];
        for (int k = 0; k < KEYS; k++) {
            int turn = (int) Mix.below(Mix.key(k, 8), n);
            int second = (turn + 1) % n;
            positions[turn]++;
            pairs[turn * (n - 1) + (second > turn ? second - 1 : second)]++;
        }
        assertThat(Math.abs(ChiSquare.even(positions))).isLessThan(MAX_SCORE);
        assertThat(ChiSquare.even(pairs)).isGreaterThan(MAX_SCORE);
    }

    /** Pairs near and far, and those that share a row or a column of the grid. */
    private static int[][] pairs(int n) {
        int columns = (int) Permutation.gridColumns(n, Permutation.gridRows(n));
        List<int[]> pairs = new ArrayList<>();
        for (int[] pair : new int[][] {{0, 1}, {0, n - 1}, {n / 2 - 1, n / 2}, {n - 1, n - 2}, {0, columns}}) {
            if (pair[0] != pair[1] && pair[1] < n) {
                pairs.add(pair);
            }
        }
        return pairs.toArray(int[][]::new);
    }

    /** The chance that two different positions share a row, and a column, of the grid whose last positions are missing. */
    private static double[] sharing(int n, int columns) {
        double rows = 0;
        double cols = 0;
        for (int from = 0; from < n; from += columns) {
            double length = Math.min(columns, n - from);
            rows += length * (length - 1);
        }
        for (int column = 0; column < columns; column++) {
            int length = (n - column + columns - 1) / columns;
            cols += length * (length - 1.0);
        }
        double all = n * (n - 1.0);
        return new double[] {rows / all, cols / all};
    }

    private static double binomial(int count, double chance) {
        return (count - KEYS * chance) / Math.sqrt(KEYS * chance * (1 - chance));
    }

    private static int rank(int[] images) {
        int rank = 0;
        for (int i = 0; i < images.length; i++) {
            int smaller = 0;
            for (int j = i + 1; j < images.length; j++) {
                smaller += images[j] < images[i] ? 1 : 0;
            }
            rank = rank * (images.length - i) + smaller;
        }
        return rank;
    }

    private static int[] images(int n, long key) {
        int[] images = new int[n];
        if (n < Permutation.SHUFFLE_BELOW) {
            Permutation.shuffle(key, images);
        } else {
            long rows = Permutation.gridRows(n);
            long columns = Permutation.gridColumns(n, rows);
            for (int x = 0; x < n; x++) {
                images[x] = (int) Permutation.walk(n, rows, columns, key, x);
            }
        }
        return images;
    }

    private static final class Worst {
        private double score;
        private String where = "";
        private int seen;

        void see(double z, String what) {
            seen++;
            if (Math.abs(z) > Math.abs(score)) {
                score = z;
                where = what;
            }
        }

        void check() {
            assertThat(Math.abs(score)).as("worst score of %d: %s", seen, where).isLessThan(MAX_SCORE);
        }
    }
}
