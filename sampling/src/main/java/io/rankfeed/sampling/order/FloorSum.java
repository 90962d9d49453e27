package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.TrainFeed;

/** Sums of floor((a*i + b) / m) in logarithmic time: they count the draws of a stratum before a step without a scan. */
public final class FloorSum {
    private FloorSum() {}

    /**
     * The sum over 0 &lt;= i &lt; n of floor((a*i + b) / m), for n, a, b &gt;= 0 and m &gt;= 1. Exact while the sum and a*n + b stay
     * below 2^63, which the limits of an {@link TrainFeed} see to.
     */
    public static long sum(long n, long m, long a, long b) {
        long terms = n;
        long modulus = m;
        long slope = a;
        long offset = b;
        long sum = 0;
        while (terms > 0) {
            sum += pairs(terms) * (slope / modulus) + terms * (offset / modulus);
            slope %= modulus;
            offset %= modulus;
            long top = slope * terms + offset;
            terms = top / modulus;
            offset = top % modulus;
            long next = slope;
            slope = modulus;
            modulus = next;
            if (modulus == 0) {
                break;
            }
        }
        return sum;
    }

    private static long pairs(long n) {
        return (n & 1) == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
    }
}
