package io.rankfeed.sampling.plan.quota;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Hands out whole units one after the other, each to the share that most lacks it: the greatest {@code weight / (2·given + 1)},
 * ties to the smaller number. So with more units no share is less; the method is Webster's, or Sainte-Laguë's.
 */
public final class Webster {
    private record Share(int number, BigInteger weight, BigInteger divisor) {
        Share next() {
            return new Share(number, weight, divisor.add(BigInteger.TWO));
        }
    }

    /** The greatest weight / divisor first. */
    private static final Comparator<Share> BY_SHARE_LACKING = (a, b) -> {
        int order = b.weight.multiply(a.divisor).compareTo(a.weight.multiply(b.divisor));
        return order != 0 ? order : Integer.compare(a.number, b.number);
    };

    private Webster() {}

    /**
     * Shares of {@code units}, one for each weight, adding up to it exactly.
     *
     * @param weights at least 0, not all 0
     */
    public static long[] apportion(long units, List<BigDecimal> weights) {
        BigInteger[] whole = Quotas.wholeNumbers(weights);
        BigInteger total = BigInteger.ZERO;
        for (BigInteger weight : whole) {
            total = total.add(weight);
        }
        // What every share has for certain: of so many units fewer, rounding up all of them takes no more than there
        // are.
        BigInteger surely = BigInteger.valueOf(Math.max(0, units - (whole.length + 1) / 2));
        long[] shares = new long[whole.length];
        long left = units;
        PriorityQueue<Share> lacking = new PriorityQueue<>(BY_SHARE_LACKING);
        for (int s = 0; s < whole.length; s++) {
            if (whole[s].signum() > 0) {
                BigInteger ideal = whole[s].multiply(surely).shiftLeft(1);
                shares[s] = halfDown(ideal, total.shiftLeft(1));
                left -= shares[s];
                lacking.add(new Share(s, whole[s], BigInteger.valueOf(2 * shares[s] + 1)));
            }
        }
        for (; left > 0; left--) {
            Share share = lacking.remove();
            shares[share.number]++;
            lacking.add(share.next());
        }
        return shares;
    }

    /** ⌈x − ½⌉, the units whose turn comes before that of a share of just x, for x = {@code doubled / divisor}. */
    private static long halfDown(BigInteger doubled, BigInteger divisor) {
        BigInteger half = divisor.shiftRight(1);
        return doubled.add(half).subtract(BigInteger.ONE).divide(divisor).longValueExact();
    }
}
