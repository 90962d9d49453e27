package io.rankfeed.sampling.simulate;

import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.sampling.order.EpochOrder;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.LongConsumer;

/**
 * The statistics of a run, computed from one walk through all its steps: about 60 ns and 8 bytes a row.
 *
 * @param epochs one after the other
 * @param strata in the order of the plan
 * @param leastUnique the minimum share of different rows in a global batch, 1 if no batch has a row twice
 * @param meanUnique the mean of that share over all steps
 * @param stretchSteps steps of each stretch of {@code drawn}; the last may be shorter
 * @param drawn rows drawn, by stretch of the run and stratum
 */
public record Simulation(
        List<Epoch> epochs,
        List<Visits> strata,
        double leastUnique,
        double meanUnique,
        long stretchSteps,
        List<List<Long>> drawn) {
    /** Stretches are enough for a picture, few enough to keep. */
    private static final int MAX_STRETCHES = 240;

    /**
     * An epoch.
     *
     * @param seen rows of the pools drawn at least once by its end
     * @param seenByChance the expected number of them if as many rows of each stratum were drawn with replacement
     * @param correlation of a row's position in this epoch with its position in the one before, between −1 and 1; 0 is a perfect
     *     shuffle. Empty in the first epoch, and where no row is drawn in both
     * @param together share of a batch's pairs of rows that shared a batch in the epoch before
     */
    public record Epoch(long seen, double seenByChance, OptionalDouble correlation, OptionalDouble together) {}

    /**
     * The number of times that the rows of a stratum are drawn in the run.
     *
     * @param rows of its pool
     * @param draws of all of them
     * @param minDraws draws of a row
     * @param maxDraws draws of a row
     * @param unseen rows of the pool that are never drawn
     */
    public record Visits(String name, long rows, long draws, int minDraws, int maxDraws, long unseen) {}

    /** Bytes that {@link #of} needs in addition to the order. */
    public static long bytes(TrainFeed order) {
        return 8 * order.strata().stream().mapToLong(Stratum::rows).sum();
    }

    /**
     * Walks through the run.
     *
     * @param progress receives the number of completed steps now and then
     * @throws IllegalArgumentException if a stratum's pool is larger than an array
     */
    public static Simulation of(TrainFeed order, LongConsumer progress) {
        return new Walk(order).result(progress);
    }

    private static final class Walk {
        private static final int NEVER = -1;

        private final TrainFeed order;
        private final int strata;
        private final int[][] visits;
        private final int[][] lastStep;
        private final long[] draws;
        private final List<Epoch> epochs = new ArrayList<>();
        private final List<List<Long>> drawn = new ArrayList<>();
        private final int[] before;
        private Moments moments = new Moments();
        private long seen;
        private long pairs;
        private long pairsAgain;
        private double leastUnique = 1;
        private double sumUnique;

        Walk(TrainFeed order) {
            this.order = order;
            this.strata = order.strata().size();
            this.visits = new int[strata][];
            this.lastStep = new int[strata][];
            this.draws = new long[strata];
            this.before = new int[order.batch()];
            if (order.steps() > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(order.steps() + " steps are more than can be walked through");
            }
            for (int s = 0; s < strata; s++) {
                Stratum stratum = order.strata().get(s);
                if (stratum.rows() > Integer.MAX_VALUE - 8) {
                    throw new IllegalArgumentException("stratum '" + stratum.name() + "' has " + stratum.rows()
                            + " rows; at most 2^31 can be followed");
                }
                visits[s] = new int[(int) stratum.rows()];
                lastStep[s] = new int[(int) stratum.rows()];
                Arrays.fill(lastStep[s], NEVER);
            }
        }

        Simulation result(LongConsumer progress) {
            long stretch = Math.max(1, (order.steps() + MAX_STRETCHES - 1) / MAX_STRETCHES);
            EpochOrder rows = new EpochOrder(order, 0, 1);
            BatchRows batch = new BatchRows(order.batch());
            long[] drawnBefore = new long[strata];
            for (int step = 0; step < order.steps(); step++) {
                rows.fill(step, batch);
                take(step, batch);
                if (step + 1 == order.epochStart(order.epochAt(step) + 1)) {
                    endEpoch();
                }
                if ((step + 1) % stretch == 0 || step + 1 == order.steps()) {
                    List<Long> inStretch = new ArrayList<>();
                    for (int s = 0; s < strata; s++) {
                        inStretch.add(draws[s] - drawnBefore[s]);
                        drawnBefore[s] = draws[s];
                    }
                    drawn.add(List.copyOf(inStretch));
                    progress.accept(step + 1L);
                }
            }
            return new Simulation(
                    List.copyOf(epochs),
                    visitsOfStrata(),
                    leastUnique,
                    sumUnique / order.steps(),
                    stretch,
                    List.copyOf(drawn));
        }

        private void take(int step, BatchRows batch) {
            int epoch = order.epochAt(step);
            int epochStart = (int) order.epochStart(epoch);
            int startBefore = (int) order.epochStart(Math.max(0, epoch - 1));
            int unique = 0;
            int again = 0;
            for (int i = 0; i < batch.size(); i++) {
                int s = batch.stratum(i);
                int index = (int) batch.index(i);
                int last = lastStep[s][index];
                draws[s]++;
                if (visits[s][index]++ == 0) {
                    seen++;
                }
                if (last != step) {
                    unique++;
                }
                if (last != NEVER && last < epochStart && last >= startBefore) {
                    moments.add(last - startBefore, step - epochStart);
                    before[again++] = last;
                }
                lastStep[s][index] = step;
            }
            pairsAgain += equalPairs(before, again);
            pairs += (long) unique * (unique - 1) / 2;
            leastUnique = Math.min(leastUnique, (double) unique / batch.size());
            sumUnique += (double) unique / batch.size();
        }

        private void endEpoch() {
            double byChance = 0;
            for (int s = 0; s < strata; s++) {
                double rows = order.strata().get(s).rows();
                // Of one row, log1p is minus infinity: right for draws above 0, not a number for none.
                byChance += draws[s] == 0 ? 0 : -rows * Math.expm1(draws[s] * Math.log1p(-1 / rows));
            }
            boolean first = epochs.isEmpty();
            epochs.add(new Epoch(
                    seen,
                    byChance,
                    moments.correlation(),
                    first || pairs == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) pairsAgain / pairs)));
            moments = new Moments();
            pairs = 0;
            pairsAgain = 0;
        }

        private List<Visits> visitsOfStrata() {
            List<Visits> all = new ArrayList<>();
            for (int s = 0; s < strata; s++) {
                int fewest = Integer.MAX_VALUE;
                int max = 0;
                long unseen = 0;
                for (int count : visits[s]) {
                    fewest = Math.min(fewest, count);
                    max = Math.max(max, count);
                    unseen += count == 0 ? 1 : 0;
                }
                all.add(new Visits(
                        order.strata().get(s).name(),
                        visits[s].length,
                        draws[s],
                        visits[s].length == 0 ? 0 : fewest,
                        max,
                        unseen));
            }
            return all;
        }

        private static long equalPairs(int[] values, int count) {
            Arrays.sort(values, 0, count);
            long equal = 0;
            int run = 0;
            for (int i = 1; i < count; i++) {
                run = values[i] == values[i - 1] ? run + 1 : 0;
                equal += run;
            }
            return equal;
        }
    }

    /** Sums from which the correlation of pairs of numbers follows. */
    private static final class Moments {
        private double n;
        private double x;
        private double y;
        private double xx;
        private double yy;
        private double xy;

        void add(double a, double b) {
            n++;
            x += a;
            y += b;
            xx += a * a;
            yy += b * b;
            xy += a * b;
        }

        OptionalDouble correlation() {
            double spread = Math.sqrt((n * xx - x * x) * (n * yy - y * y));
            return spread > 0 ? OptionalDouble.of((n * xy - x * y) / spread) : OptionalDouble.empty();
        }
    }
}
