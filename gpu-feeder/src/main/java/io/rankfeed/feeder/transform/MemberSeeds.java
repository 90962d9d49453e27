package io.rankfeed.feeder.transform;

import io.rankfeed.sampling.order.Mix;
import java.util.stream.LongStream;

/** The seeds of transforms by member of a feed: in a mixture rows with the same row id draw other numbers (docs/transforms.md). */
public final class MemberSeeds {
    /** One of the purposes in docs/format/plan.md, section 2. */
    private static final long PURPOSE = 10;

    private MemberSeeds() {}

    /** @param mixedMembers number of members of a mixture; 0 for a version, whose rows have the transform seed itself */
    public static long[] of(long transformSeed, int mixedMembers) {
        return mixedMembers == 0
                ? new long[] {transformSeed}
                : LongStream.range(0, mixedMembers)
                        .map(member -> Mix.key(transformSeed, PURPOSE, member))
                        .toArray();
    }
}
