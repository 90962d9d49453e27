package io.rankfeed.spark.prepare.write;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Chooses rows that best fill the free space of a block. A function of the rows' lengths. */
final class GapFill {
    /** The maximum number of rows of which all triples are tried; with more, one after the other is good enough. */
    static final int FEW = 64;

    private GapFill() {}

    /**
     * Rows whose lengths together come near {@code room} without going beyond.
     *
     * @return their numbers, ascending
     */
    static List<Integer> chosen(int[] lengths, long room) {
        if (lengths.length > FEW) {
            return completed(lengths, room, new int[0]);
        }
        int[] best = {};
        long bestBytes = 0;
        int n = lengths.length;
        // The last one of a three may be none: n stands for it.
        for (int a = 0; a < n; a++) {
            for (int b = a + 1; b <= n; b++) {
                for (int c = b == n ? n : b + 1; c <= n; c++) {
                    long bytes = (long) lengths[a] + (b < n ? lengths[b] : 0) + (c < n ? lengths[c] : 0);
                    if (bytes <= room && bytes > bestBytes) {
                        bestBytes = bytes;
                        best = IntStream.of(a, b, c).filter(i -> i < n).toArray();
                    }
                }
            }
        }
        return completed(lengths, room, best);
    }

    /** Adds the rows that still fit: repeatedly the largest that does; the first of equal ones. */
    private static List<Integer> completed(int[] lengths, long room, int[] some) {
        List<Integer> chosen = new ArrayList<>();
        long left = room;
        for (int i : some) {
            chosen.add(i);
            left -= lengths[i];
        }
        int[] byLength = IntStream.range(0, lengths.length)
                .boxed()
                .sorted(Comparator.comparingInt(i -> -lengths[i]))
                .mapToInt(i -> i)
                .toArray();
        for (int i : byLength) {
            if (lengths[i] <= left && !contains(some, i)) {
                chosen.add(i);
                left -= lengths[i];
            }
        }
        chosen.sort(null);
        return chosen;
    }

    private static boolean contains(int[] some, int number) {
        return IntStream.of(some).anyMatch(i -> i == number);
    }
}
