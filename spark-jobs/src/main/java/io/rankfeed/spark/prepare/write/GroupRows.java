package io.rankfeed.spark.prepare.write;

import java.util.Iterator;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The rows of a log that one row group takes: the first rows, and perhaps a few later rows that do not follow them directly.
 *
 * @param first how many from the log's beginning
 * @param apart numbers of the others, ascending, all behind {@code first}
 * @param rawBytes of all these rows in the log
 * @param nextBytes of the first row that is not taken; 0 if the log ends there
 */
record GroupRows(int first, List<Integer> apart, long rawBytes, long nextBytes) {
    int rows() {
        return first + apart.size();
    }

    /** 1 + the number of the last row. */
    int end() {
        return apart.isEmpty() ? first : apart.get(apart.size() - 1) + 1;
    }

    /** Whether a row is one of them. Stateful: the numbers of rows are asked for in ascending order. */
    IntPredicate ascending() {
        Iterator<Integer> rest = apart.iterator();
        int[] next = {rest.hasNext() ? rest.next() : -1};
        return row -> {
            boolean isNext = row == next[0];
            if (isNext) {
                next[0] = rest.hasNext() ? rest.next() : -1;
            }
            return isNext || row < first;
        };
    }
}
