package io.rankfeed.sampling.mixture;

import io.rankfeed.sampling.plan.StageEnd;
import java.math.BigDecimal;
import java.util.List;

/**
 * The settings of a mixture.
 *
 * @param batch rows of a global batch, a multiple of the greatest common divisor of the members' stored lanes
 * @param rowsPerEpoch what does not fill a batch is left out
 * @param members sorted by name
 * @param stages in order
 */
public record MixtureRequest(
        long seed,
        int batch,
        int epochs,
        long rowsPerEpoch,
        OnEnd onEnd,
        List<MixtureMember> members,
        List<Stage> stages) {
    public MixtureRequest {
        members = List.copyOf(members);
        stages = List.copyOf(stages);
    }

    /** A part of the run with its own weights, one for each member. */
    public record Stage(StageEnd end, List<BigDecimal> weights) {
        public Stage {
            weights = List.copyOf(weights);
        }
    }

    /** The choice for a mixture that takes more rows of a member than its own run has. */
    public enum OnEnd {
        /** The member goes on. */
        REPEAT,
        /** The run is cut before it. */
        STOP,
        /** The other members give more. */
        REDISTRIBUTE
    }
}
