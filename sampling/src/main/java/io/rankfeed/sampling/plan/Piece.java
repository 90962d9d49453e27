package io.rankfeed.sampling.plan;

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

    /** @param steps where each stage ends */
    static List<Piece> ofStages(long[] steps, int stepsPerEpoch) {
        List<Piece> pieces = new ArrayList<>();
        long from = 0;
        for (int stage = 0; stage < steps.length; stage++) {
            if (steps[stage] > from) {
                pieces.add(new Piece(from, steps[stage] - from, stage, stage, from / stepsPerEpoch));
            }
            from = steps[stage];
        }
        return pieces;
    }

    /** Stages cut at epoch ends also, so that each piece is in one epoch. */
    static List<Piece> ofStagesAndEpochs(long[] steps, int epochs, int stepsPerEpoch) {
        List<Piece> pieces = new ArrayList<>();
        for (Piece whole : ofStages(steps, stepsPerEpoch)) {
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
}
