package io.rankfeed.sampling.mixture;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Shares of a stage that is handed out in several pieces: each piece makes up for the rounding of those before it. */
final class CarriedShares {
    private final BigInteger[] weights;
    private final BigInteger total;
    private final long[] given;
    private long units;

    /** @param weights at least 0, not all 0 */
    CarriedShares(long[] weights) {
        this.weights = Arrays.stream(weights).mapToObj(BigInteger::valueOf).toArray(BigInteger[]::new);
        this.total = Arrays.stream(this.weights).reduce(BigInteger.ZERO, BigInteger::add);
        this.given = new long[weights.length];
    }

    /** The shares of the next piece, which add up to its units. */
    long[] next(long ofPiece) {
        units += ofPiece;
        BigInteger[] wanted = new BigInteger[weights.length];
        long[] shares = new long[weights.length];
        long left = ofPiece;
        for (int s = 0; s < shares.length; s++) {
            wanted[s] = BigInteger.valueOf(units)
                    .multiply(weights[s])
                    .subtract(BigInteger.valueOf(given[s]).multiply(total));
            shares[s] = wanted[s].max(BigInteger.ZERO).divide(total).longValueExact();
            left -= shares[s];
        }
        while (left != 0) {
            int step = left > 0 ? 1 : -1;
            int[] first = IntStream.range(0, shares.length)
                    .filter(s -> step > 0 || shares[s] > 0)
                    .boxed()
                    .sorted(byOpenShare(wanted, shares, step))
                    .limit(Math.abs(left))
                    .mapToInt(s -> s)
                    .toArray();
            for (int s : first) {
                shares[s] += step;
            }
            left -= (long) step * first.length;
        }
        for (int s = 0; s < shares.length; s++) {
            given[s] += shares[s];
        }
        return shares;
    }

    /** Sorts by what is still wanted: to give, the most first, to take back, the least first and of equal ones the last. */
    private Comparator<Integer> byOpenShare(BigInteger[] wanted, long[] shares, int step) {
        BigInteger[] open = new BigInteger[shares.length];
        Arrays.setAll(
                open, s -> wanted[s].subtract(BigInteger.valueOf(shares[s]).multiply(total)));
        Comparator<Integer> ascending =
                Comparator.<Integer, BigInteger>comparing(s -> open[s]).thenComparing(Comparator.reverseOrder());
        return step > 0 ? ascending.reversed() : ascending;
    }
}
