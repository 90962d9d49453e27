package io.rankfeed.spark.sample;

import io.rankfeed.schema.digest.KeyEncoding;
import java.io.Serializable;

/**
 * A place in the order of a stratum's rows: by {@code at} (the priority, its sign bit flipped so that signed comparison
 * is the unsigned one; or the address), then by the key's encoding.
 */
final class RankedRow implements Comparable<RankedRow>, Serializable {
    private static final long serialVersionUID = 1L;

    private final long at;
    private final byte[] key;

    RankedRow(long at, byte[] key) {
        this.at = at;
        this.key = key;
    }

    @Override
    public int compareTo(RankedRow other) {
        return compareTo(other.at, other.key);
    }

    int compareTo(long otherAt, byte[] otherKey) {
        return at != otherAt ? Long.compare(at, otherAt) : KeyEncoding.compare(key, otherKey);
    }

    /** How many of ascending rows are not after one. */
    static int countUpTo(RankedRow[] ascending, long at, byte[] key) {
        int low = 0;
        int high = ascending.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ascending[middle].compareTo(at, key) > 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RankedRow row && compareTo(row) == 0;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(at);
    }
}
