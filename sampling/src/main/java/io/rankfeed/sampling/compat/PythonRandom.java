package io.rankfeed.sampling.compat;

import java.util.BitSet;

/**
 * Python's {@code random.Random} as CPython 3 has it: a Mersenne Twister (MT19937), seeded by {@code init_by_array}, and
 * the methods that draw whole numbers. The same seed gives the same numbers as {@code random.seed(seed)} there.
 */
final class PythonRandom {
    private static final int WORDS = 624;
    private static final int SHIFT = 397;
    private static final int MATRIX = 0x9908b0df;
    private static final int UPPER = 0x80000000;
    private static final int LOWER = 0x7fffffff;

    private final int[] state = new int[WORDS];
    private int next = WORDS;

    /** @param seed as a Python integer: its sign does not count */
    PythonRandom(long seed) {
        long size = Math.abs(seed);
        int high = (int) (size >>> 32);
        init(high == 0 ? new int[] {(int) size} : new int[] {(int) size, high});
    }

    private void init(int[] key) {
        state[0] = 19650218;
        for (int i = 1; i < WORDS; i++) {
            state[i] = 1812433253 * (state[i - 1] ^ (state[i - 1] >>> 30)) + i;
        }
        int i = 1;
        int j = 0;
        for (int k = Math.max(WORDS, key.length); k > 0; k--) {
            state[i] = (state[i] ^ ((state[i - 1] ^ (state[i - 1] >>> 30)) * 1664525)) + key[j] + j;
            i = following(i);
            j = (j + 1) % key.length;
        }
        for (int k = WORDS - 1; k > 0; k--) {
            state[i] = (state[i] ^ ((state[i - 1] ^ (state[i - 1] >>> 30)) * 1566083941)) - i;
            i = following(i);
        }
        state[0] = UPPER;
    }

    private int following(int i) {
        if (i + 1 < WORDS) {
            return i + 1;
        }
        state[0] = state[WORDS - 1];
        return 1;
    }

    /** The next 32 random bits. */
    int word() {
        if (next == WORDS) {
            for (int i = 0; i < WORDS; i++) {
                int y = (state[i] & UPPER) | (state[(i + 1) % WORDS] & LOWER);
                state[i] = state[(i + SHIFT) % WORDS] ^ (y >>> 1) ^ ((y & 1) == 0 ? 0 : MATRIX);
            }
            next = 0;
        }
        int y = state[next++];
        y ^= y >>> 11;
        y ^= (y << 7) & 0x9d2c5680;
        y ^= (y << 15) & 0xefc60000;
        return y ^ (y >>> 18);
    }

    /** {@code _randbelow(bound)}, for bounds from 1: draws as many bits as the bound has until they are below it. */
    int below(int bound) {
        int unused = Integer.numberOfLeadingZeros(bound);
        int drawn = word() >>> unused;
        while (drawn >= bound) {
            drawn = word() >>> unused;
        }
        return drawn;
    }

    /** {@code sample(population, count)}, for counts up to the population's. */
    int[] sample(int[] population, int count) {
        int size = population.length;
        int[] result = new int[count];
        // Python copies the population where that takes less memory than a set of the indices drawn.
        double setSize = count > 5 ? 21 + Math.pow(4, Math.ceil(Math.log(3.0 * count) / Math.log(4))) : 21;
        if (size <= setSize) {
            int[] pool = population.clone();
            for (int i = 0; i < count; i++) {
                int index = below(size - i);
                result[i] = pool[index];
                pool[index] = pool[size - i - 1];
            }
        } else {
            BitSet drawn = new BitSet(size);
            for (int i = 0; i < count; i++) {
                int index = below(size);
                while (drawn.get(index)) {
                    index = below(size);
                }
                drawn.set(index);
                result[i] = population[index];
            }
        }
        return result;
    }

    /** {@code shuffle(values)}. */
    void shuffle(int[] values) {
        for (int i = values.length - 1; i > 0; i--) {
            int j = below(i + 1);
            int moved = values[i];
            values[i] = values[j];
            values[j] = moved;
        }
    }
}
