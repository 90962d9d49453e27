package io.rankfeed.sampling;

import io.rankfeed.schema.failure.ConfigException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a run into stretches that have one set of quotas each (docs/format/plan.md, section 3.2).
 *
 * @param step the first global step
 * @param steps how many, at least 1
 * @param number the segment's number
 * @param stage the stage it belongs to, -1 where there are none
 * @param epoch the epoch in which it begins
 */
record Piece(long step, long steps, long number, int stage, long epoch) {
    static List<Piece> ofEpochs(int epochs, int stepsPerEpoch) {
        List<Piece> pieces = new ArrayList<>();
        for (int epoch = 0; epoch < epochs; epoch++) {
            pieces.add(new Piece((long) epoch * stepsPerEpoch, stepsPerEpoch, epoch, -1, epoch));
        }
        return pieces;
    }

    static List<Piece> ofStages(List<BigDecimal> ends, int epochs, int stepsPerEpoch) {
        List<Piece> pieces = new ArrayList<>();
        long[] steps = stageEnds(ends, (long) epochs * stepsPerEpoch);
        long from = 0;
        for (int stage = 0; stage < steps.length; stage++) {
            if (steps[stage] > from) {
                pieces.add(new Piece(from, steps[stage] - from, stage, stage, from / stepsPerEpoch));
            }
            from = steps[stage];
        }
        return pieces;
    }

    /** Stages cut at epoch ends also, so that each piece lies in one epoch. */
    static List<Piece> ofStagesAndEpochs(List<BigDecimal> ends, int epochs, int stepsPerEpoch) {
        List<Piece> pieces = new ArrayList<>();
        for (Piece whole : ofStages(ends, epochs, stepsPerEpoch)) {
            long end = whole.step + whole.steps;
            long from = whole.step;
            while (from < end) {
                long epoch = from / stepsPerEpoch;
                long to = Math.min(end, (epoch + 1) * stepsPerEpoch);
                pieces.add(new Piece(from, to - from, (long) whole.stage * epochs + epoch, whole.stage, epoch));
                from = to;
            }
        }
        return pieces;
    }

    /** Each fraction of the run, rounded half up to a step. */
    static long[] stageEnds(List<BigDecimal> fractions, long steps) {
        BigDecimal before = BigDecimal.ZERO;
        long[] ends = new long[fractions.size()];
        for (int stage = 0; stage < ends.length; stage++) {
            BigDecimal until = fractions.get(stage);
            if (until.compareTo(before) <= 0 || until.compareTo(BigDecimal.ONE) > 0) {
                throw new ConfigException("stage " + (stage + 1) + ": until " + until.toPlainString()
                        + " must be above " + before.toPlainString() + " and at most 1; stages follow one another");
            }
            ends[stage] = until.multiply(BigDecimal.valueOf(steps))
                    .setScale(0, RoundingMode.HALF_UP)
                    .longValueExact();
            before = until;
        }
        if (before.compareTo(BigDecimal.ONE) != 0) {
            throw new ConfigException(
                    "the last stage ends at " + before.toPlainString() + " of the run; it must end at 1");
        }
        return ends;
    }
}
