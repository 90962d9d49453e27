package io.rankfeed.spark.generate;

import io.rankfeed.sampling.order.Mix;

/** A counter-based random number generator: a pure function of its key, the same on every JVM. */
final class CounterRandom {
    private static final long STEP = 0x9E3779B97F4A7C15L;
    private static final double PER_BIT = 0x1p-53;

    private long state;

    CounterRandom(long key) {
        state = key;
    }

    long next() {
        state += STEP;
        return Mix.mix(state);
    }

    /** A number in [0, n). */
    int below(int n) {
        return (int) (((next() >>> 32) * n) >>> 32);
    }

    /** Returns true with probability 1/n. */
    boolean oneIn(int n) {
        return below(n) == 0;
    }

    String of(String[] words) {
        return words[below(words.length)];
    }

    /** Returns one of the words, early ones more often: word i has a share that falls like 1 / sqrt(i). */
    String early(String[] words) {
        double u = unit();
        return words[(int) (u * u * words.length)];
    }

    /** A length whose logarithm is normal, held to [least, most]. */
    int logNormal(double median, double sigma, int min, int max) {
        // StrictMath: the same bits on every machine.
        double normal = StrictMath.sqrt(-2 * StrictMath.log(1 - unit())) * StrictMath.cos(2 * Math.PI * unit());
        return (int) Math.max(min, Math.min(max, median * StrictMath.exp(sigma * normal)));
    }

    /** Returns a random number in [0, 1). */
    private double unit() {
        return (next() >>> 11) * PER_BIT;
    }
}
