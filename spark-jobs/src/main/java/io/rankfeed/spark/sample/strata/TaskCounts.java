package io.rankfeed.spark.sample.strata;

import io.rankfeed.spark.file.ComputedIterator;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * How many rows of a task have equal columns: texts, and last a number. A line has these columns and a count; equal ones occur
 * again where a task has more groups than it keeps.
 */
final class TaskCounts extends ComputedIterator<InternalRow> {
    /** The maximum number of groups that a task keeps, in at most about 100 MB. */
    private static final int MAX_GROUPS = 1 << 17;

    /** Numbers below are counted in an array, which takes less time than a map: bins of hashes are. */
    private static final int SMALL_NUMBERS = 1 << 12;

    /** The number of groups of equal texts from which on they have such an array; it takes up to 32 KiB. */
    private static final int ARRAY_GROUPS = 64;

    /** The groups whose first texts are equal: by the next text, or by the number where no text is left. */
    private static final class Node {
        private final Map<UTF8String, Node> texts = new HashMap<>();
        private final Map<Long, Long> counts = new HashMap<>();
        private long[] small = {};

        /** Counts a row; true for the first one of its group. */
        boolean add(long number) {
            if (number < 0 || number >= SMALL_NUMBERS || counts.size() < ARRAY_GROUPS) {
                return counts.merge(number, 1L, Long::sum) == 1;
            }
            if (number >= small.length) {
                small = Arrays.copyOf(small, 2 * Integer.highestOneBit((int) number | 1));
            }
            return small[(int) number]++ == 0;
        }

        /** All counts, by number. */
        Map<Long, Long> counts() {
            for (int i = 0; i < small.length; i++) {
                if (small[i] > 0) {
                    counts.merge((long) i, small[i], Long::sum);
                }
            }
            return counts;
        }
    }

    private final Iterator<InternalRow> rows;
    private final ArrayDeque<InternalRow> lines = new ArrayDeque<>();

    TaskCounts(Iterator<InternalRow> rows) {
        this.rows = rows;
    }

    @Override
    protected @Nullable InternalRow compute() {
        if (lines.isEmpty() && rows.hasNext()) {
            count();
        }
        return lines.poll();
    }

    private void count() {
        Node all = new Node();
        int texts = 0;
        int groups = 0;
        while (groups < MAX_GROUPS && rows.hasNext()) {
            InternalRow row = rows.next();
            texts = row.numFields() - 1;
            Node node = all;
            for (int i = 0; i < texts; i++) {
                UTF8String text = row.getUTF8String(i);
                Node next = node.texts.get(text);
                if (next == null) {
                    next = new Node();
                    node.texts.put(text.clone(), next);
                }
                node = next;
            }
            if (node.add(row.getLong(texts))) {
                groups++;
            }
        }
        addLines(all, new Object[texts + 2], 0);
    }

    private void addLines(Node node, Object[] line, int depth) {
        node.texts.forEach((text, next) -> {
            line[depth] = text;
            addLines(next, line, depth + 1);
        });
        node.counts().forEach((number, count) -> {
            line[depth] = number;
            line[depth + 1] = count;
            lines.add(new GenericInternalRow(line.clone()));
        });
    }
}
