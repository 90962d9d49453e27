package io.rankfeed.spark.prepare.write;

import java.util.List;

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
}
