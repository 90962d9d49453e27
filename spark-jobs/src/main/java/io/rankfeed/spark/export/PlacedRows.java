package io.rankfeed.spark.export;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;

/**
 * Puts before each prepared row where it goes: once for each feed that has it, not at all where none has. The rows of a
 * file come in its order, as do their places, so the two are walked together. A row that has a place is checked first.
 *
 * <pre>
 *   in            file i32, row i64, the row's columns
 *   out           place i64, planned id i64, file i32, row i64, the row's columns
 * </pre>
 *
 * A row that is given is valid until the next.
 */
final class PlacedRows implements FlatMapFunction<Iterator<InternalRow>, InternalRow> {
    private static final long serialVersionUID = 1L;

    private final RowPlaces places;
    private final CacheUnits units;
    private final @Nullable RowCheck check;

    /** @param check of the rows that have a place; null for rows without checksums, those in place */
    PlacedRows(RowPlaces places, CacheUnits units, @Nullable RowCheck check) {
        this.places = places;
        this.units = units;
        this.check = check;
    }

    @Override
    public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
        Merge merge = new Merge(rows);
        TaskCompletionListener close = task -> merge.close();
        TaskContext.get().addTaskCompletionListener(close);
        return merge;
    }

    private final class Merge implements Iterator<InternalRow>, AutoCloseable {
        private final Iterator<InternalRow> rows;
        private final RowCheck.@Nullable Checking checking = check == null ? null : check.open();
        private final GenericInternalRow head = new GenericInternalRow(2);
        private final JoinedRow placed = new JoinedRow();
        private RowPlaces.@Nullable Cursor cursor;
        private int file = -1;
        private long row = -1;
        private boolean atPlace;
        private boolean isReady;

        Merge(Iterator<InternalRow> rows) {
            this.rows = rows;
        }

        @Override
        public boolean hasNext() {
            if (!isReady) {
                isReady = sameRowAgain() || nextRow();
            }
            return isReady;
        }

        @Override
        public InternalRow next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            isReady = false;
            RowPlaces.Cursor at = cursor();
            head.setLong(0, units.place(at.unit(), at.ordinal()));
            head.setLong(1, at.plannedId());
            advance();
            return placed;
        }

        private boolean sameRowAgain() {
            return atPlace && row >= 0 && cursor().row() == row;
        }

        private boolean nextRow() {
            while (rows.hasNext()) {
                InternalRow next = rows.next();
                if (next.getInt(0) != file || next.getLong(1) < row) {
                    open(next.getInt(0));
                }
                row = next.getLong(1);
                while (atPlace && cursor().row() < row) {
                    advance();
                }
                if (atPlace && cursor().row() == row) {
                    if (checking != null) {
                        checking.check(next, file, cursor().row());
                    }
                    placed.apply(head, next);
                    return true;
                }
            }
            row = -1;
            return false;
        }

        private void open(int next) {
            close();
            file = next;
            cursor = places.open(next);
            advance();
        }

        private void advance() {
            atPlace = cursor().next();
        }

        private RowPlaces.Cursor cursor() {
            if (cursor == null) {
                throw new IllegalStateException("no prepared file is open");
            }
            return cursor;
        }

        @Override
        public void close() {
            if (cursor != null) {
                cursor.close();
                cursor = null;
            }
        }
    }
}
