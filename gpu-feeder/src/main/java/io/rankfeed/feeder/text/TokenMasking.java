package io.rankfeed.feeder.text;

import io.rankfeed.sampling.order.Mix;

/** Masked language modeling of one row (docs/text.md, "Masked tokens"). Confined to one thread. */
record TokenMasking(MaskRule rule) {
    /** One of the purposes in docs/format/plan.md, section 2. */
    private static final long PURPOSE = 8;

    private static final double ULP = 0x1.0p-53;

    /**
     * Replaces tokens, and leaves labels only where there is something to predict.
     *
     * @param labels the ids before masking, {@link TextRules#IGNORED} for those that are never to be predicted
     * @param first number of {@code ids[0]} among the row's tokens
     */
    void apply(long[] ids, long[] labels, int length, int first, long seed, long rowId, long cycle) {
        long key = Mix.key(seed, PURPOSE, rowId, cycle);
        for (int i = 0; i < length; i++) {
            long draw = 2L * (first + i) + 1;
            double chosen = uniform(key, draw);
            if (chosen >= rule.probability()
                    || labels[i] == TextRules.IGNORED
                    || rule.special().contains(ids[i])) {
                labels[i] = TextRules.IGNORED;
                continue;
            }
            double action = chosen / rule.probability();
            if (action < rule.replace()) {
                ids[i] = rule.id();
            } else if (action < rule.replace() + rule.random()) {
                ids[i] = (long) (uniform(key, draw + 1) * rule.vocabulary());
            }
        }
    }

    private static double uniform(long key, long number) {
        return (Mix.mix(key + number * Mix.PHI) >>> 11) * ULP;
    }
}
