package io.rankfeed.sampling.mixture;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The exact shares of members over the steps of a mixture, and where their own stages end in it.
 *
 * @param ends the steps before which the mixture's stages end
 * @param shares by stage and member: the member's part of a step, in units of 1 / {@code whole}
 * @param whole the sum of the shares of each stage
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record MemberStages(long[] ends, BigInteger[][] shares, BigInteger whole) {
    /** @param weights by stage and member; in no stage are all 0 */
    static MemberStages of(long[] ends, List<List<BigDecimal>> weights) {
        int scale = Math.max(
                0,
                weights.stream()
                        .flatMap(List::stream)
                        .mapToInt(BigDecimal::scale)
                        .max()
                        .orElse(0));
        BigInteger[][] shares = new BigInteger[weights.size()][];
        BigInteger whole = BigInteger.ONE;
        for (int i = 0; i < shares.length; i++) {
            shares[i] = weights.get(i).stream()
                    .map(weight -> weight.movePointRight(scale).toBigIntegerExact())
                    .toArray(BigInteger[]::new);
            BigInteger sum = sum(shares[i]);
            whole = whole.divide(whole.gcd(sum)).multiply(sum);
        }
        for (BigInteger[] stage : shares) {
            BigInteger factor = whole.divide(sum(stage));
            for (int m = 0; m < stage.length; m++) {
                stage[m] = stage[m].multiply(factor);
            }
        }
        return new MemberStages(ends, shares, whole);
    }

    private static BigInteger sum(BigInteger[] numbers) {
        BigInteger sum = BigInteger.ZERO;
        for (BigInteger number : numbers) {
            sum = sum.add(number);
        }
        return sum;
    }

    /** These shares in a run that is cut. */
    MemberStages until(long run) {
        long[] cut = ends.clone();
        for (int i = 0; i < cut.length; i++) {
            cut[i] = Math.min(cut[i], run);
        }
        return new MemberStages(cut, shares, whole);
    }

    /** The steps that a member has in the whole run, times {@code whole}. */
    BigInteger taken(int member) {
        BigInteger taken = BigInteger.ZERO;
        for (int i = 0; i < ends.length; i++) {
            taken = taken.add(ofStage(i, member));
        }
        return taken;
    }

    private BigInteger ofStage(int stage, int member) {
        return BigInteger.valueOf(ends[stage] - begin(stage)).multiply(shares[stage][member]);
    }

    /** The mixture's stage that has the step before another. */
    int at(long end) {
        int stage = 0;
        while (ends[stage] < end) {
            stage++;
        }
        return stage;
    }

    private long begin(int stage) {
        return stage == 0 ? 0 : ends[stage - 1];
    }

    /** The steps before which the member's own stages end, but for the last. */
    List<Long> ends(int number, MixtureMember member) {
        BigInteger units = BigInteger.valueOf(member.units());
        BigInteger taken = taken(number);
        List<MixtureMember.Part> parts = member.parts();
        List<Long> steps = new ArrayList<>();
        for (MixtureMember.Part part : parts.subList(0, parts.size() - 1)) {
            BigInteger left = taken.multiply(BigInteger.valueOf(part.end()));
            for (int i = 0; i < ends.length; i++) {
                BigInteger ofStage = ofStage(i, number).multiply(units);
                if (shares[i][number].signum() > 0 && ofStage.compareTo(left) >= 0) {
                    BigInteger perStep = shares[i][number].multiply(units);
                    steps.add(Math.min(ends[i], begin(i) + halfUp(left, perStep)));
                    break;
                }
                left = left.subtract(ofStage);
            }
        }
        return steps;
    }

    private static long halfUp(BigInteger dividend, BigInteger divisor) {
        return dividend.shiftLeft(1).add(divisor).divide(divisor.shiftLeft(1)).longValueExact();
    }
}
