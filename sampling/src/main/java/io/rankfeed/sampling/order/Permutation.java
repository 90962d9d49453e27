package io.rankfeed.sampling.order;

/**
 * A keyed bijection of [0, n), and its inverse, without a table (docs/format/plan.md, section 2). Below {@value #SHUFFLE_BELOW}
 * it is a Fisher-Yates shuffle, above eight rounds on a grid with cycle walking, which costs fewer than 1/sqrt(n) extra walks.
 */
public final class Permutation {
    static final int SHUFFLE_BELOW = 64;
    private static final int ROUNDS = 8;
    private static final long PHI_TWICE = Mix.PHI << 1;

    private Permutation() {}

    /** Returns the image of {@code x}, for 0 &lt;= x &lt; n. */
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

    /** Returns the {@code x} whose image is {@code y}, for 0 &lt;= y &lt; n: the inverse of {@link #at}. */
    public static long indexOf(long n, long key, long y) {
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

    /**
     * Walks many numbers, two at a time, so that the processor overlaps their dependent rounds: {@code x[i]} becomes its image
     * under {@code key[i]} in [0, n[i]) where {@code n[i]} is at least {@value #SHUFFLE_BELOW}, and stays where it is less.
     */
    static void walkAll(int count, long[] x, long[] n, long[] p, long[] q, long[] key) {
        int i = 0;
        for (; i + 1 < count; i += 2) {
            if (n[i] < SHUFFLE_BELOW || n[i + 1] < SHUFFLE_BELOW) {
                walkOne(i, x, n, p, q, key);
                walkOne(i + 1, x, n, p, q, key);
                continue;
            }
            long p0 = p[i];
            long p1 = p[i + 1];
            long q0 = q[i];
            long q1 = q[i + 1];
            long u0 = quotient(x[i], q0);
            long u1 = quotient(x[i + 1], q1);
            long v0 = x[i] - u0 * q0;
            long v1 = x[i + 1] - u1 * q1;
            long k0 = key[i];
            long k1 = key[i + 1];
            for (int round = 0; round < ROUNDS; round += 2) {
                u0 += Mix.below(Mix.stir(k0 ^ v0), p0);
                u1 += Mix.below(Mix.stir(k1 ^ v1), p1);
                u0 -= u0 >= p0 ? p0 : 0;
                u1 -= u1 >= p1 ? p1 : 0;
                v0 += Mix.below(Mix.stir((k0 + Mix.PHI) ^ u0), q0);
                v1 += Mix.below(Mix.stir((k1 + Mix.PHI) ^ u1), q1);
                v0 -= v0 >= q0 ? q0 : 0;
                v1 -= v1 >= q1 ? q1 : 0;
                k0 += PHI_TWICE;
                k1 += PHI_TWICE;
            }
            long y0 = u0 * q0 + v0;
            long y1 = u1 * q1 + v1;
            x[i] = y0 < n[i] ? y0 : walk(n[i], p0, q0, key[i], y0);
            x[i + 1] = y1 < n[i + 1] ? y1 : walk(n[i + 1], p1, q1, key[i + 1], y1);
        }
        if (i < count) {
            walkOne(i, x, n, p, q, key);
        }
    }

    private static void walkOne(int i, long[] x, long[] n, long[] p, long[] q, long[] key) {
        if (n[i] >= SHUFFLE_BELOW) {
            x[i] = walk(n[i], p[i], q[i], key[i], x[i]);
        }
    }

    /**
     * Computes all images of a permutation of at least {@value #SHUFFLE_BELOW} numbers, four at a time, at the start of an array:
     * {@code images[x] = at(n, key, x)}.
     */
    static void walkRange(int n, long p, long q, long key, int[] images) {
        int x = 0;
        for (; x + 3 < n; x += 4) {
            long u0 = quotient(x, q);
            long u1 = quotient(x + 1L, q);
            long u2 = quotient(x + 2L, q);
            long u3 = quotient(x + 3L, q);
            long v0 = x - u0 * q;
            long v1 = x + 1 - u1 * q;
            long v2 = x + 2 - u2 * q;
            long v3 = x + 3 - u3 * q;
            long k = key;
            for (int round = 0; round < ROUNDS; round += 2) {
                u0 = turned(u0, v0, k, p);
                u1 = turned(u1, v1, k, p);
                u2 = turned(u2, v2, k, p);
                u3 = turned(u3, v3, k, p);
                k += Mix.PHI;
                v0 = turned(v0, u0, k, q);
                v1 = turned(v1, u1, k, q);
                v2 = turned(v2, u2, k, q);
                v3 = turned(v3, u3, k, q);
                k += Mix.PHI;
            }
            images[x] = (int) inside(u0 * q + v0, n, p, q, key);
            images[x + 1] = (int) inside(u1 * q + v1, n, p, q, key);
            images[x + 2] = (int) inside(u2 * q + v2, n, p, q, key);
            images[x + 3] = (int) inside(u3 * q + v3, n, p, q, key);
        }
        for (; x < n; x++) {
            images[x] = (int) walk(n, p, q, key, x);
        }
    }

    /** Adds to one side of the grid a hash of the other side, modulo its length. */
    private static long turned(long side, long other, long key, long length) {
        long turned = side + Mix.below(Mix.stir(key ^ other), length);
        return turned >= length ? turned - length : turned;
    }

    private static long inside(long y, long n, long p, long q, long key) {
        return y < n ? y : walk(n, p, q, key, y);
    }

    /** 32-bit division is several times cheaper than 64-bit, and most lists fit. */
    static long quotient(long x, long q) {
        return (x | q) <= Integer.MAX_VALUE ? (int) x / (int) q : x / q;
    }

    /**
     * Computes all images of a permutation of fewer than {@value #SHUFFLE_BELOW} numbers: {@code images[x] =
     * at(images.length, key, x)}.
     */
    static void shuffle(long key, int[] images) {
        shuffle(key, images, images.length);
    }

    /** Computes the images of 0 to {@code n} (exclusive), at the start of a longer array. */
    static void shuffle(long key, int[] images, int n) {
        for (int i = 0; i < n; i++) {
            images[i] = i;
        }
        for (int i = n - 1; i >= 1; i--) {
            int j = partner(key, i);
            int kept = images[i];
            images[i] = images[j];
            images[j] = kept;
        }
    }

    /** Returns the smallest p with p * p &gt;= n. */
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
            long u = quotient(x, q);
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

    /** Follows position x back through the swaps, the last swap first: no array is needed. */
    private static int shuffled(int n, long key, int x) {
        int position = x;
        for (int i = 1; i < n; i++) {
            int j = partner(key, i);
            position = swap(position, i, j);
        }
        return position;
    }

    private static int unshuffled(int n, long key, int y) {
        int position = y;
        for (int i = n - 1; i >= 1; i--) {
            position = swap(position, i, partner(key, i));
        }
        return position;
    }

    private static int swap(int position, int i, int j) {
        if (position == i) {
            return j;
        }
        return position == j ? i : position;
    }
}
