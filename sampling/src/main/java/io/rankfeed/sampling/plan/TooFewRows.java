package io.rankfeed.sampling.plan;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.EpochMode;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Refuses a plan that the rows of the table, or those of a version, cannot fill; the message says which rows are missing. */
final class TooFewRows {
    private static final int SHOWN = 8;

    private final PlanRequest request;
    private final List<PlanRequest.Available> strata;
    private final boolean stored;
    private final String source;
    private final String exportAll;

    /** @param stored null where the table has the rows */
    TooFewRows(PlanRequest request, List<PlanRequest.Available> strata, @Nullable StoredLists stored) {
        this.request = request;
        this.strata = strata;
        this.stored = stored != null;
        this.source = stored == null ? "the table has " : "the version has ";
        this.exportAll =
                stored == null || stored.complete() ? "" : "; the table may have more: export a version with more rows";
    }

    /** Checks an epoch of the one stratum of a pass or of padded epochs. */
    void checkEpoch() {
        long wanted = request.rowsPerEpoch();
        long rows = strata.get(0).rows();
        String epoch = "mode " + request.mode().word() + ": each epoch wants " + wanted + " rows, " + source + rows;
        if (wanted > rows) {
            throw new ConfigException(epoch + "; request at most that many" + exportAll);
        }
        if (stored && wanted < rows && request.mode() == EpochMode.PADDED) {
            throw new ConfigException(epoch + ", and a padded epoch has all of them; request " + rows);
        }
    }

    /** Checks the epochs of a stream. */
    void check(Demand demand) {
        for (int s = 0; s < strata.size(); s++) {
            if (isMissing(demand, s)) {
                throw new ConfigException("stratum '" + strata.get(s).stratum() + "': " + demand.rows(s)
                        + " rows needed, but " + source + "none"
                        + others(s, "none too of: ", other -> isMissing(demand, other), demand::rows)
                        + "; set its weight to 0 or add rows" + exportAll);
            }
        }
        Demand.Shortage shortage = demand.firstShortage();
        if (shortage != null && request.onShortage() != OnShortage.REPEAT) {
            PlanRequest.Available stratum = strata.get(shortage.stratum());
            throw new ConfigException("stratum '" + stratum.stratum() + "': epoch " + shortage.epoch() + " wants "
                    + shortage.wanted() + " rows, " + source + stratum.rows()
                    + others(
                            shortage.stratum(),
                            "short too: ",
                            other -> demand.largestEpoch(other)
                                    > strata.get(other).rows(),
                            demand::largestEpoch)
                    + "; request fewer rows or a smaller weight, or choose on-shortage: repeat or redistribute"
                    + exportAll);
        }
    }

    private boolean isMissing(Demand demand, int stratum) {
        return demand.rows(stratum) > 0 && strata.get(stratum).rows() == 0;
    }

    /** The other strata that are short: how many rows are wanted, and how many there are. */
    private String others(int reported, String what, IntPredicate isShort, IntFunction<Long> wanted) {
        List<String> others = IntStream.range(0, strata.size())
                .filter(s -> s != reported && isShort.test(s))
                .mapToObj(s -> "'" + strata.get(s).stratum() + "' (" + wanted.apply(s) + " of "
                        + strata.get(s).rows() + ")")
                .toList();
        if (others.isEmpty()) {
            return "";
        }
        return "; " + what + String.join(", ", others.subList(0, Math.min(SHOWN, others.size())))
                + (others.size() > SHOWN ? " and " + (others.size() - SHOWN) + " more" : "");
    }
}
