package io.rankfeed.sampling.plan.quota;

import java.util.Arrays;
import java.util.List;

/**
 * The table of real numbers that whole units are rounded from: of all tables with the wanted sums and within the bounds the one
 * nearest to the weights (least relative entropy), which is weight times one factor for each value, cut to the bounds. Found by
 * fitting one column's sums after the other; it only guides the rounding, so how far it converged changes no promise.
 */
final class FractionalTable {
    private static final int SWEEPS = 1_000;
    private static final double ENOUGH = 1e-10;

    /** An upper bound on factors, which grow without limit if no table has the sums; the product of two bounds is still finite. */
    private static final double HUGE = 1e150;

    private final List<MarginColumn> columns;
    private final double[] weights;
    private final long[] floors;
    private final long[] caps;
    private final double[][] factors;

    /** The strata that have a value, by column and value. */
    private final int[][][] strata;

    private FractionalTable(List<MarginColumn> columns, double[] weights, long[] floors, long[] caps) {
        this.columns = columns;
        this.weights = weights;
        this.floors = floors;
        this.caps = caps;
        this.factors = new double[columns.size()][];
        this.strata = new int[columns.size()][][];
        for (int k = 0; k < factors.length; k++) {
            strata[k] = columns.get(k).strata();
            factors[k] = new double[columns.get(k).values().size()];
            Arrays.fill(factors[k], 1);
        }
    }

    /** The table's cell of each stratum. */
    static double[] fit(List<MarginColumn> columns, double[] weights, long[] floors, long[] caps) {
        FractionalTable table = new FractionalTable(columns, weights, floors, caps);
        for (int sweep = 0; sweep < SWEEPS && table.worstError() > ENOUGH; sweep++) {
            for (int k = 0; k < columns.size(); k++) {
                table.fitColumn(k);
            }
        }
        double[] cells = new double[weights.length];
        Arrays.setAll(cells, s -> table.clamp(s, table.scaled(s, -1)));
        return cells;
    }

    private double worstError() {
        double worst = 0;
        for (MarginColumn column : columns) {
            double[] sums = new double[column.targets().length];
            for (int s = 0; s < weights.length; s++) {
                sums[column.valueOf()[s]] += clamp(s, scaled(s, -1));
            }
            for (int v = 0; v < sums.length; v++) {
                long target = column.targets()[v];
                worst = Math.max(worst, Math.abs(sums[v] - target) / Math.max(1, target));
            }
        }
        return worst;
    }

    /** Weight times the factors of all columns but one. */
    private double scaled(int stratum, int without) {
        double scaled = weights[stratum];
        for (int k = 0; k < factors.length; k++) {
            double factor = k == without ? 1 : factors[k][columns.get(k).valueOf()[stratum]];
            scaled = Math.min(HUGE, scaled * factor);
        }
        return scaled;
    }

    private double clamp(int stratum, double cell) {
        return Math.max((double) floors[stratum], Math.min((double) caps[stratum], cell));
    }

    private void fitColumn(int k) {
        MarginColumn column = columns.get(k);
        for (int v = 0; v < column.targets().length; v++) {
            factors[k][v] = factor(k, strata[k][v], (double) column.targets()[v]);
        }
    }

    /**
     * The factor for which the cells of one value, cut to their bounds, add up to the target. Cells that would pass a bound are
     * set to it and the rest fitted again, the side first on which more is cut off; each round settles a cell.
     */
    private double factor(int k, int[] cells, double target) {
        double[] free = new double[cells.length];
        Arrays.setAll(free, i -> scaled(cells[i], k));
        boolean[] settled = new boolean[cells.length];
        double left = target;
        double factor = 1;
        while (true) {
            double sum = 0;
            for (int i = 0; i < free.length; i++) {
                sum += settled[i] ? 0 : free[i];
            }
            if (sum <= 0) {
                return factor;
            }
            factor = Math.min(HUGE, Math.max(0, left) / sum);
            double over = 0;
            double under = 0;
            for (int i = 0; i < free.length; i++) {
                if (!settled[i]) {
                    over += Math.max(0, factor * free[i] - caps[cells[i]]);
                    under += Math.max(0, floors[cells[i]] - factor * free[i]);
                }
            }
            if (over == 0 && under == 0) {
                return factor;
            }
            for (int i = 0; i < free.length; i++) {
                double cell = factor * free[i];
                if (!settled[i] && (over >= under ? cell > caps[cells[i]] : cell < floors[cells[i]])) {
                    settled[i] = true;
                    left -= clamp(cells[i], cell);
                }
            }
        }
    }
}
