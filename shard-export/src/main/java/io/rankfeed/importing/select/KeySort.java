package io.rankfeed.importing.select;

/** Sorts numbers by unsigned keys of 64 bits, in linear time: a radix sort by bytes from the lowest on. */
final class KeySort {
    private static final int RADIX = 256;

    private KeySort() {}

    /** Sorts both arrays by the keys; numbers with equal keys keep their order. */
    static void sort(long[] keys, int[] numbers) {
        long[] fromKeys = keys;
        int[] from = numbers;
        long[] toKeys = new long[keys.length];
        int[] to = new int[keys.length];
        // Eight passes: after an even number of them, the result is in the arrays of the caller.
        for (int shift = 0; shift < Long.SIZE; shift += 8) {
            int[] next = new int[RADIX + 1];
            for (long key : fromKeys) {
                next[(int) (key >>> shift & 0xFF) + 1]++;
            }
            for (int digit = 0; digit < RADIX; digit++) {
                next[digit + 1] += next[digit];
            }
            for (int i = 0; i < from.length; i++) {
                int at = next[(int) (fromKeys[i] >>> shift & 0xFF)]++;
                toKeys[at] = fromKeys[i];
                to[at] = from[i];
            }
            long[] otherKeys = fromKeys;
            fromKeys = toKeys;
            toKeys = otherKeys;
            int[] other = from;
            from = to;
            to = other;
        }
    }
}
