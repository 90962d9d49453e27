package io.rankfeed.spark.source.format.lmdb;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.Printable;
import io.rankfeed.spark.source.format.StoredBytes;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * The main database of an environment, by the structures of LMDB 0.9 ({@code MDB_DATA_VERSION} 1) on machines of 64 bits and little-endian
 * order. LMDB has no checksums: of each page the number, the kind and the bounds are checked, and at the end the number of pages and
 * entries.
 */
final class LmdbFile implements Closeable {
    private static final int PAGE_HEAD_BYTES = 16;
    private static final int NODE_HEAD_BYTES = 8;
    private static final int META_BYTES = PAGE_HEAD_BYTES + 136;
    private static final int MAGIC = 0xBEEFC0DE;
    private static final int MAX_PAGE_BYTES = 1 << 15;
    private static final int MAX_DEPTH = 32;
    private static final long NO_PAGE = -1;

    // Flags of a page, of a database and of a node.
    private static final int BRANCH = 1;
    private static final int LEAF = 2;
    private static final int OVERFLOW = 4;
    private static final int META = 8;
    /** All kinds, and pages of equal keys. */
    private static final int KINDS = 0x2f;

    private static final int DUPLICATES = 4;
    private static final int BIG = 1;

    private final StoredBytes bytes;
    private final int pageBytes;
    private final int depth;
    private final long pages;
    private final long entries;
    private final Deque<Page> path = new ArrayDeque<>();
    private long pagesRead;
    private long entriesRead;

    /** A page of the tree, and the number of its next node. */
    private final class Page {
        private final ByteBuffer content;
        private final long offset;
        private final int nodes;
        private int next;

        private Page(long number, int kind) {
            content = page(number, kind);
            offset = number * pageBytes;
            int lower = content.getShort(12) & 0xffff;
            int upper = content.getShort(14) & 0xffff;
            if (lower < PAGE_HEAD_BYTES || lower % 2 != 0 || lower > upper || upper > pageBytes) {
                throw bytes.damage(offset + 12, "bounds " + lower + " and " + upper + " of a page are invalid");
            }
            nodes = (lower - PAGE_HEAD_BYTES) / 2;
        }

        /** The position in the page of the node before {@link #next}. */
        private int node() {
            int at = content.getShort(PAGE_HEAD_BYTES + 2 * (next - 1)) & 0xffff;
            if (at < PAGE_HEAD_BYTES + 2 * nodes
                    || at > pageBytes - NODE_HEAD_BYTES
                    || at > pageBytes - NODE_HEAD_BYTES - keyBytes(at)) {
                throw bytes.damage(
                        offset + PAGE_HEAD_BYTES + 2L * (next - 1), "position " + at + " is not in its page");
            }
            return at;
        }

        private int keyBytes(int node) {
            return content.getShort(node + 6) & 0xffff;
        }

        private byte[] copy(int from, int length) {
            byte[] copy = new byte[length];
            content.get(from, copy);
            return copy;
        }
    }

    private LmdbFile(StoredBytes bytes) {
        this.bytes = bytes;
        ByteBuffer first = little(bytes.read(0, META_BYTES, "the first meta page"));
        requireMeta(first, 0);
        pageBytes = first.getInt(PAGE_HEAD_BYTES + 24);
        if (Integer.bitCount(pageBytes) != 1 || pageBytes < 256 || pageBytes > MAX_PAGE_BYTES) {
            throw bytes.damage(PAGE_HEAD_BYTES + 24L, "a page of " + pageBytes + " bytes is invalid");
        }
        ByteBuffer second = little(bytes.read(pageBytes, META_BYTES, "the second meta page"));
        requireMeta(second, pageBytes);
        boolean isFirst = transaction(first) > transaction(second);
        ByteBuffer newest = isFirst ? first : second;
        int main = PAGE_HEAD_BYTES + 72;
        int flags = newest.getShort(main + 4) & 0xffff;
        depth = newest.getShort(main + 6) & 0xffff;
        pages = newest.getLong(main + 8) + newest.getLong(main + 16);
        entries = newest.getLong(main + 32);
        long root = newest.getLong(main + 40);
        long at = (isFirst ? 0L : pageBytes) + main;
        if ((flags & DUPLICATES) != 0) {
            throw refused("its main database has several values of a key (dupsort)");
        } else if (entries < 0 || pages < 0 || pages > bytes.lengthBytes() / pageBytes || depth > MAX_DEPTH) {
            throw bytes.damage(at, entries + " entries in " + pages + " pages of depth " + depth + " are impossible");
        } else if ((root == NO_PAGE) != (entries == 0) || (root == NO_PAGE) != (depth == 0)) {
            throw bytes.damage(at, entries + " entries of depth " + depth + " with root " + root + " are impossible");
        } else if (depth > 0) {
            path.push(new Page(root, depth == 1 ? LEAF : BRANCH));
        }
    }

    /** @throws CorruptDataException if the file is not an environment */
    static LmdbFile open(Path file, Configuration conf) {
        StoredBytes bytes = StoredBytes.open(file, conf);
        try {
            return new LmdbFile(bytes);
        } catch (RuntimeException e) {
            try {
                bytes.close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static long transaction(ByteBuffer meta) {
        return meta.getLong(PAGE_HEAD_BYTES + 128);
    }

    private void requireMeta(ByteBuffer page, long offset) {
        int magic = page.getInt(PAGE_HEAD_BYTES);
        int version = page.getInt(PAGE_HEAD_BYTES + 4);
        if (page.getInt(PAGE_HEAD_BYTES + 8) == MAGIC) {
            // LMDB 1.0 has longer heads of pages.
            throw refused("has version " + page.getInt(PAGE_HEAD_BYTES + 12) + " of LMDB's format, only 1 is read");
        } else if ((page.getShort(10) & META) == 0 || magic != MAGIC) {
            throw bytes.damage(
                    offset, "is not a meta page of LMDB, or of a machine of 32 bits or of big-endian byte order");
        } else if (version != 1) {
            throw refused("has version " + version + " of LMDB's format, only 1 is read");
        }
    }

    private ConfigException refused(String what) {
        return new ConfigException(bytes.file() + ": " + what + "; write the entries to another environment or format");
    }

    /** The number of entries that the environment states. */
    long entries() {
        return entries;
    }

    /**
     * Goes to the next entry.
     *
     * @return whether there is one
     * @throws CorruptDataException if the tree is damaged
     */
    boolean next() {
        while (!path.isEmpty()) {
            Page page = path.element();
            if (page.next == page.nodes) {
                path.pop();
                continue;
            }
            page.next++;
            int node = page.node();
            if (path.size() == depth) {
                if ((page.content.getShort(node + 4) & 0xffff & ~BIG) != 0) {
                    throw refused("key '" + Printable.of(new String(key(), ISO_8859_1))
                            + "' is a named database, or has several values");
                }
                entriesRead++;
                return true;
            }
            long child = (page.content.getShort(node) & 0xffffL)
                    | (page.content.getShort(node + 2) & 0xffffL) << 16
                    | (page.content.getShort(node + 4) & 0xffffL) << 32;
            path.push(new Page(child, path.size() + 1 == depth ? LEAF : BRANCH));
        }
        if (entriesRead != entries || pagesRead != pages) {
            throw bytes.damage(
                    bytes.lengthBytes(),
                    entriesRead + " entries in " + pagesRead + " pages were found, the environment states " + entries
                            + " in " + pages);
        }
        return false;
    }

    /** The key of the entry. */
    byte[] key() {
        Page leaf = path.element();
        int node = leaf.node();
        return leaf.copy(node + NODE_HEAD_BYTES, leaf.keyBytes(node));
    }

    /** The value of the entry. */
    byte[] value() {
        Page leaf = path.element();
        int node = leaf.node();
        int flags = leaf.content.getShort(node + 4) & 0xffff;
        long length = leaf.content.getInt(node) & 0xffff_ffffL;
        int from = node + NODE_HEAD_BYTES + leaf.keyBytes(node);
        if ((flags & BIG) != 0) {
            if (from > pageBytes - Long.BYTES) {
                throw bytes.damage(leaf.offset + node, "the page of a value is not in its node");
            }
            return big(leaf.content.getLong(from), length, leaf.offset + node);
        } else if (length > pageBytes - from) {
            throw bytes.damage(leaf.offset + node, "a value of " + length + " bytes does not fit into its page");
        }
        return leaf.copy(from, (int) length);
    }

    private byte[] big(long number, long length, long node) {
        ByteBuffer head = page(number, OVERFLOW);
        long run = head.getInt(12) & 0xffff_ffffL;
        if (run * pageBytes - PAGE_HEAD_BYTES < length) {
            throw bytes.damage(node, "a value of " + length + " bytes does not fit into its " + run + " pages");
        }
        return bytes.read(number * pageBytes + PAGE_HEAD_BYTES, length, "a value");
    }

    private ByteBuffer page(long number, int kind) {
        if (number < 2 || number >= bytes.lengthBytes() / pageBytes) {
            throw bytes.damage(bytes.lengthBytes(), "refers to page " + number + ", which the file does not have");
        } else if (kind != OVERFLOW && pagesRead++ == pages) {
            throw bytes.damage(number * pageBytes, "the tree has more than the " + pages + " pages that it states");
        }
        ByteBuffer page = little(
                bytes.read(number * pageBytes, kind == OVERFLOW ? PAGE_HEAD_BYTES : pageBytes, "page " + number));
        int flags = page.getShort(10) & KINDS;
        if (page.getLong(0) != number || flags != kind) {
            throw bytes.damage(
                    number * pageBytes, "page " + number + " has number " + page.getLong(0) + " and kind " + flags);
        }
        return page;
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
