package io.rankfeed.sampling;

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

    /**
     * The same where share s may not exceed {@code caps[s]}: those whose ideal share does get their cap, and the others share
     * the rest by weight.
     *
     * @throws ConfigException where all caps together are less than {@code units}
     */
    static long[] apportion(long units, List<BigDecimal> weights, long[] caps) {
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
                if (left == 0) {
                    return shares;
                }
                throw new ConfigException(left + " units find no stratum with a weight and rows to give");
            }
            long given = close(left, total, scaled, caps, shares, closed);
            if (given < 0) {
                largestRemainder(left, total, scaled, shares, closed);
                return shares;
            }
            left -= given;
        }
    }

    /** Closes every share whose ideal exceeds its cap. Returns the units these take, or -1 where there is none. */
    private static long close(
            long left, BigInteger total, BigInteger[] weights, long[] caps, long[] shares, boolean[] closed) {
        long given = -1;
        for (int s = 0; s < weights.length; s++) {
            BigInteger ideal = BigInteger.valueOf(left).multiply(weights[s]);
            if (!closed[s] && ideal.compareTo(BigInteger.valueOf(caps[s]).multiply(total)) > 0) {
                closed[s] = true;
                shares[s] = caps[s];
                given = Math.max(given, 0) + caps[s];
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

    private static BigInteger[] wholeNumbers(List<BigDecimal> weights) {
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
