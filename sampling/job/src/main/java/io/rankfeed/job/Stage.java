package io.rankfeed.job;

import io.rankfeed.sampling.plan.StageEnd;
import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.Range;
import io.rankfeed.schema.order.OrderLimits;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A stretch of the run with a mixture of its own. It ends in one of four ways; the last may leave its end out.
 *
 * @param until fraction of the run at which it ends; or
 * @param untilEpoch epochs from the run's start after which it ends; or
 * @param untilStep the global step before which it ends; or
 * @param rows how many it has
 * @param batch rows of its global batches, a multiple of the lanes; otherwise the feed's
 * @param where a Spark SQL condition over the prepared columns: only such rows are drawn
 * @param orderBy a number of each row, as an SQL expression: those with less of it come first
 * @param weights by a strata column's value or bin, or by whole strata; empty where only {@code balance} or margins weigh
 * @param margins by strata column the shares of its values, which hold exactly
 * @param floors by stratum the minimum share of the stage's rows; overrides the feed's own
 * @param caps by stratum the maximum share
 */
public record Stage(
        Optional<BigDecimal> until,
        Optional<BigDecimal> untilEpoch,
        @Range(min = 1) Optional<Long> untilStep,
        @Range(min = 1) Optional<Long> rows,
        @Range(min = 1, max = OrderLimits.MAX_BATCH) Optional<Integer> batch,
        Optional<String> where,
        Optional<String> orderBy,
        @Default("{}") Map<String, BigDecimal> weights,
        Optional<Map<String, Map<String, BigDecimal>>> margins,
        Optional<Map<String, BigDecimal>> floors,
        Optional<Map<String, BigDecimal>> caps) {
    public Stage {
        List<String> ends = Stream.of(
                        until.isPresent() ? "until" : "",
                        untilEpoch.isPresent() ? "until-epoch" : "",
                        untilStep.isPresent() ? "until-step" : "",
                        rows.isPresent() ? "rows" : "")
                .filter(key -> !key.isEmpty())
                .toList();
        if (ends.size() > 1) {
            throw new BadValue(ends.get(1), "excludes " + ends.get(0) + "; a stage has one end");
        }
        if (untilEpoch.filter(end -> end.signum() <= 0).isPresent()) {
            throw new BadValue("until-epoch", "must be above 0");
        }
    }

    /** The end of the stage; the end of the run if the job file states none. */
    public StageEnd end() {
        return until.<StageEnd>map(StageEnd.Fraction::new)
                .or(() -> untilEpoch.map(StageEnd.Epoch::new))
                .or(() -> untilStep.map(StageEnd.Step::new))
                .or(() -> rows.map(StageEnd.Rows::new))
                .orElseGet(StageEnd.Run::new);
    }
}
