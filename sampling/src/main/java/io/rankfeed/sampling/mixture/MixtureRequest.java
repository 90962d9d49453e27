package io.rankfeed.sampling.mixture;

import io.rankfeed.sampling.plan.StageEnd;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * The settings of a mixture.
 *
 * @param feed its name
 * @param batch rows of a global batch, a multiple of the greatest common divisor of the members' stored lanes
 * @param members in any order
 * @param stages in order, at least one
 */
public record MixtureRequest(
        String feed,
        long seed,
        int batch,
        int epochs,
        Epoch epoch,
        OnEnd onEnd,
        List<MixtureMember> members,
        List<Stage> stages) {
    public MixtureRequest {
        members = List.copyOf(members);
        stages = List.copyOf(stages);
    }

    /** The beginning of a message about a stage; empty where there is one. */
    String where(int stage) {
        return stages.size() == 1 ? "" : "stage " + stage + ": ";
    }

    /**
     * A part of the run with its own weights.
     *
     * @param weights by member, in any scale; a member that is not named has weight 0
     */
    public record Stage(StageEnd end, Map<String, BigDecimal> weights) {
        public Stage {
            weights = Map.copyOf(weights);
        }

        BigDecimal weight(MixtureMember member) {
            return weights.getOrDefault(member.name(), BigDecimal.ZERO);
        }

        BigDecimal sum() {
            return weights.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        }
    }

    /** The length of an epoch. */
    public sealed interface Epoch {
        /** A number of rows; what does not fill a batch is left out. */
        record Rows(long rows) implements Epoch {}

        /** The steps in which a member gives as many rows as in an epoch of its own order, on average; the nearest number, halves up. */
        record PassOf(String member) implements Epoch {}
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
