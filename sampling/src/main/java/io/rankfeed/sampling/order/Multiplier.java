package io.rankfeed.sampling.order;

/**
 * The step of a comb's shift: coprime to the segment's length, and such that it and its multiples by V/W are badly approximable,
 * so that every prefix of a segment follows the quotas closely at every world size.
 */
public final class Multiplier {
    private static final int CANDIDATES = 64;
    private static final long GOLDEN_32 = 2654435769L;

    private Multiplier() {}

    /** The multiplier for a segment of so many steps. */
    public static long choose(long steps, int lanes) {
        if (steps <= 2) {
            return steps - 1;
        }
        long best = 0;
        long bestScore = Long.MAX_VALUE;
        for (int h = 0; h < CANDIDATES; h++) {
            long spread = ((2L * h + 1) * GOLDEN_32) & 0xFFFFFFFFL;
            // spread < 2^32 and steps < 2^32 for every valid segment: the product fits an unsigned word.
            long candidate = 1 + ((spread * (steps - 1)) >>> 32);
            while (gcd(candidate, steps) != 1) {
                candidate = candidate % (steps - 1) + 1;
            }
            long score = score(candidate, steps, lanes);
            if (score < bestScore || (score == bestScore && candidate < best)) {
                best = candidate;
                bestScore = score;
            }
        }
        return best;
    }

    static long gcd(long a, long b) {
        long x = a;
        long y = b;
        while (y != 0) {
            long rest = x % y;
            x = y;
            y = rest;
        }
        return x;
    }

    private static long score(long candidate, long steps, int lanes) {
        long worst = 0;
        for (int stride = 1; stride <= lanes; stride++) {
            if (lanes % stride == 0) {
                worst = Math.max(worst, partialQuotients(stride * candidate % steps, steps));
            }
        }
        return worst;
    }

    private static long partialQuotients(long numerator, long denominator) {
        long sum = 0;
        long p = numerator;
        long q = denominator;
        while (q != 0) {
            sum += p / q;
            long rest = p % q;
            p = q;
            q = rest;
        }
        return sum;
    }
}
