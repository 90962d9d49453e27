package io.rankfeed.schema.manifest;

import java.util.List;

/**
 * The decisions that the planner made for a feed after it had counted the rows. They are kept for users; no reader of
 * the order needs them.
 *
 * @param edges of quantile bins, column after column in the job's order, bins ascending
 * @param shortages by stage and stratum, what an epoch that wanted more rows than there are was given
 * @param rest strata so rare that they are drawn together as one, by name
 * @param leftOut strata with a weight in a stage that are so rare that they get nothing of it
 */
public record FeedDecisions(List<Edge> edges, List<Shortage> shortages, List<String> rest, List<Left> leftOut) {
    public static final FeedDecisions NONE = new FeedDecisions(List.of(), List.of(), List.of());

    public FeedDecisions(List<Edge> edges, List<Shortage> shortages, List<String> rest) {
        this(edges, shortages, rest, List.of());
    }

    public FeedDecisions {
        edges = List.copyOf(edges);
        shortages = List.copyOf(shortages);
        rest = List.copyOf(rest);
        leftOut = List.copyOf(leftOut);
    }

    public boolean isEmpty() {
        return edges.isEmpty() && shortages.isEmpty() && rest.isEmpty() && leftOut.isEmpty();
    }

    /**
     * A quantile bin: the values above the bin before it, up to and with its own.
     *
     * @param column the strata column's name
     * @param atMost the greatest value in it, as text that reads back to the same number
     */
    public record Edge(String column, String bin, String atMost) {}

    /**
     * A stratum that a stage draws nothing of.
     *
     * @param stage from 0
     */
    public record Left(long stage, String stratum) {}

    /**
     * The rows that a stratum gave to a stage, over all epochs.
     *
     * @param stage from 0
     * @param wanted rows by the stage's shares alone
     * @param available rows in the table
     * @param taken rows that it gives; what it lacks to {@code wanted} others give, which take more than theirs
     * @param repeated of these, rows that came before in the same epoch
     */
    public record Shortage(long stage, String stratum, long wanted, long available, long taken, long repeated) {
        public Shortage {
            if (stage < 0 || wanted < 0 || available < 0 || taken < 0 || repeated < 0 || repeated > taken) {
                throw new IllegalArgumentException("decisions: stage " + stage + ", stratum '" + stratum
                        + "': wanted " + wanted + ", available " + available + ", taken " + taken + ", repeated "
                        + repeated + " are inconsistent");
            }
        }
    }
}
