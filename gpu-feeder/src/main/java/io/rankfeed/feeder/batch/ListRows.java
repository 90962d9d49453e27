package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.MappedColumn;

/** The lists of a batch's rows. Reads the offsets of each row and checks them before they are used. */
final class ListRows {
    /** The index of the first item of each row in its block; {@code count} has the number of items. */
    final int[] firstItem;

    final int[] count;

    /**
     * The offset of each row's first item in the block's values, in bytes; {@code bytes} has the size of the row's
     * items.
     */
    final int[] firstByte;

    final int[] bytes;

    final MappedColumn column;
    private final LaneCache cache;
    private final String name;
    private final int maxItems;
    private final long maxBytes;

    /**
     * @param maxItems maximum number of items of a row
     * @param maxBytes maximum size of all items of a row, in bytes
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

    void measure(BatchAddresses addresses, int from, int to) {
        for (int i = from; i < to; i++) {
            int block = addresses.block[i];
            int first = column.offset(block, addresses.row[i]);
            int items = column.offset(block, addresses.row[i] + 1) - first;
            boolean areItems =
                    first >= 0 && items >= 0 && items <= maxItems && first + items <= column.itemCount(block);
            if (!areItems) {
                throw damage(addresses, i, "claims " + items + " items from " + first + ", at most " + maxItems);
            }
            int start = column.itemOffset(block, first);
            int length = column.itemOffset(block, first + items) - start;
            boolean areBytes = start >= 0
                    && length >= 0
                    && length <= maxBytes
                    && (long) start + length <= column.valuesBytes(block);
            if (!areBytes) {
                throw damage(addresses, i, "claims " + length + " bytes from " + start + ", at most " + maxBytes);
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
    int itemEnd(BatchAddresses addresses, int i, int item, int begin) {
        int end = column.itemOffset(addresses.block[i], firstItem[i] + item + 1) - firstByte[i];
        if (end < begin || end > bytes[i]) {
            throw damage(addresses, i, "has item " + item + " from byte " + begin + " to " + end + " of " + bytes[i]);
        }
        return end;
    }

    /** The offset in bytes at which the items of a row begin in the file. */
    long source(BatchAddresses addresses, int i) {
        return column.values(addresses.block[i]) + firstByte[i];
    }

    private RuntimeException damage(BatchAddresses addresses, int i, String what) {
        int block = addresses.block[i];
        return cache.damage(
                block,
                column.offsets(block) + 4L * addresses.row[i],
                "column '" + name + "': row " + addresses.row[i] + " of the record batch " + what);
    }
}
