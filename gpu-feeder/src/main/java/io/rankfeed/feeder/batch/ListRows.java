package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.MappedColumn;

/** The lists of a batch's rows. Reads each row's offsets, and believes them only after checking. */
final class ListRows {
    /** First item of each row in its block, and how many there are. */
    final int[] firstItem;

    final int[] count;

    /** First byte of each row's items in the block's values, and how many there are. */
    final int[] firstByte;

    final int[] bytes;

    final MappedColumn column;
    private final LaneCache cache;
    private final String name;
    private final int maxItems;
    private final long maxBytes;

    /**
     * @param maxItems of a row
     * @param maxBytes of the items of a row together
     */
    ListRows(String name, MappedColumn column, LaneCache cache, int maxItems, long maxBytes, int rows) {
        this.name = name;
        this.column = column;
        this.cache = cache;
        this.maxItems = maxItems;
        this.maxBytes = maxBytes;
        firstItem = new int[rows];
        count = new int[rows];
        firstByte = new int[rows];
        bytes = new int[rows];
    }

    void measure(BatchPlaces places, int from, int to) {
        for (int i = from; i < to; i++) {
            int block = places.block[i];
            int first = column.offset(block, places.row[i]);
            int items = column.offset(block, places.row[i] + 1) - first;
            boolean areItems =
                    first >= 0 && items >= 0 && items <= maxItems && first + items <= column.itemCount(block);
            if (!areItems) {
                throw damage(places, i, "claims " + items + " items from " + first + ", at most " + maxItems);
            }
            int start = column.itemOffset(block, first);
            int length = column.itemOffset(block, first + items) - start;
            boolean areBytes = start >= 0
                    && length >= 0
                    && length <= maxBytes
                    && (long) start + length <= column.valuesBytes(block);
            if (!areBytes) {
                throw damage(places, i, "claims " + length + " bytes from " + start + ", at most " + maxBytes);
            }
            firstItem[i] = first;
            count[i] = items;
            firstByte[i] = start;
            bytes[i] = length;
        }
    }

    /**
     * Returns the end (exclusive) of an item, in bytes from the start of the row's items; at least {@code begin}, the
     * start of the item.
     */
    int itemEnd(BatchPlaces places, int i, int item, int begin) {
        int end = column.itemOffset(places.block[i], firstItem[i] + item + 1) - firstByte[i];
        if (end < begin || end > bytes[i]) {
            throw damage(places, i, "has item " + item + " from byte " + begin + " to " + end + " of " + bytes[i]);
        }
        return end;
    }

    /** The offset in bytes at which the items of a row begin in the file. */
    long source(BatchPlaces places, int i) {
        return column.values(places.block[i]) + firstByte[i];
    }

    private RuntimeException damage(BatchPlaces places, int i, String what) {
        int block = places.block[i];
        return cache.damage(
                block,
                column.offsets(block) + 4L * places.row[i],
                "column '" + name + "': row " + places.row[i] + " of the record batch " + what);
    }
}
