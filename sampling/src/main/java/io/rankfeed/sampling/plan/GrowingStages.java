package io.rankfeed.sampling.plan;

import io.rankfeed.sampling.plan.quota.Webster;
import io.rankfeed.schema.failure.ConfigException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes stage ends such that no stage is shorter in a longer run (docs/format/plan.md, section 3.3). If each end is rounded by itself, a
 * stage sometimes loses a step, so the run's steps are apportioned among the stages as units are among strata.
 */
final class GrowingStages {
    private GrowingStages() {}

    /**
     * @param steps where the stages end by {@link StageEnd#steps}; those that are counted in steps or rows stay there
     * @throws ConfigException if some ends go with the run and others do not, or an epoch's part is under one step
     */
    static long[] steps(List<StageEnd> ends, long[] steps, int epochs) {
        List<StageEnd> own =
                ends.stream().filter(end -> !(end instanceof StageEnd.Run)).toList();
        boolean relative = own.stream().allMatch(GrowingStages::goesWithTheRun);
        if (!relative && own.stream().anyMatch(GrowingStages::goesWithTheRun)) {
            throw new ConfigException(
                    "some stages end with a part of the run and others after a number of steps or rows,"
                            + " so that a stage may get less of a longer run; end all stages in the same way");
        }
        if (!relative) {
            return steps;
        }
        List<BigDecimal> spans = new ArrayList<>();
        BigDecimal before = BigDecimal.ZERO;
        for (StageEnd end : ends) {
            BigDecimal at = epochs(end, epochs);
            spans.add(at.subtract(before));
            before = at;
        }
        long[] grown = Webster.apportion(steps[steps.length - 1], spans);
        for (int i = 0; i < grown.length; i++) {
            if (grown[i] == 0 && ends.get(i) instanceof StageEnd.Epoch) {
                throw new ConfigException("stage " + i + " is shorter than a step; lengthen it, or lower the batch");
            }
            grown[i] += i == 0 ? 0 : grown[i - 1];
        }
        return grown;
    }

    private static boolean goesWithTheRun(StageEnd end) {
        return end instanceof StageEnd.Fraction || end instanceof StageEnd.Epoch;
    }

    private static BigDecimal epochs(StageEnd end, int epochs) {
        if (end instanceof StageEnd.Epoch until) {
            return until.epochs();
        }
        return end instanceof StageEnd.Fraction until
                ? until.ofRun().multiply(BigDecimal.valueOf(epochs))
                : BigDecimal.valueOf(epochs);
    }
}
