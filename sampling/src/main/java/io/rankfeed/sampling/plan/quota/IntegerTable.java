package io.rankfeed.sampling.plan.quota;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A two-way table of whole numbers with given sums of rows and columns, each cell within its bounds: a flow from rows to
 * columns. It is found whenever there is one. Where the fractional cells have these sums, each cell becomes the floor or the
 * ceil of its own (such a rounding always exists); else as many as can be.
 */
final class IntegerTable {
    /** A fractional cell this near to a whole number is that number: fitting stops at about as much. */
    private static final double WHOLE = 1e-6;

    /** A cell: its row and column, the minimum and maximum of its number, and its ideal number. */
    record Cell(int row, int column, long min, long max, double ideal) {}

    /** Rows that want more than these columns can take of it and the other columns' cells can give. */
    record Contradiction(BitSet rows, BitSet columns) {}

    private final List<Cell> cells;
    private final long[] held;
    private final long[] rowLeft;
    private final long[] columnLeft;
    private final List<List<Integer>> ofRow = new ArrayList<>();
    private final List<List<Integer>> ofColumn = new ArrayList<>();

    /** The cell through which the search reached each row and each column; -1 if it did not. */
    private final int[] toRow;

    private final int[] toColumn;

    IntegerTable(List<Cell> cells, long[] rowSums, long[] columnSums) {
        this.cells = cells;
        this.held = new long[cells.size()];
        this.rowLeft = rowSums.clone();
        this.columnLeft = columnSums.clone();
        this.toRow = new int[rowSums.length];
        this.toColumn = new int[columnSums.length];
        IntStream.range(0, rowSums.length).forEach(i -> ofRow.add(new ArrayList<>()));
        IntStream.range(0, columnSums.length).forEach(j -> ofColumn.add(new ArrayList<>()));
        for (int c = 0; c < held.length; c++) {
            ofRow.get(cells.get(c).row()).add(c);
            ofColumn.get(cells.get(c).column()).add(c);
        }
    }

    /** Returns the units of each cell, for the sums that were set. */
    long[] held() {
        return held.clone();
    }

    /** Fills the table; null where it is full, else why it cannot be. */
    @Nullable
    Contradiction fill() {
        for (int c = 0; c < held.length; c++) {
            add(c, Math.max(cells.get(c).min(), Math.min(cells.get(c).max(), low(c))));
        }
        for (int i = 0; i < rowLeft.length; i++) {
            takeBack(ofRow.get(i), rowLeft, i);
        }
        for (int j = 0; j < columnLeft.length; j++) {
            takeBack(ofColumn.get(j), columnLeft, j);
        }
        roundUpLargestFirst();
        while (augment(true)) {}
        while (augment(false)) {}
        if (Arrays.stream(rowLeft).allMatch(left -> left == 0)
                && Arrays.stream(columnLeft).allMatch(left -> left == 0)) {
            return null;
        }
        return new Contradiction(reached(toRow), reached(toColumn));
    }

    private void add(int cell, long units) {
        held[cell] += units;
        rowLeft[cells.get(cell).row()] -= units;
        columnLeft[cells.get(cell).column()] -= units;
    }

    /** A row or column that holds more than its sum gives units back, as far as its cells' least allows. */
    private void takeBack(List<Integer> line, long[] left, int at) {
        for (int c : line) {
            if (left[at] < 0) {
                add(c, -Math.min(-left[at], held[c] - cells.get(c).min()));
            }
        }
    }

    private void roundUpLargestFirst() {
        List<Integer> byFraction = IntStream.range(0, held.length)
                .filter(c -> high(c) > low(c))
                .boxed()
                .sorted(Comparator.comparingDouble(c -> low(c) - cells.get(c).ideal()))
                .toList();
        for (int c : byFraction) {
            Cell cell = cells.get(c);
            if (held[c] < Math.min(high(c), cell.max()) && rowLeft[cell.row()] > 0 && columnLeft[cell.column()] > 0) {
                add(c, 1);
            }
        }
    }

    private long low(int cell) {
        return (long) Math.floor(cells.get(cell).ideal() + WHOLE);
    }

    private long high(int cell) {
        return (long) Math.ceil(cells.get(cell).ideal() - WHOLE);
    }

    private long room(int cell, boolean rounding) {
        long max = cells.get(cell).max();
        return (rounding ? Math.min(max, high(cell)) : max) - held[cell];
    }

    private long spare(int cell, boolean rounding) {
        long min = cells.get(cell).min();
        return held[cell] - (rounding ? Math.max(min, low(cell)) : min);
    }

    /** Moves units along the shortest path from a row that lacks some to a column that lacks some. Returns whether it could. */
    private boolean augment(boolean rounding) {
        Arrays.fill(toRow, -1);
        Arrays.fill(toColumn, -1);
        // Rows are i and columns ~j; a row where the search starts was come to by no cell.
        ArrayDeque<Integer> open = new ArrayDeque<>();
        for (int i = 0; i < rowLeft.length; i++) {
            if (rowLeft[i] > 0) {
                toRow[i] = held.length;
                open.add(i);
            }
        }
        while (!open.isEmpty()) {
            int at = open.remove();
            for (int c : at >= 0 ? ofRow.get(at) : ofColumn.get(~at)) {
                if (at >= 0) {
                    int column = cells.get(c).column();
                    if (toColumn[column] < 0 && room(c, rounding) > 0) {
                        toColumn[column] = c;
                        if (columnLeft[column] > 0) {
                            push(column, rounding);
                            return true;
                        }
                        open.add(~column);
                    }
                } else if (toRow[cells.get(c).row()] < 0 && spare(c, rounding) > 0) {
                    toRow[cells.get(c).row()] = c;
                    open.add(cells.get(c).row());
                }
            }
        }
        return false;
    }

    private void push(int last, boolean rounding) {
        long units = columnLeft[last];
        int column = last;
        while (true) {
            int row = cells.get(toColumn[column]).row();
            units = Math.min(units, room(toColumn[column], rounding));
            int back = toRow[row];
            if (back == held.length) {
                units = Math.min(units, rowLeft[row]);
                break;
            }
            units = Math.min(units, spare(back, rounding));
            column = cells.get(back).column();
        }
        column = last;
        while (true) {
            int forth = toColumn[column];
            add(forth, units);
            int back = toRow[cells.get(forth).row()];
            if (back == held.length) {
                return;
            }
            add(back, -units);
            column = cells.get(back).column();
        }
    }

    private static BitSet reached(int[] by) {
        BitSet reached = new BitSet(by.length);
        for (int i = 0; i < by.length; i++) {
            reached.set(i, by[i] >= 0);
        }
        return reached;
    }
}
