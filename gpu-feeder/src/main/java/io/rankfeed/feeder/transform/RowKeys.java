package io.rankfeed.feeder.transform;

import io.rankfeed.sampling.order.Mix;

/** Keys of the random numbers that a transform in the trainer's language draws for a row (docs/transforms.md, "Randomness"). */
public final class RowKeys {
    /** One of the purposes in docs/format/plan.md, section 2. */
    private static final long PURPOSE = 7;

    private RowKeys() {}

    /** The key of a row in one of its cycles. */
    public static long of(long seed, long rowId, long cycle) {
        return Mix.key(seed, PURPOSE, rowId, cycle);
    }
}
