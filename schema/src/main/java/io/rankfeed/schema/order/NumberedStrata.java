package io.rankfeed.schema.order;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/** The strata of all members, numbered from 0 over them and named {@code MEMBER/STRATUM}: a view. */
final class NumberedStrata extends AbstractList<Stratum> implements RandomAccess {
    private final List<Member> members;

    /** The number after the last stratum of each member. */
    private final int[] ends;

    NumberedStrata(List<Member> members) {
        this.members = members;
        this.ends = new int[members.size()];
        int end = 0;
        for (int m = 0; m < ends.length; m++) {
            end += members.get(m).strata().size();
            ends[m] = end;
        }
    }

    /** The number of the member that has a stratum. */
    int memberOf(int stratum) {
        int found = Arrays.binarySearch(ends, stratum + 1);
        return found >= 0 ? found : -found - 1;
    }

    @Override
    public Stratum get(int stratum) {
        int member = memberOf(stratum);
        Stratum own = members.get(member).strata().get(stratum - (member == 0 ? 0 : ends[member - 1]));
        return new Stratum(members.get(member).name() + "/" + own.name(), own.available(), own.rows());
    }

    @Override
    public int size() {
        return ends[ends.length - 1];
    }
}
