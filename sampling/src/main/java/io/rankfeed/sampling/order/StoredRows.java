package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.TrainFeed;

/** Where the rows of the strata of all members are stored: a record of {@value #WORDS} words for each stratum. */
final class StoredRows {
    static final int WORDS = 4;

    /** Rows that each stored lane owns. */
    static final int OWN = 0;

    /** Stored lanes. */
    static final int LANES = 1;

    /** Ordinal of the first row in every lane. */
    static final int LANE_OFFSET = 2;

    /** Ordinal of the first shared row, less its list index. */
    static final int SHARED_OFFSET = 3;

    final long[] records;

    StoredRows(TrainFeed order) {
        this.records = new long[order.strata().size() * WORDS];
        int at = 0;
        for (Member member : order.members()) {
            LaneLayout layout = new LaneLayout(member.lanes(), member.strata());
            for (int s = 0; s < member.strata().size(); s++, at += WORDS) {
                long own = member.strata().get(s).rows() / member.lanes();
                records[at + OWN] = own;
                records[at + LANES] = member.lanes();
                records[at + LANE_OFFSET] = layout.laneOffset(s);
                records[at + SHARED_OFFSET] = layout.sharedOffset(s) - own * member.lanes();
            }
        }
    }

    /** Sets a row of a batch, by the index in its stratum's list. */
    void set(BatchRows out, int i, int stratum, long index) {
        int at = stratum * WORDS;
        long lanes = records[at + LANES];
        if (index < records[at + OWN] * lanes) {
            out.set(i, stratum, index, (int) (index % lanes), records[at + LANE_OFFSET] + index / lanes);
        } else {
            out.set(i, stratum, index, LaneLayout.SHARED, records[at + SHARED_OFFSET] + index);
        }
    }
}
