package io.rankfeed.sampling.plan;

/**
 * A stretch of a run that has one set of quotas (docs/format/plan.md, section 3.2).
 *
 * @param step the first global step
 * @param steps how many, at least 1
 * @param number the segment's number
 * @param stage the stage it belongs to, -1 where there are none
 * @param epoch the epoch in which it begins
 * @param batch rows of each step
 */
record Piece(long step, long steps, long number, int stage, int epoch, int batch) {
    /** Rows that a lane gives. */
    long units(int lanes) {
        return steps * (batch / lanes);
    }
}
