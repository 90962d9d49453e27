package io.rankfeed.sampling;

import java.util.List;

/**
 * A stretch of consecutive steps with one set of quotas.
 *
 * @param step its first global step
 * @param steps how many steps it has, at least 1
 * @param number the number that enters its key
 * @param quotas per stratum the rows that each lane draws in the segment
 * @param base per stratum the rows that each lane has drawn before the segment ({@link EpochMode#PADDED}: in this epoch, so 0)
 * @param m the step of the comb's shift, coprime to {@code steps}
 * @param c the comb's first shift, below {@code steps}
 */
public record Segment(long step, long steps, long number, List<Long> quotas, List<Long> base, long m, long c) {
    public Segment {
        quotas = List.copyOf(quotas);
        base = List.copyOf(base);
        if (steps < 1 || step < 0 || number < 0) {
            throw new IllegalArgumentException(
                    "segment at step " + step + ": steps " + steps + " and number " + number + " must be positive");
        }
        if (m < 0 || m > steps || Multiplier.gcd(m, steps) != 1 || c < 0 || c >= steps) {
            throw new IllegalArgumentException("segment at step " + step + ": m " + m + " must be coprime to its "
                    + steps + " steps and c " + c + " below them");
        }
        if (base.size() != quotas.size()) {
            throw new IllegalArgumentException(
                    "segment at step " + step + ": " + quotas.size() + " quotas but " + base.size() + " bases");
        }
        for (int s = 0; s < quotas.size(); s++) {
            if (quotas.get(s) < 0 || base.get(s) < 0) {
                throw new IllegalArgumentException("segment at step " + step + ", stratum " + s + ": negative quota "
                        + quotas.get(s) + " or base " + base.get(s));
            }
        }
    }

    /** The first step after the segment. */
    public long end() {
        return Math.addExact(step, steps);
    }
}
