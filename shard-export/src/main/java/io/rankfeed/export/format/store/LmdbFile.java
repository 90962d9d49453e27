package io.rankfeed.export.format.store;

import io.rankfeed.export.format.CountedFile;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;

/**
 * Writes {@code data.mdb} of LMDB 0.9: value i under the key i in decimal ASCII, and the number of values under
 * {@code __len__}. Values come in the order of their index; the tree is in the order of the keys, and meta pages that name
 * its root are first in the file. So large values are spooled as overflow pages, small ones as they are; at the end the tree
 * is laid out by the lengths, then written. In memory: 12 bytes for each value.
 *
 * <p>A row may have a second value, its metadata, under {@code meta:i}.
 */
final class LmdbFile implements AutoCloseable {
    private static final int FIRST_PAGE = 2;
    private static final int COPY_BYTES = 1 << 18;

    /** A small value never crosses a multiple of this, so that each is in one mapped buffer. */
    private static final long SEGMENT_BYTES = 1L << 28;

    private final Path bigFile;
    private final Path smallFile;
    private final OutputStream big;
    private final OutputStream small;
    private final byte[] zeros = new byte[Page.BYTES];
    private final byte[] head = new byte[Page.HEADER_BYTES];
    private final ByteBuffer headBuffer = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);

    private final Entries values = new Entries();
    private final Entries metadata = new Entries();
    private long smallBytes;
    private long nextPage = FIRST_PAGE;

    /** @param spool an existing local folder for two temporary files */
    LmdbFile(Path spool) throws IOException {
        try {
            bigFile = Files.createTempFile(spool, "lmdb", ".pages");
            smallFile = Files.createTempFile(spool, "lmdb", ".values");
        } catch (IOException e) {
            throw failed(spool, e);
        }
        big = new BufferedOutputStream(new Spooled(bigFile), 1 << 18);
        small = new BufferedOutputStream(new Spooled(smallFile), 1 << 18);
    }

    /** A temporary file. Its errors name it, as those of the caller name the folder of the environment. */
    static final class Spooled extends FilterOutputStream {
        private final Path file;

        Spooled(Path file) throws IOException {
            // Not truncated: ext4 writes a truncated file to the disk when it is closed.
            super(Files.newOutputStream(file, StandardOpenOption.WRITE));
            this.file = file;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                throw failed(file, e);
            }
        }
    }

    private static EnvironmentException failed(Path spool, IOException e) {
        String message = IoReason.of("cannot write temporary files of format lmdb to " + spool, spool, e);
        return new EnvironmentException(message + "; java.io.tmpdir names their folder", e);
    }

    private static final class Entries {
        private int count;
        private int[] lengths = new int[1024];
        /** The first overflow page of a large value, or the position of a small one in its file. */
        private long[] places = new long[1024];

        void add(int lengthBytes, long place) {
            if (count == lengths.length) {
                lengths = Arrays.copyOf(lengths, Math.multiplyExact(2, count));
                places = Arrays.copyOf(places, lengths.length);
            }
            lengths[count] = lengthBytes;
            places[count++] = place;
        }
    }

    /** Appends the value of the next row. */
    void add(byte[] value, int offset, int lengthBytes) throws IOException {
        values.add(lengthBytes, place(values.count, value, offset, lengthBytes));
    }

    /** Appends the metadata of the next row. */
    void addMetadata(byte[] value, int offset, int lengthBytes) throws IOException {
        metadata.add(lengthBytes, place(LmdbKeys.metadata(metadata.count), value, offset, lengthBytes));
    }

    private long place(long id, byte[] value, int offset, int lengthBytes) throws IOException {
        if (Page.isBig(LmdbKeys.lengthBytes(id), lengthBytes)) {
            long page = nextPage;
            overflow(value, offset, lengthBytes);
            return page;
        }
        int left = (int) Math.min(Page.BYTES, SEGMENT_BYTES - smallBytes % SEGMENT_BYTES);
        if (left < lengthBytes) {
            small.write(zeros, 0, left);
            smallBytes += left;
        }
        small.write(value, offset, lengthBytes);
        smallBytes += lengthBytes;
        return smallBytes - lengthBytes;
    }

    private void overflow(byte[] value, int offset, int lengthBytes) throws IOException {
        int used = (int) (((long) Page.HEADER_BYTES - 1 + lengthBytes) / Page.BYTES + 1);
        headBuffer
                .putLong(0, nextPage)
                .putShort(8, (short) 0)
                .putShort(10, (short) Page.OVERFLOW)
                .putInt(12, used);
        big.write(head);
        big.write(value, offset, lengthBytes);
        big.write(zeros, 0, (int) ((long) used * Page.BYTES - Page.HEADER_BYTES - lengthBytes));
        nextPage += used;
    }

    /** Writes the file. Nothing can be added afterwards. */
    void finish(OutputStream out) throws IOException {
        big.close();
        small.close();
        TreeBuilder layout = new TreeBuilder(OutputStream.nullOutputStream(), nextPage);
        fill(layout, new ByteBuffer[0]);
        byte[] meta = new byte[2 * Page.BYTES];
        meta(ByteBuffer.wrap(meta, 0, Page.BYTES).slice(), 0, layout);
        meta(ByteBuffer.wrap(meta, Page.BYTES, Page.BYTES).slice(), 1, layout);
        out.write(meta);
        byte[] buffer = new byte[COPY_BYTES];
        try (InputStream in = Files.newInputStream(bigFile)) {
            for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
            }
        }
        fill(new TreeBuilder(out, nextPage), segments());
    }

    private ByteBuffer[] segments() throws IOException {
        ByteBuffer[] segments = new ByteBuffer[(int) ((smallBytes + SEGMENT_BYTES - 1) / SEGMENT_BYTES)];
        try (FileChannel channel = FileChannel.open(smallFile)) {
            for (int i = 0; i < segments.length; i++) {
                long from = i * SEGMENT_BYTES;
                segments[i] =
                        channel.map(FileChannel.MapMode.READ_ONLY, from, Math.min(SEGMENT_BYTES, smallBytes - from));
            }
        }
        return segments;
    }

    /** @param segments the small values; empty for the layout alone */
    private void fill(TreeBuilder tree, ByteBuffer[] segments) throws IOException {
        byte[] key = LmdbKeys.buffer();
        for (long index = first(values); index != LmdbKeys.LENGTH; index = LmdbKeys.next(index, values.count)) {
            addNode(tree, index, values, (int) index, key, segments);
        }
        byte[] length = Integer.toString(values.count).getBytes(StandardCharsets.US_ASCII);
        int keyBytes = LmdbKeys.put(LmdbKeys.LENGTH, key);
        Page leaf = tree.leafFor(LmdbKeys.LENGTH, Page.nodeBytes(keyBytes, length.length));
        int to = leaf.addLeaf(key, keyBytes, length.length, false);
        System.arraycopy(length, 0, leaf.bytes(), to, length.length);
        for (long index = first(metadata); index != LmdbKeys.LENGTH; index = LmdbKeys.next(index, metadata.count)) {
            addNode(tree, LmdbKeys.metadata(index), metadata, (int) index, key, segments);
        }
        tree.finish();
    }

    private static long first(Entries entries) {
        return entries.count == 0 ? LmdbKeys.LENGTH : 0;
    }

    private static void addNode(
            TreeBuilder tree, long id, Entries entries, int index, byte[] key, ByteBuffer[] segments)
            throws IOException {
        int keyBytes = LmdbKeys.put(id, key);
        int lengthBytes = entries.lengths[index];
        long place = entries.places[index];
        boolean isBig = Page.isBig(keyBytes, lengthBytes);
        Page leaf = tree.leafFor(id, Page.nodeBytes(keyBytes, isBig ? Long.BYTES : lengthBytes));
        int to = leaf.addLeaf(key, keyBytes, lengthBytes, isBig);
        if (isBig) {
            leaf.buffer().putLong(to, place);
        } else if (segments.length > 0) {
            segments[(int) (place / SEGMENT_BYTES)].get((int) (place % SEGMENT_BYTES), leaf.bytes(), to, lengthBytes);
        }
    }

    /** As LMDB writes it: page 0 is the environment when it was created, page 1 that after the first transaction. */
    private void meta(ByteBuffer page, int transaction, TreeBuilder tree) {
        boolean filled = transaction == 1;
        page.order(ByteOrder.LITTLE_ENDIAN).putLong(0, transaction).putShort(10, (short) Page.META);
        page.position(Page.HEADER_BYTES);
        page.putInt(0xBEEFC0DE).putInt(1).putLong(0).putLong((tree.root() + 1) * Page.BYTES);
        // The tree of free pages is empty and has integer keys; its first member is the size of a page.
        page.putInt(Page.BYTES).putShort((short) 0x08).putShort((short) 0);
        page.putLong(0).putLong(0).putLong(0).putLong(0).putLong(-1);
        page.putInt(0).putShort((short) 0).putShort((short) (filled ? tree.depth() : 0));
        page.putLong(filled ? tree.branchPages() : 0).putLong(filled ? tree.leafPages() : 0);
        page.putLong(filled ? nextPage - FIRST_PAGE : 0).putLong(filled ? values.count + 1L + metadata.count : 0);
        page.putLong(filled ? tree.root() : -1);
        page.putLong(filled ? tree.root() : 1).putLong(transaction);
    }

    @Override
    public void close() throws IOException {
        try {
            CountedFile.closeAll(List.of(big, small));
        } finally {
            Files.deleteIfExists(bigFile);
            Files.deleteIfExists(smallFile);
        }
    }
}
