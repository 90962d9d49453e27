package io.rankfeed.sampling.plan;

import io.rankfeed.schema.failure.ConfigException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps of stages and epochs where the batch changes by stage (docs/format/plan.md, section 3.8).
 *
 * @param stageEnds the global steps before which the stages end
 * @param epochStarts the first global step of each epoch
 */
public record BatchSchedule(List<Long> stageEnds, List<Long> epochStarts) {
    /** A stage and its batch. */
    public record Stage(StageEnd end, int batch) {}

    public BatchSchedule {
        stageEnds = List.copyOf(stageEnds);
        epochStarts = List.copyOf(epochStarts);
    }

    /**
     * Lays the steps of a run: an epoch takes steps while they fit into its rows.
     *
     * @param rows wanted in each epoch; at least the largest batch
     * @throws ConfigException if a stage has no step or ends after the run, or the stages end before the run
     */
    public static BatchSchedule of(List<Stage> stages, int epochs, long rows) {
        Run run = new Run(epochs, rows);
        List<Long> ends = new ArrayList<>();
        for (int i = 0; i < stages.size(); i++) {
            run.lay("stage " + i, stages.get(i));
            ends.add(run.step);
        }
        if (run.epoch < epochs) {
            throw new ConfigException("the last stage ends before step " + run.step + " in epoch " + run.epoch
                    + ", but the run has " + epochs + " epochs; leave its end out, so that it ends with the run");
        }
        return new BatchSchedule(ends, run.starts.subList(0, epochs));
    }

    /** Steps of the longest epoch. */
    int longestEpoch() {
        long end = stageEnds.get(stageEnds.size() - 1);
        long longest = 0;
        for (int epoch = epochStarts.size() - 1; epoch >= 0; epoch--) {
            longest = Math.max(longest, end - epochStarts.get(epoch));
            end = epochStarts.get(epoch);
        }
        return Math.toIntExact(longest);
    }

    /** A run up to the step that is laid next. */
    private static final class Run {
        private final int epochs;
        private final long rows;
        private final List<Long> starts = new ArrayList<>(List.of(0L));
        private long step;
        private int epoch;
        private long taken;

        Run(int epochs, long rows) {
            this.epochs = epochs;
            this.rows = rows;
        }

        void lay(String name, Stage stage) {
            if (stage.batch() > rows) {
                throw new ConfigException(name + ": an epoch of " + rows + " rows does not fill one batch of "
                        + stage.batch() + "; lower the batch or request more rows");
            }
            BigDecimal goal = goal(name, stage.end());
            long begin = step;
            long left = stage.end() instanceof StageEnd.Rows length ? length.rows() / stage.batch() : Long.MAX_VALUE;
            boolean open = true;
            while (open && epoch < epochs) {
                long fit = (rows - taken) / stage.batch();
                long most = Math.min(left, stepsTo(goal, stage.batch()));
                open = most >= fit;
                step += Math.min(most, fit);
                taken += Math.min(most, fit) * stage.batch();
                if (open) {
                    startEpoch();
                    left -= left == Long.MAX_VALUE ? 0 : fit;
                    open = left > 0;
                }
            }
            boolean more = goal == null
                    ? stage.end() instanceof StageEnd.Rows
                    : goal.compareTo(BigDecimal.valueOf(epochs)) > 0;
            if (open && more) {
                throw new ConfigException(name + " would end after the run of " + epochs
                        + " epochs; shorten it, or request more epochs or rows");
            }
            if (step == begin) {
                throw new ConfigException(name + " has no step; lengthen it, or lower the batch");
            }
        }

        private void startEpoch() {
            epoch++;
            taken = 0;
            starts.add(step);
        }

        /** The epochs after which a stage ends; null where it ends by rows or with the run. */
        private @Nullable BigDecimal goal(String name, StageEnd end) {
            if (end instanceof StageEnd.Step) {
                throw new ConfigException(name + " ends before a step; where the batch changes, end stages by rows,"
                        + " until-epoch or until");
            }
            if (end instanceof StageEnd.Fraction until) {
                return until.ofRun().multiply(BigDecimal.valueOf(epochs));
            }
            return end instanceof StageEnd.Epoch until ? until.epochs() : null;
        }

        /** The number of steps of the current epoch before the goal. */
        private long stepsTo(@Nullable BigDecimal goal, int batch) {
            if (goal == null || goal.compareTo(BigDecimal.valueOf(epoch + 1L)) >= 0) {
                return Long.MAX_VALUE;
            }
            BigDecimal left = goal.subtract(BigDecimal.valueOf(epoch))
                    .multiply(BigDecimal.valueOf(rows))
                    .subtract(BigDecimal.valueOf(taken));
            return left.signum() <= 0
                    ? 0
                    : left.divide(BigDecimal.valueOf(batch), 0, RoundingMode.HALF_UP)
                            .longValueExact();
        }
    }
}
