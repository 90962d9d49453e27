package io.rankfeed.job.plan;

import io.rankfeed.job.FeedSection;
import io.rankfeed.job.Stage;
import io.rankfeed.sampling.plan.PlanRequest;
import io.rankfeed.schema.failure.ErrorList;
import java.util.ArrayList;
import java.util.List;

/** A feed's stages as the planner takes them: weights, margins and bounds of strata (docs/job-file/shares.md). */
public final class StageWeights {
    private StageWeights() {}

    /**
     * The stages; none where nothing is weighed.
     *
     * @throws io.rankfeed.schema.failure.ConfigException if a weight names nothing that occurs, or the weights contradict each
     *     other or the table
     */
    public static List<PlanRequest.Stage> of(String feed, FeedSection section, List<CountedStratum> strata) {
        List<Stage> stages = section.allStages();
        List<PlanRequest.Stage> result = new ArrayList<>();
        ErrorList errors = new ErrorList();
        for (int i = 0; i < stages.size(); i++) {
            int number = i;
            String where = "feed '" + feed + "'" + (stages.size() > 1 ? ", stage " + number : "");
            errors.of(() -> StageMix.of(where, section, strata, number).toStage())
                    .ifPresent(result::add);
        }
        errors.throwIfAny();
        return result;
    }
}
