package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;

/**
 * Maps a draw to its row (docs/format/plan.md, section 5). {@code J * V + l} numbers the draws of all lanes; each n of these are a cycle,
 * in which every lane has its own {@code n div V} rows, and {@code n mod V} lanes have one shared row more.
 */
final class Cycles {
    private final long seed;
    private final int lanes;
    private final boolean global;
    private final boolean padded;
    private final long[] rows;

    Cycles(TrainFeed order) {
        this.seed = order.seed();
        this.lanes = order.lanes();
        this.global = order.order() == RowOrder.GLOBAL;
        this.padded = order.mode() == EpochMode.PADDED;
        this.rows = order.strata().stream().mapToLong(Stratum::rows).toArray();
    }

    long rows(int stratum) {
        return rows[stratum];
    }

    long ownRows(int stratum) {
        return rows[stratum] / lanes;
    }

    /** The cycle of a lane's draw. */
    long cycle(int stratum, int lane, long draw) {
        return (draw * lanes + lane) / rows[stratum];
    }

    /** A number for the cycle of a lane's draw that no other cycle of the run has. */
    long number(int stratum, int lane, long draw, long epoch) {
        long cycle = cycle(stratum, lane, draw);
        return padded ? (epoch << Integer.SIZE) + cycle : cycle;
    }

    /** The lane's first draw in a cycle or in a later one. */
    long firstDraw(int stratum, int lane, long cycle) {
        return Math.floorDiv(cycle * rows[stratum] - lane + lanes - 1, lanes);
    }

    /** The lane's turn in the cycle: lanes whose turn is below {@code n mod V} have a shared row in it. */
    int turn(int stratum, int lane, long cycle) {
        return (int) Math.floorMod(lane - cycle * rows[stratum], (long) lanes);
    }

    boolean shuffled(long cycle, long epoch) {
        return global && (cycle > 0 || (padded && epoch > 0));
    }

    /** The key of the permutation of a lane's rows in a cycle. */
    long laneKey(int stratum, int lane, long cycle, long epoch) {
        long key = Mix.append(Mix.append(Mix.append(Mix.append(seed, 1), stratum), lane), cycle);
        return padded ? Mix.append(key, epoch) : key;
    }

    /** The list index of the shared row of a turn. */
    long sharedRow(int stratum, int turn, long cycle, long epoch) {
        long own = rows[stratum] / lanes * lanes;
        if (!shuffled(cycle, epoch)) {
            return own + turn;
        }
        return own + Permutation.at(rows[stratum] - own, sharedKey(stratum, cycle, epoch), turn);
    }

    /** The list index of a lane's draw. */
    long row(int stratum, int lane, long draw, long epoch) {
        long cycle = cycle(stratum, lane, draw);
        int turn = turn(stratum, lane, cycle);
        long own = ownRows(stratum);
        long rest = rows[stratum] - own * lanes;
        long position = draw - firstDraw(stratum, lane, cycle);
        if (shuffled(cycle, epoch)) {
            position = Permutation.at(own + (turn < rest ? 1 : 0), laneKey(stratum, lane, cycle, epoch), position);
        }
        return position < own ? position * lanes + lane : sharedRow(stratum, turn, cycle, epoch);
    }

    /** The lane that draws a row in a cycle. */
    int laneOf(int stratum, long index, long cycle, long epoch) {
        long own = ownRows(stratum) * lanes;
        if (index < own) {
            return (int) (index % lanes);
        }
        long turn = index - own;
        if (shuffled(cycle, epoch)) {
            turn = Permutation.indexOf(rows[stratum] - own, sharedKey(stratum, cycle, epoch), turn);
        }
        return (int) Math.floorMod(turn + cycle * rows[stratum], (long) lanes);
    }

    /** The draw of {@link #laneOf} that brings a row in a cycle. */
    long drawOf(int stratum, int lane, long index, long cycle, long epoch) {
        long own = ownRows(stratum);
        long position = index < own * lanes ? index / lanes : own;
        if (shuffled(cycle, epoch)) {
            long rest = rows[stratum] - own * lanes;
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
