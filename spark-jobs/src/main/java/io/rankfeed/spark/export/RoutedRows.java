package io.rankfeed.spark.export;

import io.rankfeed.spark.file.ComputedIterator;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;

/**
 * Prepends its destination to each prepared row: once for each feed that has the row; a row that no feed has is dropped.
 * The rows of a file and their destinations come in the same order, so the two are walked together. A row that has a
 * destination is checked first.
 *
 * <pre>
 *   in            file i32, row i64, the row's columns
 *   out           destination i64, planned id i64, file i32, row i64, the row's columns
 * </pre>
 *
 * A row is valid until the next one is asked for.
 *
 * @param check for the rows that have a destination; null for a table in place, whose rows have no checksums
 */
record RoutedRows(
        RowDestinations destinations,
        CacheUnits units,
        @Nullable RowCheck check) implements FlatMapFunction<Iterator<InternalRow>, InternalRow> {
    @Override
    public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
        Merge merge = new Merge(rows);
        TaskCompletionListener close = task -> merge.close();
        TaskContext.get().addTaskCompletionListener(close);
        return merge;
    }

    private final class Merge extends ComputedIterator<InternalRow> implements AutoCloseable {
        private final Iterator<InternalRow> rows;
        private final RowCheck.@Nullable Checking checking = check == null ? null : check.open();
        private final GenericInternalRow head = new GenericInternalRow(2);
        private final JoinedRow routed = new JoinedRow();
        private RowDestinations.@Nullable Cursor cursor;
        private int file = -1;
        private long row = -1;
        private boolean hasDestination;

        Merge(Iterator<InternalRow> rows) {
            this.rows = rows;
        }

        @Override
        protected @Nullable InternalRow compute() {
            if (!sameRowAgain() && !nextRow()) {
                return null;
            }
            RowDestinations.Cursor at = cursor();
            head.setLong(0, units.destination(at.unit(), at.ordinal()));
            head.setLong(1, at.plannedId());
            advance();
            return routed;
        }

        private boolean sameRowAgain() {
            return hasDestination && row >= 0 && cursor().row() == row;
        }

        private boolean nextRow() {
            while (rows.hasNext()) {
                InternalRow next = rows.next();
                if (next.getInt(0) != file || next.getLong(1) < row) {
                    open(next.getInt(0));
                }
                row = next.getLong(1);
                while (hasDestination && cursor().row() < row) {
                    advance();
                }
                if (hasDestination && cursor().row() == row) {
                    if (checking != null) {
                        checking.check(next, file, cursor().row());
                    }
                    routed.apply(head, next);
                    return true;
                }
            }
            row = -1;
            return false;
        }

        private void open(int next) {
            close();
            file = next;
            cursor = destinations.open(next);
            advance();
        }

        private void advance() {
            hasDestination = cursor().next();
        }

        private RowDestinations.Cursor cursor() {
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
