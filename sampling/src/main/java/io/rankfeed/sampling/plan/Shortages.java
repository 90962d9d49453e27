package io.rankfeed.sampling.plan;

import io.rankfeed.schema.order.Segment;
import java.util.ArrayList;
import java.util.List;

/** Reports what became of quotas that the table could not fill. */
final class Shortages {
    private final PlanRequest request;
    private final List<PlanRequest.Available> strata;
    private final int stages;

    Shortages(PlanRequest request, List<PlanRequest.Available> strata) {
        this.request = request;
        this.strata = strata;
        this.stages = Math.max(1, request.stages().size());
    }

    /** Rows that come more than once in an epoch; segments are stages. */
    List<PlannedOrder.Shortage> repeated(List<Piece> pieces, List<Segment> segments, Demand demand) {
        long[][] rows = rows(pieces, segments);
        List<PlannedOrder.Shortage> found = new ArrayList<>();
        for (int i = 0; i < pieces.size(); i++) {
            int stage = Math.max(0, pieces.get(i).stage());
            for (int s = 0; s < strata.size(); s++) {
                if (demand.repeated(i, s) > 0) {
                    found.add(shortage(stage, s, rows[stage][s], rows[stage][s], demand.repeated(i, s)));
                }
            }
        }
        return found;
    }

    /** Rows that other strata give instead of strata that have no more. */
    List<PlannedOrder.Shortage> moved(
            List<Piece> before, List<Segment> wanted, List<Piece> after, List<Segment> given) {
        long[][] wantedRows = rows(before, wanted);
        long[][] givenRows = rows(after, given);
        List<PlannedOrder.Shortage> found = new ArrayList<>();
        for (int stage = 0; stage < stages; stage++) {
            for (int s = 0; s < strata.size(); s++) {
                if (wantedRows[stage][s] != givenRows[stage][s]) {
                    found.add(shortage(stage, s, wantedRows[stage][s], givenRows[stage][s], 0));
                }
            }
        }
        return found;
    }

    private PlannedOrder.Shortage shortage(int stage, int s, long wanted, long taken, long repeated) {
        PlanRequest.Available stratum = strata.get(s);
        return new PlannedOrder.Shortage(stage, stratum.stratum(), wanted, stratum.rows(), taken, repeated);
    }

    private long[][] rows(List<Piece> pieces, List<Segment> segments) {
        long[][] rows = new long[stages][strata.size()];
        for (int i = 0; i < segments.size(); i++) {
            long[] ofStage = rows[Math.max(0, pieces.get(i).stage())];
            for (int s = 0; s < ofStage.length; s++) {
                ofStage[s] += segments.get(i).quotas().get(s) * request.lanes();
            }
        }
        return rows;
    }
}
