package io.rankfeed.sampling.order;

/**
 * Finds the stratum at a position of a comb's line: the line is cut into at most four times as many equal parts as there are strata,
 * and each part knows the stratum at its beginning, so that few edges are left to pass.
 */
final class StrataIndex {
    private final long[] edges;
    private final int shift;
    private final int[] first;

    /** @param edges stratum s is on [edges[s], edges[s + 1]) */
    StrataIndex(long[] edges) {
        this.edges = edges;
        int strata = edges.length - 1;
        long length = edges[strata];
        int bits = 0;
        while ((length >>> bits) > 4L * strata) {
            bits++;
        }
        this.shift = bits;
        this.first = new int[(int) (length >>> bits) + 1];
        int stratum = 0;
        for (int part = 0; part < first.length; part++) {
            long begin = (long) part << bits;
            while (stratum < strata - 1 && edges[stratum + 1] <= begin) {
                stratum++;
            }
            first[part] = stratum;
        }
    }

    /** The stratum at a position of the line. */
    int at(long position) {
        int part = (int) (position >>> shift);
        int s = first[part];
        for (int near = 0; near < 4; near++, s++) {
            if (position < edges[s + 1]) {
                return s;
            }
        }
        return between(edges, position, s, part + 1 < first.length ? first[part + 1] : edges.length - 2);
    }

    /** The stratum at a position, which is one of {@code low} to {@code high}. */
    static int between(long[] edges, long position, int low, int high) {
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (position < edges[middle + 1]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
