package io.rankfeed.schema.cache;

import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the rows of a cache file one after another. Each record batch is verified before its first row is given. Memory is a chunk of each
 * column, and one row, whatever the batch. Confined to one thread.
 */
public final class CacheRows {
    private static final int CHUNKS_BYTES = 1 << 25;
    private static final int MIN_CHUNK_BYTES = 1 << 12;
    private static final int MAX_CHUNK_BYTES = 1 << 18;

    private final CacheLayout layout;
    private final FileBytes bytes;
    private final CacheVerifier verifier;
    private final List<Values> columns = new ArrayList<>();
    private int batch = -1;
    private int left;

    /**
     * @param columns those that are read, as numbers of columns of the file
     */
    public CacheRows(CacheLayout layout, CacheSource source, List<Integer> columns) {
        this.layout = layout;
        this.bytes = new FileBytes(source, layout.file());
        this.verifier = new CacheVerifier(layout, source);
        int share = CHUNKS_BYTES / Math.max(1, columns.size());
        int chunk = Math.max(MIN_CHUNK_BYTES, Math.min(MAX_CHUNK_BYTES, share));
        columns.forEach(column -> this.columns.add(new Values(column, chunk)));
    }

    /** Goes to the next row. @return false after the last one. @throws CorruptDataException if its record batch is damaged */
    public boolean next() {
        if (left == 0) {
            if (batch + 1 == layout.batches().size()) {
                return false;
            }
            batch++;
            verifier.verify(batch);
            CacheBatch begun = layout.batches().get(batch);
            columns.forEach(column -> column.begin(begun));
            left = begun.rows();
        }
        left--;
        columns.forEach(Values::next);
        return true;
    }

    /** The size of the row's value of a column, in bytes, the lengths of the items of a list included. */
    public int lengthBytes(int column) {
        return columns.get(column).lengthBytes;
    }

    /**
     * Copies the row's value of a column: its elements or bytes; of a list of strings or binary what {@link
     * io.rankfeed.schema.PackedList} reads.
     *
     * @param column its index in the columns that are read
     * @return the index after its last byte
     */
    public int copy(int column, byte[] to, int at) {
        Values values = columns.get(column);
        System.arraycopy(values.value, 0, to, at, values.lengthBytes);
        return at + values.lengthBytes;
    }

    /** The values of one column. */
    private final class Values {
        private final int column;
        private final CacheColumn of;
        private final int maxChunk;
        private final OffsetReader offsets;
        private final OffsetReader itemOffsets;
        private ByteBuffer chunk = ByteBuffer.allocate(0);
        private long at;
        private long end;
        private byte[] value = {};
        private int lengthBytes;

        Values(int column, int maxChunk) {
            this.column = column;
            this.of = layout.columns().get(column);
            this.maxChunk = maxChunk;
            this.offsets = new OffsetReader(bytes);
            this.itemOffsets = new OffsetReader(bytes);
        }

        void begin(CacheBatch begun) {
            at = begun.valuesOffset(column);
            end = at + begun.valuesBytes(column);
            int size = (int) Math.min(maxChunk, end - at);
            chunk = size <= chunk.capacity() ? chunk : ByteBuffer.allocate(size);
            chunk.limit(0);
            if (of.hasOffsets()) {
                offsets.begin(of.name(), begun.offsetsOffset(column), begun.rows() + 1L);
            }
            if (of.kind() == Field.Kind.LIST) {
                itemOffsets.begin(
                        of.name(), begun.itemOffsetsOffset(column), begun.body().itemCount(column) + 1);
            }
        }

        void next() {
            lengthBytes = 0;
            switch (of.kind()) {
                case FIXED -> read(of.strideBytes());
                case RAGGED -> read((long) offsets.step() * of.dtype().sizeBytes());
                case BYTES -> read(offsets.step());
                case LIST -> list(offsets.step());
            }
        }

        private void list(int items) {
            reserve(Integer.BYTES * (items + 1L));
            ByteBuffer head = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
            head.putInt(items);
            long total = 0;
            for (int item = 0; item < items; item++) {
                int length = itemOffsets.step();
                head.putInt(length);
                total += length;
            }
            lengthBytes = head.position();
            read(total);
        }

        /** Appends bytes to the value. */
        private void read(long count) {
            reserve(lengthBytes + count);
            int wanted = lengthBytes + (int) count;
            while (lengthBytes < wanted) {
                if (!chunk.hasRemaining()) {
                    chunk.clear().limit((int) Math.min(chunk.capacity(), end - at));
                    bytes.readInto(chunk, at);
                    chunk.flip();
                    at += chunk.limit();
                }
                int part = Math.min(chunk.remaining(), wanted - lengthBytes);
                chunk.get(value, lengthBytes, part);
                lengthBytes += part;
            }
        }

        private void reserve(long size) {
            if (size > Integer.MAX_VALUE - 8) {
                throw new CorruptDataException(
                        layout.file(), "column '" + of.name() + "' has a value of " + size + " bytes in one row");
            }
            if (size > value.length) {
                value = Arrays.copyOf(value, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(size, 2L * value.length)));
            }
        }
    }
}
