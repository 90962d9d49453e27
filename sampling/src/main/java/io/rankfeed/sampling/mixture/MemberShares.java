package io.rankfeed.sampling.mixture;

import java.util.List;

/** The units of a member's strata, segment after segment of the mixture: by the weights of the member's stage. */
final class MemberShares {
    private final List<Long> ends;
    private final List<CarriedShares> stages;

    /** @param ends the steps of the mixture before which the member's stages end, but for the last */
    MemberShares(MixtureMember member, List<Long> ends) {
        this.ends = List.copyOf(ends);
        this.stages = member.parts().stream()
                .map(part -> new CarriedShares(
                        part.weights().stream().mapToLong(weight -> weight).toArray()))
                .toList();
    }

    List<Long> ends() {
        return ends;
    }

    /** The units of the strata in a segment that begins at a step. */
    long[] next(long begin, long units) {
        int stage = (int) ends.stream().filter(end -> end <= begin).count();
        return stages.get(stage).next(units);
    }
}
