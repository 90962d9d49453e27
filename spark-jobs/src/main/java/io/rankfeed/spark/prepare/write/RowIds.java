package io.rankfeed.spark.prepare.write;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/** Ids of a unit's rows. Equal keys have equal ids; so, once in 2⁶⁴ pairs, have others. */
final class RowIds implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int FIRST_ROWS = 1 << 10;

    private long[] ids = new long[FIRST_ROWS];
    private int count;

    void add(long id) {
        if (count == ids.length) {
            ids = Arrays.copyOf(ids, 2 * count);
        }
        ids[count++] = id;
    }

    /** Lets go of the room that no id took, before it travels. */
    RowIds finished() {
        ids = Arrays.copyOf(ids, count);
        return this;
    }

    /** Whether two rows have one id. */
    static boolean anyTwice(List<RowIds> units) {
        long[] all = new long[units.stream().mapToInt(unit -> unit.count).sum()];
        int at = 0;
        for (RowIds unit : units) {
            System.arraycopy(unit.ids, 0, all, at, unit.count);
            at += unit.count;
        }
        Arrays.parallelSort(all);
        for (int i = 1; i < all.length; i++) {
            if (all[i] == all[i - 1]) {
                return true;
            }
        }
        return false;
    }
}
