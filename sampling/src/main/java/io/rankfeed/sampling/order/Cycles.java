package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Maps a draw to its row (docs/format/plan.md, section 5.1). {@code N * V + l} numbers the draws of a stratum by the
 * lanes of the order; draw number z is that of stored lane {@code z mod U}, its {@code z div U}-th. Each n numbers are a cycle, in which
 * every stored lane has its own {@code n div U} rows, and {@code n mod U} lanes have one shared row more. In a pass the cycles are the
 * epochs, and the rows are places in them ({@link PassRows}).
 */
final class Cycles {
    /** Maps places of epochs to rows where their numbers differ, or their lanes. */
    final @Nullable PassRows pass;

    private final long seed;
    private final int orderLanes;
    private final boolean padded;
    private final long[] rows;
    private final int[] lanes;
    private final RowCycles[] cycles;

    Cycles(TrainFeed order) {
        this.pass = PassRows.of(order);
        this.seed = order.seed();
        this.orderLanes = order.lanes();
        this.padded = order.mode() == EpochMode.PADDED;
        this.rows = order.strata().stream().mapToLong(Stratum::rows).toArray();
        this.lanes = new int[rows.length];
        this.cycles = new RowCycles[rows.length];
        int end = 0;
        for (Member member : order.members()) {
            int first = end;
            end += member.strata().size();
            Arrays.fill(lanes, first, end, member.lanes());
            Arrays.fill(cycles, first, end, member.cycles());
        }
        if (order.mode() == EpochMode.PASS) {
            rows[0] = (long) order.stepsPerEpoch() * order.batch();
            lanes[0] = orderLanes;
        }
    }

    long rows(int stratum) {
        return rows[stratum];
    }

    long ownRows(int stratum) {
        return rows[stratum] / lanes[stratum];
    }

    /** The lanes among which the rows of a stratum are divided: the stored ones; those of the order for the places of a pass. */
    int lanes(int stratum) {
        return lanes[stratum];
    }

    /** The cycle of a stored lane's draw. */
    long cycle(int stratum, int lane, long draw) {
        return (draw * lanes[stratum] + lane) / rows[stratum];
    }

    /** A number for a cycle, or an epoch's cycle of a padded feed, that no other one of the run has. */
    long number(long cycle, long epoch) {
        return padded ? (epoch << Integer.SIZE) + cycle : cycle;
    }

    /** The stored lane's first draw in a cycle or in a later one. */
    long firstDraw(int stratum, int lane, long cycle) {
        return Math.floorDiv(cycle * rows[stratum] - lane + lanes[stratum] - 1, lanes[stratum]);
    }

    /** The stored lane's turn in the cycle: lanes whose turn is below {@code n mod U} have a shared row in it. */
    int turn(int stratum, int lane, long cycle) {
        return (int) Math.floorMod(lane - cycle * rows[stratum], (long) lanes[stratum]);
    }

    boolean shuffled(int stratum, long cycle, long epoch) {
        return cycles[stratum] == RowCycles.SHUFFLED
                || (cycles[stratum] == RowCycles.LIST_FIRST && (cycle > 0 || (padded && epoch > 0)));
    }

    /** The key of the permutation of a stored lane's rows in a cycle. */
    long laneKey(int stratum, int lane, long cycle, long epoch) {
        long key = Mix.append(Mix.append(Mix.append(Mix.append(seed, 1), stratum), lane), cycle);
        return padded ? Mix.append(key, epoch) : key;
    }

    /** The list index of the shared row of a turn. */
    long sharedRow(int stratum, int turn, long cycle, long epoch) {
        long own = ownRows(stratum) * lanes[stratum];
        if (!shuffled(stratum, cycle, epoch)) {
            return own + turn;
        }
        return own + Permutation.at(rows[stratum] - own, sharedKey(stratum, cycle, epoch), turn);
    }

    /** The list index of a draw by a lane of the order; in a pass its place in the epoch. */
    long place(int stratum, int orderLane, long orderDraw, long epoch) {
        long number = orderDraw * orderLanes + orderLane;
        int lane = (int) (number % lanes[stratum]);
        long draw = number / lanes[stratum];
        long cycle = cycle(stratum, lane, draw);
        int turn = turn(stratum, lane, cycle);
        long own = ownRows(stratum);
        long rest = rows[stratum] - own * lanes[stratum];
        long position = draw - firstDraw(stratum, lane, cycle);
        if (shuffled(stratum, cycle, epoch)) {
            position = Permutation.at(own + (turn < rest ? 1 : 0), laneKey(stratum, lane, cycle, epoch), position);
        }
        return position < own ? position * lanes[stratum] + lane : sharedRow(stratum, turn, cycle, epoch);
    }

    /** The list index of a draw by a lane of the order. */
    long row(int stratum, int orderLane, long orderDraw, long epoch) {
        long place = place(stratum, orderLane, orderDraw, epoch);
        return pass == null ? place : pass.row(epoch, place);
    }

    /** The cycle of a draw by a lane of the order. */
    long cycleOf(int stratum, int orderLane, long orderDraw, long epoch) {
        return pass == null
                ? (orderDraw * orderLanes + orderLane) / rows[stratum]
                : pass.cycle(epoch, place(stratum, orderLane, orderDraw, epoch));
    }

    /** The number of the draw that has a row in a cycle, over all lanes; -1 if the epoch of a pass leaves the row out. */
    long numberOf(int stratum, long index, long cycle, long epoch) {
        long place = pass == null ? index : pass.placeOf(cycle, index);
        if (place < 0 || place >= rows[stratum]) {
            return -1;
        }
        int lane = laneOf(stratum, place, cycle, epoch);
        return drawOf(stratum, lane, place, cycle, epoch) * lanes[stratum] + lane;
    }

    /** The stored lane that draws a row in a cycle. */
    private int laneOf(int stratum, long index, long cycle, long epoch) {
        long own = ownRows(stratum) * lanes[stratum];
        if (index < own) {
            return (int) (index % lanes[stratum]);
        }
        long turn = index - own;
        if (shuffled(stratum, cycle, epoch)) {
            turn = Permutation.indexOf(rows[stratum] - own, sharedKey(stratum, cycle, epoch), turn);
        }
        return (int) Math.floorMod(turn + cycle * rows[stratum], (long) lanes[stratum]);
    }

    /** The draw of {@link #laneOf} that has a row in a cycle. */
    private long drawOf(int stratum, int lane, long index, long cycle, long epoch) {
        long own = ownRows(stratum);
        long position = index < own * lanes[stratum] ? index / lanes[stratum] : own;
        if (shuffled(stratum, cycle, epoch)) {
            long rest = rows[stratum] - own * lanes[stratum];
            long count = own + (turn(stratum, lane, cycle) < rest ? 1 : 0);
            position = Permutation.indexOf(count, laneKey(stratum, lane, cycle, epoch), position);
        }
        return firstDraw(stratum, lane, cycle) + position;
    }

    private long sharedKey(int stratum, long cycle, long epoch) {
        long key = Mix.append(Mix.append(Mix.append(seed, 2), stratum), cycle);
        return padded ? Mix.append(key, epoch) : key;
    }
}
