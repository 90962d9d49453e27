package io.rankfeed.sampling.order;

/** Counts against even expectations, as one standard score whose size says how far they are from chance. */
final class ChiSquare {
    private ChiSquare() {}

    /** The score of cells that share all draws evenly. A negative one is a count that is more even than chance. */
    static double even(int[] cells) {
        return weighted(cells, null);
    }

    /** The score of cells that share all draws in proportion to their weights; no weights are even ones. */
    static double weighted(int[] cells, double[] weights) {
        double total = 0;
        double weight = 0;
        for (int i = 0; i < cells.length; i++) {
            total += cells[i];
            weight += weights == null ? 1 : weights[i];
        }
        double sum = 0;
        for (int i = 0; i < cells.length; i++) {
            double expected = total * (weights == null ? 1 : weights[i]) / weight;
            sum += (cells[i] - expected) * (cells[i] - expected) / expected;
        }
        return score(sum, cells.length - 1.0);
    }

    /**
     * The score of an n by n table of how often each position went to each position under so many permutations. Rows and columns
     * have fixed sums there, so the degrees of freedom are (n - 1) squared and the scale is (n - 1) / n of the plain sum.
     */
    static double positions(int[][] hits, int permutations) {
        int n = hits.length;
        double expected = (double) permutations / n;
        double sum = 0;
        for (int[] row : hits) {
            for (int count : row) {
                sum += (count - expected) * (count - expected) / expected;
            }
        }
        return score(sum * (n - 1) / n, (n - 1.0) * (n - 1));
    }

    /** Wilson and Hilferty: the cube root of a chi-square is nearly normal, for few degrees of freedom too. */
    private static double score(double sum, double freedom) {
        double spread = 2 / (9 * freedom);
        return (Math.cbrt(sum / freedom) - (1 - spread)) / Math.sqrt(spread);
    }
}
