package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Answers single questions about an order, in any sequence and without state: for explaining, not for feeding. Thread-safe. */
public final class OrderLookup {
    /** A row of a plan. */
    public record Row(int stratum, long index) {}

    /** A global step at which a row is drawn, and the lane that draws it. */
    public record Visit(long step, int lane) {}

    private final TrainFeed order;
    private final Comb[] combs;
    private final Cycles cycles;
    private final Windows windows;

    public OrderLookup(TrainFeed order) {
        this.order = order;
        this.combs = Comb.of(order);
        this.cycles = new Cycles(order);
        this.windows = new Windows(order);
    }

    /** The row at an index of a rank's batch, for 0 &lt;= batchIndex &lt; batch / world. */
    public Row rowAt(long step, int rank, int world, int batchIndex) {
        Worlds.check(order.lanes(), rank, world);
        if (step < 0 || step >= order.steps()) {
            throw new IndexOutOfBoundsException("step " + step + " of " + order.steps());
        }
        int share = order.lanes() / world;
        int rows = combAt(step).rowsPerLane * share;
        if (batchIndex < 0 || batchIndex >= rows) {
            throw new IndexOutOfBoundsException("batch index " + batchIndex + " of " + rows + " in step " + step);
        }
        long x = order.order() == RowOrder.PLANNED
                ? batchIndex
                : Permutation.at(rows, Mix.key(order.seed(), 4, step, rank, world), batchIndex);
        return rowOf(step, rank + (int) (x % share) * world, (int) (x / share));
    }

    /** The row at a slot of a lane, for 0 &lt;= slot &lt; rows that the lane gives to the step. */
    private Row rowOf(long step, int lane, int slot) {
        Comb comb = combAt(step);
        long combStep = step;
        int combSlot = slot;
        if (!windows.narrow()) {
            long first = windows.first(comb, step);
            long x = windows.source(first, windows.slots(comb, first), lane, (step - first) * comb.rowsPerLane + slot);
            combStep = first + x / comb.rowsPerLane;
            combSlot = (int) (x % comb.rowsPerLane);
        }
        long shift = comb.shift(combStep, comb.lead(lane));
        int stratum = comb.stratumAt(comb.tooth(combSlot, shift));
        long draw = comb.drawNumber(stratum, lane, combStep, combSlot, shift);
        return new Row(stratum, cycles.row(stratum, lane, draw, comb.number));
    }

    /** Returns every step that draws a row, by step and lane. */
    public List<Visit> visits(int stratum, long index) {
        List<Visit> visits = new ArrayList<>();
        if (order.mode() == EpochMode.PADDED) {
            for (Comb comb : combs) {
                addVisits(stratum, index, comb.number, comb, comb, visits);
            }
        } else {
            addVisits(stratum, index, 0, combs[0], combs[combs.length - 1], visits);
        }
        visits.sort(Comparator.comparingLong(Visit::step).thenComparingInt(Visit::lane));
        return visits;
    }

    private void addVisits(int stratum, long index, long epoch, Comb first, Comb last, List<Visit> visits) {
        long drawn = last.drawn(stratum, 0, last.end);
        long rows = cycles.rows(stratum);
        for (long cycle = 0; cycle * rows < drawn * order.lanes(); cycle++) {
            long number = cycles.numberOf(stratum, index, cycle, epoch);
            int lane = (int) (number % order.lanes());
            long draw = number / order.lanes();
            if (number >= 0 && draw < drawn) {
                visits.add(new Visit(stepOf(stratum, lane, draw, first.step, last.end), lane));
            }
        }
    }

    /** The last step before which no more than {@code draw} draws of the stratum were made by the lane. */
    private long stepOf(int stratum, int lane, long draw, long from, long to) {
        long low = from;
        long high = to - 1;
        while (low < high) {
            long middle = low + (high - low + 1) / 2;
            if (combAt(middle).drawn(stratum, lane, middle) <= draw) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        if (windows.narrow()) {
            return low;
        }
        return windowed(stratum, lane, draw, low);
    }

    private long windowed(int stratum, int lane, long draw, long step) {
        Comb comb = combAt(step);
        long shift = comb.shift(step, comb.lead(lane));
        int slot = (int) (draw - comb.drawNumber(stratum, lane, step, 0, shift));
        long first = windows.first(comb, step);
        long x = windows.target(first, windows.slots(comb, first), lane, (step - first) * comb.rowsPerLane + slot);
        return first + x / comb.rowsPerLane;
    }

    private Comb combAt(long step) {
        int low = 0;
        int high = combs.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (combs[middle].step <= step) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return combs[low];
    }
}
