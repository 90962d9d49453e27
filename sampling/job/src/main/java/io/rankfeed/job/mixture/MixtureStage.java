package io.rankfeed.job.mixture;

import io.rankfeed.job.Stage;
import io.rankfeed.sampling.plan.StageEnd;
import io.rankfeed.schema.config.Range;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;

/**
 * A stage of a mixture. It ends as a stage of a job does.
 *
 * @param until fraction of the run at which it ends; or
 * @param untilEpoch epochs from the run's start after which it ends; or
 * @param untilStep the global step before which it ends; or
 * @param rows how many it has
 * @param weights by member
 */
public record MixtureStage(
        Optional<BigDecimal> until,
        Optional<BigDecimal> untilEpoch,
        @Range(min = 1) Optional<Long> untilStep,
        @Range(min = 1) Optional<Long> rows,
        Map<String, BigDecimal> weights) {
    public MixtureStage {
        end(until, untilEpoch, untilStep, rows);
    }

    StageEnd end() {
        return end(until, untilEpoch, untilStep, rows);
    }

    /** @throws io.rankfeed.schema.config.BadValue if there are several ends */
    private static StageEnd end(
            Optional<BigDecimal> until,
            Optional<BigDecimal> untilEpoch,
            Optional<Long> untilStep,
            Optional<Long> rows) {
        return new Stage(
                        until,
                        untilEpoch,
                        untilStep,
                        rows,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty())
                .end();
    }
}
