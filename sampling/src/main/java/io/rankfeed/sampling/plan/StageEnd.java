package io.rankfeed.sampling.plan;

import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/** The end of a stage: always a global step (docs/format/plan.md, section 3.2). */
public sealed interface StageEnd {
    /**
     * A part of the run.
     *
     * @param ofRun above 0, at most 1; the step nearest to it, halves up
     */
    record Fraction(BigDecimal ofRun) implements StageEnd {}

    /**
     * The stage ends a number of epochs after the start of the run.
     *
     * @param epochs above 0; the step nearest to it, halves up
     */
    record Epoch(BigDecimal epochs) implements StageEnd {}

    /** The stage ends before a global step. */
    record Step(long step) implements StageEnd {}

    /**
     * The stage ends a number of rows after its own start.
     *
     * @param rows what fills no step is left to the next stage
     */
    record Rows(long rows) implements StageEnd {}

    /** The stage ends with the run. */
    record Run() implements StageEnd {}

    /**
     * The global steps before which stages end: ascending, the last the run's. A fraction may be so small that its stage is
     * empty; whoever counts epochs, steps or rows means some.
     */
    static long[] steps(List<StageEnd> ends, int epochs, int stepsPerEpoch, int batch) {
        long run = (long) epochs * stepsPerEpoch;
        long[] steps = new long[ends.size()];
        BigDecimal fraction = BigDecimal.ZERO;
        long before = 0;
        for (int i = 0; i < steps.length; i++) {
            StageEnd end = ends.get(i);
            String stage = "stage " + i;
            if (end instanceof Fraction until) {
                checkFraction(stage, until.ofRun(), fraction);
                fraction = until.ofRun();
            }
            steps[i] = step(stage, end, before, run, stepsPerEpoch, batch);
            if (steps[i] < before || (steps[i] == before && !(end instanceof Fraction))) {
                throw new ConfigException(stage + " would end before step " + steps[i] + ", where it begins at step "
                        + before + "; stages follow one another");
            }
            if (steps[i] > run) {
                throw new ConfigException(stage + " would end before step " + steps[i] + ", but the run has "
                        + Plural.counted(run, "step") + " (" + Plural.counted(epochs, "epoch") + " of " + stepsPerEpoch
                        + "); shorten it, or request more epochs or"
                        + " rows");
            }
            before = steps[i];
        }
        if (fraction.signum() > 0
                && ends.get(ends.size() - 1) instanceof Fraction
                && fraction.compareTo(BigDecimal.ONE) != 0) {
            throw new ConfigException(
                    "the last stage ends at " + fraction.toPlainString() + " of the run; it must end at 1");
        }
        if (before != run) {
            throw new ConfigException("the last stage ends before step " + before + ", but the run has " + run
                    + " steps; leave its end out, so that it ends with the run");
        }
        return steps;
    }

    private static void checkFraction(String stage, BigDecimal until, BigDecimal before) {
        if (until.compareTo(before) <= 0 || until.compareTo(BigDecimal.ONE) > 0) {
            throw new ConfigException(stage + ": until " + until.toPlainString() + " must be above "
                    + before.toPlainString() + " and at most 1; stages follow one another");
        }
    }

    private static long step(String stage, StageEnd end, long before, long run, int stepsPerEpoch, int batch) {
        if (end instanceof Fraction until) {
            return rounded(stage, until.ofRun().multiply(BigDecimal.valueOf(run)));
        } else if (end instanceof Epoch until) {
            return rounded(stage, until.epochs().multiply(BigDecimal.valueOf(stepsPerEpoch)));
        } else if (end instanceof Step until) {
            return until.step();
        } else if (end instanceof Rows length) {
            if (length.rows() < batch) {
                throw new ConfigException(stage + ": " + length.rows() + " rows do not fill one batch of " + batch
                        + "; lower the batch or request more rows");
            }
            return before + length.rows() / batch;
        }
        return run;
    }

    private static long rounded(String stage, BigDecimal step) {
        BigDecimal rounded = step.setScale(0, RoundingMode.HALF_UP);
        if (rounded.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new ConfigException(stage + " would end after 2^63 steps; shorten it");
        }
        return rounded.longValueExact();
    }
}
