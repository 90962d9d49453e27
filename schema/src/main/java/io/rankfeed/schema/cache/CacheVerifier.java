package io.rankfeed.schema.cache;

import io.rankfeed.schema.Field;
import io.rankfeed.schema.cache.CacheMessages.WrittenBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * Checks the bytes of a file's batches: CRC32C, and offsets that start at 0, never decrease and end inside their values.
 * Memory is one chunk, whatever the batch. Not for several threads at once; the channel may be shared.
 */
public final class CacheVerifier {
    private static final int MAX_CHUNK_BYTES = 1 << 20;

    private final CacheLayout layout;
    private final FileBytes bytes;
    private final ByteBuffer chunk;
    private final long[] longest;
    private final long[] maxItems;
    private final OffsetReader rowOffsets;
    private final OffsetReader itemOffsets;

    public CacheVerifier(CacheLayout layout, FileChannel channel) {
        this(layout, CacheSource.of(channel));
    }

    CacheVerifier(CacheLayout layout, CacheSource source) {
        this.layout = layout;
        this.bytes = new FileBytes(source, layout.file());
        this.longest = new long[layout.columns().size()];
        this.maxItems = new long[layout.columns().size()];
        this.rowOffsets = new OffsetReader(bytes);
        this.itemOffsets = new OffsetReader(bytes);
        long longest = layout.batches().stream()
                .mapToLong(batch -> batch.end() - batch.offset())
                .max()
                .orElse(0);
        this.chunk = ByteBuffer.allocateDirect((int) Math.min(MAX_CHUNK_BYTES, longest))
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Checks everything but the padding: the flatbuffers, then every batch.
     *
     * @throws CorruptDataException at the first byte, or batch, that is corrupted
     */
    public void verifyAll() {
        verifyFlatbuffers();
        for (int i = 0; i < layout.batches().size(); i++) {
            verify(i);
        }
    }

    /**
     * Compares head, messages and footer with what a writer makes of the same content: a flatbuffer can be read as the right content
     * and yet be one that other readers reject (an offset out of order, a table that overlaps another).
     */
    private void verifyFlatbuffers() {
        compare(0, CacheMessages.head(layout.schema()));
        List<WrittenBatch> written = new ArrayList<>();
        long end = 0;
        for (CacheBatch batch : layout.batches()) {
            byte[] message = CacheMessages.batch(batch.body());
            compare(batch.offset(), message);
            written.add(new WrittenBatch(
                    batch.offset(), message.length, batch.body().lengthBytes(), batch.crc32c()));
            end = batch.end();
        }
        compare(end, CacheMessages.tail(layout.schema(), layout.feed(), layout.lane(), written));
    }

    private void compare(long offset, byte[] expected) {
        byte[] found = new byte[expected.length];
        bytes.read(offset, expected.length, "a flatbuffer").get(found);
        int at = Arrays.mismatch(found, expected);
        if (at >= 0) {
            throw bytes.damage(
                    offset + at, "this byte is not that of the canonical flatbuffer (docs/format/cache.md, section 3)");
        }
    }

    /** Checks one batch. @throws CorruptDataException if it is damaged, with the byte at which it starts */
    public void verify(int index) {
        CacheBatch batch = layout.batches().get(index);
        CRC32C crc = new CRC32C();
        for (long at = batch.offset(); at < batch.end(); at += chunk.limit()) {
            fill(at, batch.end() - at);
            crc.update(chunk.duplicate());
        }
        if ((int) crc.getValue() != batch.crc32c()) {
            throw bytes.damage(
                    batch.offset(),
                    String.format(
                            Locale.ROOT,
                            "batch %d (to byte %d) has CRC32C %08x, not %08x as the footer says; fetch the file again",
                            index,
                            batch.end(),
                            (int) crc.getValue(),
                            batch.crc32c()));
        }
        for (int c = 0; c < layout.columns().size(); c++) {
            switch (layout.columns().get(c).kind()) {
                case FIXED -> {}
                case RAGGED, BYTES -> verifyOffsets(batch, c);
                case LIST -> verifyList(batch, c);
            }
        }
    }

    /** Elements or bytes of the longest row of the batches that were found whole; 0 for a fixed column. */
    public long longest(int column) {
        return longest[column];
    }

    /** The most items of a row of the batches that were found whole; 0 for a column without lists. */
    public long maxItems(int column) {
        return maxItems[column];
    }

    private void verifyOffsets(CacheBatch batch, int column) {
        // A checksum proves that the bytes are those that were written, not that the writer was right.
        CacheColumn of = layout.columns().get(column);
        int elements = of.shape().elements();
        rowOffsets.begin(of.name(), batch.offsetsOffset(column), batch.rows() + 1L);
        for (int row = 0; row < batch.rows(); row++) {
            int length = rowOffsets.step();
            if (length % elements != 0) {
                throw rowOffsets.damage("a row of " + length + " elements");
            }
            longest[column] = Math.max(longest[column], length);
        }
        // The values of strings are declared with their padding, so there the last offset may be less.
        rowOffsets.requireEnd(batch.body().valueCount(column), of.kind() == Field.Kind.BYTES);
    }

    private void verifyList(CacheBatch batch, int column) {
        String name = layout.columns().get(column).name();
        long items = batch.body().itemCount(column);
        rowOffsets.begin(name, batch.offsetsOffset(column), batch.rows() + 1L);
        itemOffsets.begin(name, batch.itemOffsetsOffset(column), items + 1);
        long taken = 0;
        for (int row = 0; row < batch.rows(); row++) {
            int length = rowOffsets.step();
            taken += length;
            if (taken > items) {
                throw rowOffsets.damage("a row ends at item " + taken + " of " + items);
            }
            long bytesOfRow = 0;
            for (int item = 0; item < length; item++) {
                bytesOfRow += itemOffsets.step();
            }
            maxItems[column] = Math.max(maxItems[column], length);
            longest[column] = Math.max(longest[column], bytesOfRow);
        }
        rowOffsets.requireEnd(items, false);
        itemOffsets.requireEnd(batch.body().valueCount(column), true);
    }

    private void fill(long offset, long atMost) {
        chunk.clear().limit((int) Math.min(chunk.capacity(), atMost));
        bytes.readInto(chunk, offset);
        chunk.flip();
    }
}
