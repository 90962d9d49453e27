package io.rankfeed.sampling.plan.quota;

import io.rankfeed.schema.failure.ConfigException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Hands out whole units by weight: largest remainder in exact arithmetic, ties to the smaller number. */
public final class Quotas {
    private Quotas() {}

    /**
     * Shares of {@code units}, one for each weight, adding up to it exactly.
     *
     * @param weights at least 0, not all 0
     */
    public static long[] apportion(long units, List<BigDecimal> weights) {
        long[] unlimited = new long[weights.size()];
        Arrays.fill(unlimited, Long.MAX_VALUE);
        return apportion(units, weights, unlimited);
    }

    /** Returns shares, as above, of which share s is at most {@code caps[s]}. */
    public static long[] apportion(long units, List<BigDecimal> weights, long[] caps) {
        return apportion(units, weights, new long[caps.length], caps);
    }

    /**
     * Returns shares, as above, of which share s is at least {@code floors[s]} and at most {@code caps[s]}: a share
     * whose ideal value is out of bounds gets its bound, and the others share the rest by weight. If some are above
     * their caps and some below their floors, the side that is further out is fixed first.
     *
     * @throws ConfigException where all caps together are less than {@code units}, or all floors more
     */
    public static long[] apportion(long units, List<BigDecimal> weights, long[] floors, long[] caps) {
        BigInteger[] scaled = wholeNumbers(weights);
        long[] shares = new long[scaled.length];
        boolean[] closed = new boolean[scaled.length];
        long left = units;
        while (true) {
            BigInteger total = BigInteger.ZERO;
            for (int s = 0; s < scaled.length; s++) {
                total = closed[s] ? total : total.add(scaled[s]);
            }
            if (total.signum() == 0) {
                for (int s = 0; s < scaled.length; s++) {
                    shares[s] = closed[s] ? shares[s] : floors[s];
                    left -= closed[s] ? 0 : floors[s];
                }
                if (left == 0) {
                    return shares;
                }
                throw new ConfigException(
                        left > 0
                                ? left + " units find no stratum with a weight and rows to give"
                                : "all floors together are " + -left + " units too many");
            }
            long given = close(left, total, scaled, floors, caps, shares, closed);
            if (given < 0) {
                largestRemainder(left, total, scaled, shares, closed);
                return shares;
            }
            left -= given;
        }
    }

    /** Closes every share whose ideal exceeds its cap, or its floor. Returns the units these take, or -1 where there is none. */
    private static long close(
            long left,
            BigInteger total,
            BigInteger[] weights,
            long[] floors,
            long[] caps,
            long[] shares,
            boolean[] closed) {
        BigInteger[] beyond = new BigInteger[weights.length];
        BigInteger over = BigInteger.ZERO;
        BigInteger under = BigInteger.ZERO;
        for (int s = 0; s < weights.length; s++) {
            beyond[s] = BigInteger.ZERO;
            if (!closed[s]) {
                BigInteger ideal = BigInteger.valueOf(left).multiply(weights[s]);
                BigInteger above = ideal.subtract(BigInteger.valueOf(caps[s]).multiply(total));
                BigInteger below = ideal.subtract(BigInteger.valueOf(floors[s]).multiply(total));
                beyond[s] = above.signum() > 0 ? above : below.min(BigInteger.ZERO);
                over = over.add(beyond[s].max(BigInteger.ZERO));
                under = under.subtract(beyond[s].min(BigInteger.ZERO));
            }
        }
        int side = over.compareTo(under) >= 0 ? 1 : -1;
        long given = -1;
        for (int s = 0; s < weights.length; s++) {
            if (beyond[s].signum() == side) {
                closed[s] = true;
                shares[s] = side > 0 ? caps[s] : floors[s];
                given = Math.max(given, 0) + shares[s];
            }
        }
        return given;
    }

    private static void largestRemainder(
            long units, BigInteger total, BigInteger[] weights, long[] shares, boolean[] closed) {
        BigInteger[] remainders = new BigInteger[weights.length];
        long left = units;
        for (int s = 0; s < weights.length; s++) {
            if (closed[s]) {
                remainders[s] = BigInteger.ONE.negate();
                continue;
            }
            BigInteger[] parts = BigInteger.valueOf(units).multiply(weights[s]).divideAndRemainder(total);
            shares[s] = parts[0].longValueExact();
            remainders[s] = parts[1];
            left -= shares[s];
        }
        IntStream.range(0, weights.length)
                .boxed()
                .sorted(Comparator.<Integer, BigInteger>comparing(s -> remainders[s])
                        .reversed())
                .limit(left)
                .forEach(s -> shares[s]++);
    }

    static BigInteger[] wholeNumbers(List<BigDecimal> weights) {
        int scale = 0;
        for (BigDecimal weight : weights) {
            if (weight.signum() < 0) {
                throw new ConfigException("weight " + weight.toPlainString() + " is negative; weights are 0 or more");
            }
            scale = Math.max(scale, weight.scale());
        }
        int digits = scale;
        return weights.stream()
                .map(weight -> weight.movePointRight(digits).toBigIntegerExact())
                .toArray(BigInteger[]::new);
    }
}
