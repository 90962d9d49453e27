package io.rankfeed.sampling.order;

/** The keyed hashes of the order, on unsigned 64-bit words (docs/format/plan.md, section 2). */
public final class Mix {
    /** The golden ratio in 64 bits. */
    public static final long PHI = 0x9E3779B97F4A7C15L;

    private Mix() {}

    /** A bijection of 64-bit words with full avalanche. */
    public static long mix(long z) {
        long x = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
        return x ^ (x >>> 31);
    }

    /** A cheaper stirring: only its upper 32 bits are meant to be used. */
    static long stir(long z) {
        long x = z * 0xBF58476D1CE4E5B9L;
        return (x ^ (x >>> 32)) * 0x94D049BB133111EBL;
    }

    /** The key of a purpose: {@code words} in order, first the number of the purpose. */
    public static long key(long seed, long... words) {
        long h = seed;
        for (long word : words) {
            h = append(h, word);
        }
        return h;
    }

    /** Appends a word to a key: {@code key(seed, a, b) = append(append(seed, a), b)}. */
    public static long append(long h, long word) {
        return mix((h ^ word) + PHI);
    }

    /** A number in [0, n) out of the upper half of a hash, for 0 &lt; n &lt; 2^32. */
    static long below(long hash, long n) {
        return ((hash >>> 32) * n) >>> 32;
    }
}
