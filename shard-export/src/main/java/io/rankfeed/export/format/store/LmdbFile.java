package io.rankfeed.export.format.store;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Writes {@code data.mdb} of LMDB 0.9: value i under the key i in decimal ASCII, and the number of values under
 * {@code __len__}. Values come in the order of their index; the tree is in the order of the keys. So large values go to
 * overflow pages at once, small ones to a file from which the leaves are filled at the end. Meta pages with the root come
 * first in the file, hence all pages go through a file too. In memory: 8 bytes for each value.
 */
final class LmdbFile implements AutoCloseable {
    private static final int FIRST_PAGE = 2;
    private static final int COPY_BYTES = 1 << 20;

    /** A record of small values never crosses a multiple of this, so that each is in one mapped buffer. */
    private static final long SEGMENT_BYTES = 1L << 28;

    private final Path pagesFile;
    private final Path smallFile;
    private final OutputStream pages;
    private final OutputStream small;
    private final byte[] head = new byte[Page.HEADER_BYTES];
    private final ByteBuffer headBuffer = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    private final TreeBuilder tree;

    /** Position in the small file of each value's record: int32 length, then the value, or the int64 number of its page. */
    private long[] records = new long[1024];

    private int count;
    private long smallBytes;
    private long nextPage = FIRST_PAGE;
    private long overflowPages;

    /** @param spool an existing local folder for two temporary files */
    public LmdbFile(Path spool) throws IOException {
        pagesFile = Files.createTempFile(spool, "lmdb", ".pages");
        smallFile = Files.createTempFile(spool, "lmdb", ".values");
        pages = new BufferedOutputStream(Files.newOutputStream(pagesFile), 1 << 18);
        small = new BufferedOutputStream(Files.newOutputStream(smallFile), 1 << 18);
        tree = new TreeBuilder(pages);
    }

    /** Appends the next value. */
    public void add(byte[] value, int offset, int lengthBytes) throws IOException {
        boolean big = Page.isBig(LmdbKeys.digits(count), lengthBytes);
        int recordBytes = Integer.BYTES + (big ? Long.BYTES : lengthBytes);
        long left = SEGMENT_BYTES - smallBytes % SEGMENT_BYTES;
        if (left < recordBytes) {
            small.write(new byte[(int) left]);
            smallBytes += left;
        }
        if (count == records.length) {
            records = Arrays.copyOf(records, Math.multiplyExact(2, count));
        }
        records[count++] = smallBytes;
        headBuffer.putInt(0, lengthBytes).putLong(Integer.BYTES, nextPage);
        if (big) {
            small.write(head, 0, recordBytes);
            overflow(value, offset, lengthBytes);
        } else {
            small.write(head, 0, Integer.BYTES);
            small.write(value, offset, lengthBytes);
        }
        smallBytes += recordBytes;
    }

    private void overflow(byte[] value, int offset, int lengthBytes) throws IOException {
        int used = (int) (((long) Page.HEADER_BYTES - 1 + lengthBytes) / Page.BYTES + 1);
        headBuffer.putLong(0, nextPage).putShort(8, (short) 0).putShort(10, (short) Page.OVERFLOW).putInt(12, used);
        pages.write(head);
        pages.write(value, offset, lengthBytes);
        pages.write(tree.zeros(), 0, (int) ((long) used * Page.BYTES - Page.HEADER_BYTES - lengthBytes));
        nextPage += used;
        overflowPages += used;
    }

    /** Builds the tree and writes the file. Nothing can be added afterwards. */
    public void finish(OutputStream out) throws IOException {
        small.close();
        tree.startAt(nextPage);
        fillLeaves();
        long lastPage = tree.finish();
        pages.close();
        byte[] meta = new byte[2 * Page.BYTES];
        meta(ByteBuffer.wrap(meta, 0, Page.BYTES).slice(), 0, lastPage);
        meta(ByteBuffer.wrap(meta, Page.BYTES, Page.BYTES).slice(), 1, lastPage);
        out.write(meta);
        byte[] buffer = new byte[COPY_BYTES];
        try (InputStream in = Files.newInputStream(pagesFile)) {
            for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
            }
        }
    }

    private void fillLeaves() throws IOException {
        byte[] key = LmdbKeys.buffer();
        try (FileChannel channel = FileChannel.open(smallFile)) {
            ByteBuffer[] segments = new ByteBuffer[(int) ((smallBytes + SEGMENT_BYTES - 1) / SEGMENT_BYTES)];
            for (int i = 0; i < segments.length; i++) {
                long from = i * SEGMENT_BYTES;
                MappedByteBuffer mapped = channel.map(
                        FileChannel.MapMode.READ_ONLY, from, Math.min(SEGMENT_BYTES, smallBytes - from));
                segments[i] = mapped.order(ByteOrder.LITTLE_ENDIAN);
            }
            for (long id = count == 0 ? LmdbKeys.LENGTH : 0; id != LmdbKeys.LENGTH; id = LmdbKeys.next(id, count)) {
                int keyBytes = LmdbKeys.put(id, key);
                ByteBuffer segment = segments[(int) (records[(int) id] / SEGMENT_BYTES)];
                int at = (int) (records[(int) id] % SEGMENT_BYTES);
                int lengthBytes = segment.getInt(at);
                boolean big = Page.isBig(keyBytes, lengthBytes);
                Page leaf = tree.leafFor(id, Page.nodeBytes(keyBytes, big ? Long.BYTES : lengthBytes));
                int to = leaf.addLeaf(key, keyBytes, lengthBytes, big);
                segment.get(at + Integer.BYTES, leaf.bytes(), to, big ? Long.BYTES : lengthBytes);
            }
        }
        byte[] length = Integer.toString(count).getBytes(StandardCharsets.US_ASCII);
        int keyBytes = LmdbKeys.put(LmdbKeys.LENGTH, key);
        Page leaf = tree.leafFor(LmdbKeys.LENGTH, Page.nodeBytes(keyBytes, length.length));
        int to = leaf.addLeaf(key, keyBytes, length.length, false);
        System.arraycopy(length, 0, leaf.bytes(), to, length.length);
    }

    /** As LMDB leaves it behind: page 0 is the environment when it was created, page 1 that after the first transaction. */
    private void meta(ByteBuffer page, int transaction, long lastPage) {
        boolean filled = transaction == 1;
        page.order(ByteOrder.LITTLE_ENDIAN).putLong(0, transaction).putShort(10, (short) Page.META);
        page.position(Page.HEADER_BYTES);
        page.putInt(0xBEEFC0DE).putInt(1).putLong(0).putLong((lastPage + 1) * Page.BYTES);
        // The tree of free pages is empty and has integer keys; its first member is the size of a page.
        page.putInt(Page.BYTES).putShort((short) 0x08).putShort((short) 0);
        page.putLong(0).putLong(0).putLong(0).putLong(0).putLong(-1);
        page.putInt(0).putShort((short) 0).putShort((short) (filled ? tree.depth() : 0));
        page.putLong(filled ? tree.branchPages() : 0).putLong(filled ? tree.leafPages() : 0);
        page.putLong(filled ? overflowPages : 0).putLong(filled ? count + 1L : 0);
        page.putLong(filled ? lastPage : -1);
        page.putLong(filled ? lastPage : 1).putLong(transaction);
    }

    @Override
    public void close() throws IOException {
        try {
            pages.close();
            small.close();
        } finally {
            Files.deleteIfExists(pagesFile);
            Files.deleteIfExists(smallFile);
        }
    }
}
