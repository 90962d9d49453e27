package io.rankfeed.spark.prepare.sequence;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.file.ComputedIterator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;

/**
 * Packs windows of rows, which arrive one after another. Keeps the rows of two windows in memory.
 *
 * @param fields columns of the rows: group, hash, tokens, perhaps spans, within, lists
 * @param windowRows rows of a window; the last one of a group has fewer than twice as many
 */
record SequencePacker(SequenceLayout layout, ArrayList<StructField> fields, int windowRows)
        implements FlatMapFunction<Iterator<InternalRow>, InternalRow> {
    private static final int GROUP = 0;
    private static final int HASH = 1;
    private static final int TOKENS = 2;

    @Override
    public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
        return new ComputedIterator<>() {
            private final ArrayDeque<InternalRow> ready = new ArrayDeque<>();
            private final List<InternalRow> waiting = new ArrayList<>();
            private @Nullable InternalRow next = rows.hasNext() ? rows.next().copy() : null;

            @Override
            protected @Nullable InternalRow compute() {
                while (ready.isEmpty() && (next != null || !waiting.isEmpty())) {
                    ready.addAll(new Window(window()).sequences());
                }
                return ready.poll();
            }

            private List<InternalRow> window() {
                InternalRow row = next;
                while (row != null && waiting.size() < 2L * windowRows && isNextOfGroup(row)) {
                    waiting.add(row);
                    row = rows.hasNext() ? rows.next().copy() : null;
                }
                next = row;
                List<InternalRow> first = waiting.size() < 2L * windowRows ? waiting : waiting.subList(0, windowRows);
                List<InternalRow> window = List.copyOf(first);
                first.clear();
                return window;
            }

            private boolean isNextOfGroup(InternalRow row) {
                if (waiting.isEmpty()) {
                    return true;
                }
                InternalRow last = waiting.get(waiting.size() - 1);
                boolean equal =
                        last.getLong(HASH) == row.getLong(HASH) && key(last).equals(key(row));
                if (equal && !isNullInKey(row)) {
                    throw SequencePacking.duplicate(key(row));
                }
                return row.getUTF8String(GROUP).equals(last.getUTF8String(GROUP));
            }
        };
    }

    private int firstWithin() {
        return TOKENS + (layout.spans() == null ? 1 : 2);
    }

    private int firstList() {
        return firstWithin() + layout.within().size();
    }

    private List<String> key(InternalRow row) {
        return layout.key().stream()
                .map(this::ordinal)
                .map(i -> SequencePacking.shown(row.isNullAt(i) ? null : value(row, i)))
                .toList();
    }

    private boolean isNullInKey(InternalRow row) {
        return layout.key().stream().anyMatch(name -> row.isNullAt(ordinal(name)));
    }

    private int ordinal(String list) {
        for (int i = firstList(); i < fields.size(); i++) {
            if (fields.get(i).name().equals(list)) {
                return i;
            }
        }
        throw new IllegalStateException("no column " + list);
    }

    private Object value(InternalRow row, int ordinal) {
        return row.get(ordinal, fields.get(ordinal).dataType());
    }

    /** The rows that are packed together. */
    private final class Window {
        private final List<InternalRow> rows;
        private final int tokenBytes = layout.tokens().dtype().sizeBytes();
        private final int spans = layout.spans() == null ? -1 : TOKENS + 1;
        private final int within = firstWithin();
        private final int lists = firstList();

        Window(List<InternalRow> rows) {
            this.rows = rows;
        }

        /** In the order of their first members. */
        List<InternalRow> sequences() {
            int[] lengths = rows.stream().mapToInt(this::length).toArray();
            return BestFit.bins(lengths, layout.capacity()).stream()
                    .sorted(Comparator.comparingInt(members -> members[0]))
                    .map(members -> sequence(members, lengths))
                    .toList();
        }

        private int length(InternalRow row) {
            if (isNullInKey(row)) {
                throw refused(row, "null in its key");
            }
            int tokens = row.isNullAt(TOKENS) ? 0 : row.getBinary(TOKENS).length / tokenBytes;
            String column = layout.tokens().name();
            if (tokens == 0) {
                throw refused(row, "no tokens; leave such rows out in the query: WHERE size(" + column + ") > 0");
            } else if (tokens > layout.capacity()) {
                throw refused(
                        row,
                        tokens + " tokens, prepare.pack.to is " + layout.capacity()
                                + "; leave such rows out in the query, or" + " cut them: slice(" + column + ", 1, "
                                + layout.capacity() + ")");
            }
            return tokens;
        }

        private CorruptDataException refused(InternalRow row, String what) {
            return new CorruptDataException(
                    "a row of the query", "key (" + String.join(", ", key(row)) + ") has " + what);
        }

        private InternalRow sequence(int[] members, int[] lengths) {
            List<Object> values = new ArrayList<>();
            InternalRow first = rows.get(members[0]);
            layout.key().forEach(key -> values.add(value(first, ordinal(key))));
            for (int i = within; i < lists; i++) {
                values.add(first.isNullAt(i) ? null : value(first, i));
            }
            int[] own = Arrays.stream(members).map(member -> lengths[member]).toArray();
            int count = Arrays.stream(own).sum();
            values.add(tokens(members, count));
            if (spans >= 0) {
                values.add(spans(members, own));
            }
            values.add(ArrayData.toArrayData(own));
            values.add(members.length);
            values.add(count);
            for (int i = lists; i < fields.size(); i++) {
                int ordinal = i;
                values.add(new GenericArrayData(Arrays.stream(members)
                        .mapToObj(member -> rows.get(member))
                        .map(row -> row.isNullAt(ordinal) ? null : value(row, ordinal))
                        .toArray()));
            }
            return new GenericInternalRow(values.toArray());
        }

        private byte[] tokens(int[] members, int count) {
            ByteBuffer all = ByteBuffer.allocate(count * tokenBytes);
            for (int member : members) {
                all.put(rows.get(member).getBinary(TOKENS));
            }
            return all.array();
        }

        /** Bounds count tokens of the sequence instead of the row. */
        private byte[] spans(int[] members, int[] own) {
            int bytes = 0;
            for (int member : members) {
                bytes += bounds(rows.get(member)).remaining();
            }
            ByteBuffer all = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
            int start = 0;
            for (int i = 0; i < members.length; i++) {
                InternalRow row = rows.get(members[i]);
                for (ByteBuffer bounds = bounds(row); bounds.hasRemaining(); ) {
                    int bound = bounds.getInt();
                    if (bound < 0 || bound > own[i]) {
                        throw refused(row, "a span that begins or ends at token " + bound + " of " + own[i]);
                    }
                    all.putInt(start + bound);
                }
                start += own[i];
            }
            return all.array();
        }

        private ByteBuffer bounds(InternalRow row) {
            byte[] bytes = row.isNullAt(spans) ? new byte[0] : row.getBinary(spans);
            return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
    }
}
