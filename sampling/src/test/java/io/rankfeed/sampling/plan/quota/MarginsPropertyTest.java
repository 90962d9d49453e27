package io.rankfeed.sampling.plan.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.testing.Seed;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Margins against their targets, and refusals against a search through all tables. */
class MarginsPropertyTest {
    private static final long SEED = Seed.of(MarginsPropertyTest.class);

    /** A problem on a grid of values: column k of stratum s has the value {@code level[s][k]}. */
    private static final class Problem {
        final long units;
        final List<String> strata;
        final int[][] level;
        final List<Margin> margins;
        final long[] floors;
        final long[] caps;

        Problem(long units, List<String> strata, int[][] level, List<Margin> margins, long[] floors, long[] caps) {
            this.units = units;
            this.strata = strata;
            this.level = level;
            this.margins = margins;
            this.floors = floors;
            this.caps = caps;
        }

        long[] solve() {
            return Margins.apportion(
                    1, units, strata, margins, Collections.nCopies(caps.length, BigDecimal.ONE), floors, caps);
        }

        long[] targets(int column) {
            Map<String, BigDecimal> weights = margins.get(column).weights();
            return Quotas.apportion(
                    units, weights.keySet().stream().sorted().map(weights::get).toList());
        }
    }

    @Test
    void twoMargins_fullTable_areExactAndCellsRounded() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < Seed.cases(750); i++) {
            int[] sizes = {random.nextInt(1, 7), random.nextInt(1, 9)};
            Problem problem = problem(random, sizes, random.nextLong(1, i % 3 == 0 ? 20 : 100_000), 0, 0);
            long[] quotas = problem.solve();
            assertExact(problem, quotas, i);
            for (int s = 0; s < quotas.length; s++) {
                double ideal = (double) problem.targets(0)[problem.level[s][0]]
                        * problem.targets(1)[problem.level[s][1]]
                        / problem.units;
                assertThat((double) quotas[s])
                        .as("seed %d, problem %d, cell %d", SEED, i, s)
                        .isBetween(Math.floor(ideal + 1e-6), Math.ceil(ideal - 1e-6) + 0.0);
            }
        }
    }

    @Test
    void threeOrFourMargins_fullTable_areExact() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < Seed.cases(250); i++) {
            int[] sizes = new int[random.nextInt(3, 5)];
            Arrays.setAll(sizes, k -> random.nextInt(1, 5));
            Problem problem = problem(random, sizes, random.nextLong(1, i % 2 == 0 ? 30 : 5_000), 0, 0);
            assertExact(problem, problem.solve(), i);
        }
    }

    @Test
    void twoMargins_missingAndBoundedCells_areSolvedIfPossible() {
        SplittableRandom random = new SplittableRandom(SEED);
        int[] solvedAndRefused = new int[2];
        int problems = Seed.cases(1_500);
        for (int i = 0; i < problems; i++) {
            int[] sizes = {random.nextInt(1, 4), random.nextInt(1, 4)};
            Problem problem = problem(random, sizes, random.nextLong(1, 8), 0.45, 0.1);
            boolean solvable = exists(problem, new long[problem.caps.length], 0);
            try {
                assertExact(problem, problem.solve(), i);
                assertThat(solvable).isTrue();
                solvedAndRefused[0]++;
            } catch (ConfigException e) {
                assertThat(solvable)
                        .as("seed %d, problem %d: %s", SEED, i, e.getMessage())
                        .isFalse();
                assertThat(e.getMessage()).containsPattern("rows|weight");
                solvedAndRefused[1]++;
            }
        }
        assertThat(solvedAndRefused[0]).isGreaterThan(problems / 24);
        assertThat(solvedAndRefused[1]).isGreaterThan(problems / 24);
    }

    @Test
    void moreMargins_missingCells_areExactOrRefused() {
        SplittableRandom random = new SplittableRandom(SEED);
        int solved = 0;
        int problems = Seed.cases(750);
        for (int i = 0; i < problems; i++) {
            int[] sizes = {random.nextInt(1, 4), random.nextInt(1, 4), random.nextInt(1, 4)};
            Problem problem = problem(random, sizes, random.nextLong(1, 200), 0.15, 0.05);
            try {
                assertExact(problem, problem.solve(), i);
                solved++;
            } catch (ConfigException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
        assertThat(solved).isGreaterThan(problems / 12);
    }

    @Test
    void cells_atTheirCap_keepMarginsExactAndOthersProportional() {
        // Without caps: 35 and 15 of each. The capped cell gives 20, so its row and column move their rest elsewhere.
        Problem problem =
                grid(100, new int[] {50, 50}, new int[] {70, 30}, new long[4], new long[] {20, 1_000, 1_000, 1_000});
        assertThat(problem.solve()).containsExactly(20, 30, 50, 0);
        assertThat(grid(100, new int[] {50, 50}, new int[] {70, 30}, new long[] {0, 0, 0, 20}, new long[] {
                            100, 100, 100, 100
                        })
                        .solve())
                .containsExactly(40, 10, 30, 20);
    }

    @Test
    void aContradictionNamesTheValuesAndTheirRows() {
        Problem rows =
                grid(100, new int[] {50, 50}, new int[] {70, 30}, new long[4], new long[] {10, 1_000, 1_000, 1_000});
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(rows::solve)
                .withMessageContaining("'c0' and 'c1' contradict each other")
                .withMessageContaining("'v0' of 'c0' is to have 50 rows")
                .withMessageContaining("'v1' of 'c1' can take 30")
                .withMessageContaining("other values can give 10");
        Problem value = grid(100, new int[] {50, 50}, new int[] {70, 30}, new long[4], new long[] {30, 50, 30, 50});
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(value::solve)
                .withMessageContaining("margin of 'c1': 'v0' is to have 70 rows")
                .withMessageContaining("at most 60");
    }

    @Test
    void thousandsOfValuesAreNoMatter() {
        SplittableRandom random = new SplittableRandom(SEED);
        Problem problem = problem(random, new int[] {2, 3_000}, 460_000, 0, 0);
        assertExact(problem, problem.solve(), 0);
        Problem sparse = problem(random, new int[] {40, 60}, 460_000, 0.03, 0);
        assertExact(sparse, sparse.solve(), 1);
    }

    private static void assertExact(Problem problem, long[] quotas, int number) {
        for (int k = 0; k < problem.margins.size(); k++) {
            long[] sums = new long[problem.targets(k).length];
            for (int s = 0; s < quotas.length; s++) {
                sums[problem.level[s][k]] += quotas[s];
            }
            assertThat(sums)
                    .as("seed %d, problem %d, column %d", SEED, number, k)
                    .containsExactly(problem.targets(k));
        }
        for (int s = 0; s < quotas.length; s++) {
            assertThat(quotas[s])
                    .as("seed %d, problem %d, cell %d", SEED, number, s)
                    .isBetween(problem.floors[s], problem.caps[s]);
        }
    }

    /** Whether cells from an index on can be filled so that all sums come right. */
    private static boolean exists(Problem problem, long[] cells, int at) {
        if (at == cells.length) {
            for (int k = 0; k < 2; k++) {
                long[] left = problem.targets(k).clone();
                for (int s = 0; s < cells.length; s++) {
                    left[problem.level[s][k]] -= cells[s];
                }
                if (Arrays.stream(left).anyMatch(l -> l != 0)) {
                    return false;
                }
            }
            return true;
        }
        long used = 0;
        for (int s = 0; s < at; s++) {
            used += problem.level[s][0] == problem.level[at][0] ? cells[s] : 0;
        }
        long max = Math.min(problem.caps[at], problem.targets(0)[problem.level[at][0]] - used);
        for (long units = problem.floors[at]; units <= max; units++) {
            cells[at] = units;
            if (exists(problem, cells, at + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Random weights on all cells of a grid; some cells are missing or have a cap, some have a floor. */
    private static Problem problem(SplittableRandom random, int[] sizes, long units, double capped, double floored) {
        List<List<Integer>> weights = new ArrayList<>();
        for (int size : sizes) {
            List<Integer> some = new ArrayList<>();
            for (int v = 0; v < size; v++) {
                some.add(v == 0 ? 1 + random.nextInt(50) : random.nextInt(100));
            }
            weights.add(some);
        }
        int cells = Arrays.stream(sizes).reduce(1, (a, b) -> a * b);
        long[] floors = new long[cells];
        long[] caps = new long[cells];
        for (int s = 0; s < cells; s++) {
            caps[s] = random.nextDouble() < capped ? random.nextLong(units) * random.nextInt(2) : units;
            floors[s] = random.nextDouble() < floored ? Math.min(caps[s], 1) : 0;
        }
        return problem(units, weights, sizes, floors, caps);
    }

    private static Problem grid(long units, int[] rows, int[] columns, long[] floors, long[] caps) {
        return problem(
                units,
                List.of(
                        Arrays.stream(rows).boxed().toList(),
                        Arrays.stream(columns).boxed().toList()),
                new int[] {rows.length, columns.length},
                floors,
                caps);
    }

    private static Problem problem(long units, List<List<Integer>> weights, int[] sizes, long[] floors, long[] caps) {
        List<String> strata = new ArrayList<>();
        int[][] level = new int[caps.length][sizes.length];
        List<Margin> margins = new ArrayList<>();
        for (int s = 0; s < caps.length; s++) {
            strata.add("s" + s);
            int rest = s;
            for (int k = sizes.length - 1; k >= 0; k--) {
                level[s][k] = rest % sizes[k];
                rest /= sizes[k];
            }
        }
        for (int k = 0; k < sizes.length; k++) {
            // Names are ordered as their numbers: v0 … v9, or v1000 … where there are many.
            int first = sizes[k] > 10 ? 1_000 : 0;
            Map<String, String> valueOf = new LinkedHashMap<>();
            for (int s = 0; s < caps.length; s++) {
                valueOf.put(strata.get(s), "v" + (first + level[s][k]));
            }
            Map<String, BigDecimal> weightOf = new LinkedHashMap<>();
            for (int v = 0; v < sizes[k]; v++) {
                weightOf.put(
                        "v" + (first + v), BigDecimal.valueOf(weights.get(k).get(v)));
            }
            margins.add(new Margin("c" + k, valueOf, weightOf));
        }
        return new Problem(units, strata, level, margins, floors, caps);
    }
}
