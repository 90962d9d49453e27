package io.rankfeed.spark.prepare.sequence;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Best-fit decreasing: the longest item first, each to the bin that it leaves with the least room. Takes time proportional to
 * items · capacity / 64 at most.
 */
final class BestFit {
    private BestFit() {}

    /**
     * Divides items among bins.
     *
     * @param lengths of the items, 1 to {@code capacity} each
     * @return per bin its items in ascending order; bins in the order in which they were opened
     */
    static List<int[]> bins(int[] lengths, int capacity) {
        List<ArrayList<Integer>> bins = new ArrayList<>();
        BitSet hasRoom = new BitSet(capacity + 1);
        List<ArrayDeque<Integer>> byRoom = new ArrayList<>(capacity + 1);
        for (int room = 0; room <= capacity; room++) {
            byRoom.add(new ArrayDeque<>(0));
        }
        for (int item : longestFirst(lengths, capacity)) {
            int room = hasRoom.nextSetBit(lengths[item]);
            int bin;
            if (room < 0) {
                bin = bins.size();
                bins.add(new ArrayList<>());
                room = capacity;
            } else {
                bin = byRoom.get(room).removeFirst();
                hasRoom.set(room, !byRoom.get(room).isEmpty());
            }
            bins.get(bin).add(item);
            int left = room - lengths[item];
            byRoom.get(left).addLast(bin);
            hasRoom.set(left);
        }
        return bins.stream()
                .map(items ->
                        items.stream().mapToInt(Integer::intValue).sorted().toArray())
                .toList();
    }

    /** Item numbers by length, longest first, and of one length in ascending order. */
    private static int[] longestFirst(int[] lengths, int capacity) {
        int[] from = new int[capacity + 2];
        for (int length : lengths) {
            from[capacity - length + 1]++;
        }
        for (int i = 1; i < from.length; i++) {
            from[i] += from[i - 1];
        }
        int[] items = new int[lengths.length];
        for (int item = 0; item < lengths.length; item++) {
            items[from[capacity - lengths[item]]++] = item;
        }
        return items;
    }
}
