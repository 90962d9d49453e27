package io.rankfeed.schema.order;

import java.util.List;
import java.util.Locale;

/**
 * An order of epochs and segments.
 *
 * @param seed 0 to 2^63 - 1
 * @param window 1, or the steps of an epoch
 * @param strata sorted by name; at least one
 * @param segments by step, without gaps, from 0 to {@code epochs * stepsPerEpoch}
 */
public record TrainFeed(
        String name,
        long seed,
        int lanes,
        int batch,
        long epochs,
        long stepsPerEpoch,
        Mode mode,
        RowOrder order,
        long window,
        List<Stratum> strata,
        List<Segment> segments)
        implements Feed {
    /** @throws IllegalArgumentException if the numbers contradict each other */
    public TrainFeed {
        strata = List.copyOf(strata);
        segments = List.copyOf(segments);
        Rules.requireFeed(name, lanes, batch);
        String feed = "feed '" + name + "': ";
        Rules.require(seed >= 0, feed + "seed " + seed + " is negative");
        Rules.require(
                epochs > 0 && stepsPerEpoch > 0 && stepsPerEpoch <= Long.MAX_VALUE / epochs / batch,
                feed + epochs + " epochs of " + stepsPerEpoch + " steps of " + batch + " rows cannot be");
        Rules.require(window >= 1 && window <= stepsPerEpoch, feed + "window " + window + " is outside an epoch");
        Rules.require(!strata.isEmpty(), feed + "has no stratum");
        Rules.requireSorted(strata.stream().map(Stratum::name).toList(), feed + "strata");
        long end = 0;
        for (Segment segment : segments) {
            Rules.require(segment.step() == end, feed + "a segment begins at " + segment.step() + ", not at " + end);
            Rules.require(segment.steps() <= epochs * stepsPerEpoch - end, feed + "a segment ends after the run");
            segment.requireQuotas(strata.size(), batch / lanes, feed);
            end += segment.steps();
        }
        Rules.require(end == epochs * stepsPerEpoch, feed + "the segments end at " + end + ", before the run");
    }

    /** The same with other segments. */
    public TrainFeed withSegments(List<Segment> others) {
        return new TrainFeed(name, seed, lanes, batch, epochs, stepsPerEpoch, mode, order, window, strata, others);
    }

    /** The segment of a step of the run. */
    public Segment segmentAt(long step) {
        return segments.stream()
                .filter(segment -> step < segment.step() + segment.steps())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("step " + step + " is after the run"));
    }

    /** How epochs come from rows. */
    public enum Mode {
        PASS,
        STREAM,
        PADDED;

        /** As it is written. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What follows what inside the quotas. */
    public enum RowOrder {
        GLOBAL,
        PLANNED;

        /** As it is written. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A stratum.
     *
     * @param available rows of it in the table
     * @param rows rows of its pool, at most {@code available}
     */
    public record Stratum(String name, long available, long rows) {
        public Stratum {
            Rules.require(
                    rows >= 0 && rows <= available,
                    "stratum '" + name + "': " + rows + " rows of " + available + " cannot be");
        }
    }

    /**
     * A stretch of steps with one set of quotas.
     *
     * @param step its first global step
     * @param steps at least 1
     * @param number what enters its key
     * @param quotas units per stratum, in the order of the strata
     * @param base units per stratum before it
     * @param m step of the comb's shift
     * @param c first shift of the comb
     * @param stage the job's stage that it is of, from 0; where there are none its number
     */
    public record Segment(
            long step, long steps, long number, List<Long> quotas, List<Long> base, long m, long c, long stage) {
        /** A stage of its own, or an epoch where there are no stages. */
        public Segment(long step, long steps, long number, List<Long> quotas, List<Long> base, long m, long c) {
            this(step, steps, number, quotas, base, m, c, number);
        }

        public Segment {
            quotas = List.copyOf(quotas);
            base = List.copyOf(base);
            Rules.require(
                    step >= 0 && steps > 0 && number >= 0 && m >= 0 && m <= steps && c >= 0 && c < steps,
                    "segment at step " + step + ": steps " + steps + ", number " + number + ", m " + m + ", c " + c
                            + " cannot be");
            Rules.require(
                    stage >= 0 && stage <= number,
                    "segment at step " + step + ": stage " + stage + " of number " + number + " cannot be");
        }

        /** The same, of a stage. */
        public Segment ofStage(long of) {
            return new Segment(step, steps, number, quotas, base, m, c, of);
        }

        private void requireQuotas(int strata, int rowsPerLane, String feed) {
            String at = feed + "segment at step " + step + ": ";
            Rules.require(
                    quotas.size() == strata && base.size() == strata, at + "quotas and base are not one per stratum");
            Rules.require(steps <= Long.MAX_VALUE / rowsPerLane, at + "too long");
            long left = steps * rowsPerLane;
            for (int s = 0; s < strata; s++) {
                Rules.require(base.get(s) >= 0, at + "base " + base.get(s) + " is negative");
                Rules.require(quotas.get(s) >= 0 && quotas.get(s) <= left, at + "quotas are not its units");
                left -= quotas.get(s);
            }
            Rules.require(left == 0, at + "quotas are not its " + steps * rowsPerLane + " units");
        }
    }
}
