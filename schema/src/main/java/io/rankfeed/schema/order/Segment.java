package io.rankfeed.schema.order;

import java.math.BigInteger;
import java.util.List;
import java.util.OptionalInt;

/**
 * Consecutive steps with one set of quotas.
 *
 * @param step its first global step
 * @param steps how many steps it has, at least 1
 * @param number the number that enters its key
 * @param quotas per stratum the rows that each lane draws in the segment
 * @param base per stratum the rows that each lane has drawn before the segment ({@link EpochMode#PADDED}: in this epoch, so 0)
 * @param m the step of the comb's shift, coprime to {@code steps}
 * @param c the comb's first shift, below {@code steps}
 * @param stage the stage of the job or mixture that it belongs to, from 0; without stages its number
 * @param batch rows of a global batch where they are fewer than {@link TrainFeed#batch}
 */
public record Segment(
        long step,
        long steps,
        long number,
        List<Long> quotas,
        List<Long> base,
        long m,
        long c,
        long stage,
        OptionalInt batch) {
    /** A segment that is a stage of its own, or an epoch where there are no stages. */
    public Segment(long step, long steps, long number, List<Long> quotas, List<Long> base, long m, long c) {
        this(step, steps, number, quotas, base, m, c, number);
    }

    /** A segment with the batch of its feed. */
    public Segment(long step, long steps, long number, List<Long> quotas, List<Long> base, long m, long c, long stage) {
        this(step, steps, number, quotas, base, m, c, stage, OptionalInt.empty());
    }

    /** @throws IllegalArgumentException if the numbers contradict each other */
    public Segment {
        quotas = List.copyOf(quotas);
        base = List.copyOf(base);
        String where = "segment at step " + step + ": ";
        Rules.require(
                step >= 0 && steps >= 1 && number >= 0,
                where + "steps " + steps + " and number " + number + " must be positive");
        Rules.require(steps <= Long.MAX_VALUE - step, where + "ends after step 2^63 - 1");
        Rules.require(
                m >= 0 && m <= steps && coprime(m, steps) && c >= 0 && c < steps,
                where + "m " + m + " must be coprime to its " + steps + " steps, and c " + c + " less than them");
        Rules.require(stage >= 0, where + "stage " + stage + " must not be negative");
        Rules.require(base.size() == quotas.size(), where + quotas.size() + " quotas but " + base.size() + " bases");
        for (int s = 0; s < quotas.size(); s++) {
            Rules.require(
                    quotas.get(s) >= 0 && base.get(s) >= 0,
                    where + "stratum " + s + ": negative quota " + quotas.get(s) + " or base " + base.get(s));
        }
    }

    private static boolean coprime(long a, long b) {
        return BigInteger.valueOf(a).gcd(BigInteger.valueOf(b)).equals(BigInteger.ONE);
    }

    /** The first step after the segment. */
    public long end() {
        return step + steps;
    }
}
