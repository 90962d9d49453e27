package io.rankfeed.export.format.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads {@code data.mdb} by the comments of LMDB's {@code mdb.c}, and checks what its functions assert. */
final class LmdbReader {
    private final ByteBuffer file;
    private final BitSet seen = new BitSet();
    private final Map<String, byte[]> entries = new LinkedHashMap<>();
    private String last = "";
    private long branches;
    private long leaves;
    private long overflows;

    private LmdbReader(byte[] bytes) {
        file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The entries in the order of the tree. */
    static Map<String, byte[]> read(byte[] bytes) {
        LmdbReader reader = new LmdbReader(bytes);
        int newest = 16 + 4096;
        for (int page = 0; page < 2; page++) {
            int meta = 16 + page * 4096;
            assertThat(reader.file.getLong(page * 4096)).isEqualTo(page);
            assertThat(reader.file.getShort(page * 4096 + 10)).isEqualTo((short) 8);
            assertThat(reader.file.getInt(meta)).isEqualTo(0xBEEFC0DE);
            assertThat(reader.file.getInt(meta + 4)).isEqualTo(1);
            assertThat(reader.file.getInt(meta + 24)).isEqualTo(4096);
            assertThat(reader.file.getLong(meta + 64)).as("root of free pages").isEqualTo(-1);
            assertThat(reader.file.getLong(meta + 128)).as("transaction").isEqualTo(page);
        }
        int main = newest + 72;
        assertThat(reader.file.getLong(newest + 120)).isEqualTo(bytes.length / 4096 - 1);
        reader.page(reader.file.getLong(main + 40), reader.file.getShort(main + 6));
        assertThat(reader.branches).isEqualTo(reader.file.getLong(main + 8));
        assertThat(reader.leaves).isEqualTo(reader.file.getLong(main + 16));
        assertThat(reader.overflows).isEqualTo(reader.file.getLong(main + 24));
        assertThat(reader.entries).hasSize((int) reader.file.getLong(main + 32));
        assertThat(reader.seen.cardinality()).as("each page is used once").isEqualTo(bytes.length / 4096 - 2);
        return reader.entries;
    }

    private void use(long number, int pages) {
        assertThat(seen.get((int) number, (int) number + pages).isEmpty()).isTrue();
        seen.set((int) number, (int) number + pages);
    }

    private void page(long number, int depth) {
        use(number, 1);
        int at = (int) number * 4096;
        assertThat(file.getLong(at)).isEqualTo(number);
        int flags = file.getShort(at + 10);
        int lower = file.getShort(at + 12);
        int upper = file.getShort(at + 14);
        assertThat(lower).isLessThanOrEqualTo(upper);
        int nodes = (lower - 16) / 2;
        assertThat(flags).isEqualTo(depth == 1 ? 2 : 1);
        assertThat(nodes).isGreaterThanOrEqualTo(depth == 1 ? 1 : 2);
        for (int i = 0; i < nodes; i++) {
            int node = at + file.getShort(at + 16 + 2 * i);
            assertThat(node % 2).isZero();
            int keyBytes = file.getShort(node + 6);
            String key = new String(file.array(), node + 8, keyBytes, StandardCharsets.US_ASCII);
            if (depth == 1) {
                leaf(node, key, keyBytes);
            } else {
                assertThat(i == 0 ? keyBytes : 0).isZero();
                assertThat(i == 0 || key.compareTo(last) > 0)
                        .as("keys before a page are smaller")
                        .isTrue();
                page(file.getInt(node) & 0xFFFF_FFFFL, depth - 1);
                assertThat(i == 0 || entries.containsKey(key))
                        .as("the first key of a page")
                        .isTrue();
            }
        }
        branches += depth == 1 ? 0 : 1;
        leaves += depth == 1 ? 1 : 0;
    }

    private void leaf(int node, String key, int keyBytes) {
        assertThat(key.compareTo(last)).isPositive();
        last = key;
        byte[] value = new byte[file.getInt(node)];
        boolean big = file.getShort(node + 4) == 1;
        assertThat(big).isEqualTo(8 + keyBytes + value.length > 2038);
        int from = node + 8 + keyBytes;
        if (big) {
            int number = (int) file.getLong(from);
            int pages = file.getInt(number * 4096 + 12);
            assertThat(file.getLong(number * 4096)).isEqualTo(number);
            assertThat(file.getShort(number * 4096 + 10)).isEqualTo((short) 4);
            assertThat(pages).isEqualTo((15 + value.length) / 4096 + 1);
            use(number, pages);
            overflows += pages;
            from = number * 4096 + 16;
        }
        System.arraycopy(file.array(), from, value, 0, value.length);
        assertThat(entries.put(key, value)).isNull();
    }
}
