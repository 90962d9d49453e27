package io.rankfeed.sampling;

/**
 * A keyed bijection of [0, n), and its inverse, without a table (docs/format/plan.md, section 2). Below {@value #SHUFFLE_BELOW}
 * it is a Fisher-Yates shuffle, above eight rounds on a grid with cycle walking, which costs fewer than 1/sqrt(n) extra walks.
 */
public final class Permutation {
    static final int SHUFFLE_BELOW = 64;
    private static final int ROUNDS = 8;

    private Permutation() {}

    /** The image of {@code x}, for 0 &lt;= x &lt; n. */
    public static long at(long n, long key, long x) {
        if (n <= 1) {
            return x;
        }
        if (n < SHUFFLE_BELOW) {
            return shuffled((int) n, key, (int) x);
        }
        long p = gridRows(n);
        return walk(n, p, gridColumns(n, p), key, x);
    }

    /** The {@code x} whose image is {@code y}, for 0 &lt;= y &lt; n. */
    public static long placeOf(long n, long key, long y) {
        if (n <= 1) {
            return y;
        }
        if (n < SHUFFLE_BELOW) {
            return unshuffled((int) n, key, (int) y);
        }
        long p = gridRows(n);
        long q = gridColumns(n, p);
        long x = y;
        do {
            long u = x / q;
            long v = x % q;
            for (int i = ROUNDS - 1; i >= 0; i--) {
                long k = key + i * Mix.PHI;
                if ((i & 1) == 0) {
                    u -= Mix.below(Mix.stir(k ^ v), p);
                    u += u < 0 ? p : 0;
                } else {
                    v -= Mix.below(Mix.stir(k ^ u), q);
                    v += v < 0 ? q : 0;
                }
            }
            x = u * q + v;
        } while (x >= n);
        return x;
    }

    /** All images at once: {@code images[x] = at(n, key, x)} for x &lt; n. */
    static void fill(int n, long key, int[] images) {
        if (n < SHUFFLE_BELOW) {
            for (int i = 0; i < n; i++) {
                images[i] = i;
            }
            for (int i = n - 1; i >= 1; i--) {
                int j = partner(key, i);
                int kept = images[i];
                images[i] = images[j];
                images[j] = kept;
            }
            return;
        }
        long p = gridRows(n);
        long q = gridColumns(n, p);
        for (int x = 0; x < n; x++) {
            images[x] = (int) walk(n, p, q, key, x);
        }
    }

    /** Least p with p * p &gt;= n. */
    static long gridRows(long n) {
        long p = (long) Math.sqrt((double) n);
        while (p * p < n) {
            p++;
        }
        while ((p - 1) * (p - 1) >= n) {
            p--;
        }
        return p;
    }

    static long gridColumns(long n, long rows) {
        return (n + rows - 1) / rows;
    }

    /** The rounds on a grid of p rows and q columns; a caller with many x of one n keeps p and q. */
    static long walk(long n, long p, long q, long key, long start) {
        long x = start;
        do {
            // 32-bit division is several times cheaper, and most lists fit.
            long u = x <= Integer.MAX_VALUE ? (int) x / (int) q : x / q;
            long v = x - u * q;
            long k = key;
            for (int i = 0; i < ROUNDS; i += 2) {
                u += Mix.below(Mix.stir(k ^ v), p);
                u -= u >= p ? p : 0;
                k += Mix.PHI;
                v += Mix.below(Mix.stir(k ^ u), q);
                v -= v >= q ? q : 0;
                k += Mix.PHI;
            }
            x = u * q + v;
        } while (x >= n);
        return x;
    }

    private static int partner(long key, int i) {
        return (int) Mix.below(Mix.mix(key + i * Mix.PHI), i + 1L);
    }

    /** Follows place x back through the swaps, the last swap first: no array is needed. */
    private static int shuffled(int n, long key, int x) {
        int place = x;
        for (int i = 1; i < n; i++) {
            int j = partner(key, i);
            place = swap(place, i, j);
        }
        return place;
    }

    private static int unshuffled(int n, long key, int y) {
        int place = y;
        for (int i = n - 1; i >= 1; i--) {
            place = swap(place, i, partner(key, i));
        }
        return place;
    }

    private static int swap(int place, int i, int j) {
        if (place == i) {
            return j;
        }
        return place == j ? i : place;
    }
}
