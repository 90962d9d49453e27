package io.rankfeed.schema.selection;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.testing.Seed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowDigestsTest {
    @Test
    void oneRow_isTwentyBytesLittleEndian() {
        RowDigests digests = new RowDigests();
        digests.add(0x0102030405060708L, 0x11121314, -2);
        byte[] row = {8, 7, 6, 5, 4, 3, 2, 1, 0x14, 0x13, 0x12, 0x11, -2, -1, -1, -1, -1, -1, -1, -1};
        assertThat(digests.end()).containsExactly(Sha256.hex(row));
        assertThat(digests.end()).isEmpty();
    }

    @Test
    void rows_anyNumber_haveOneDigestForEachPart() {
        Random random = new Random(Seed.of(RowDigestsTest.class));
        for (int rows : new int[] {0, 1, 1023, 1024, 1025, RowDigests.ROWS - 1, RowDigests.ROWS, RowDigests.ROWS + 1}) {
            RowDigests digests = new RowDigests();
            ByteBuffer bytes = ByteBuffer.allocate(rows * 20).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < rows; i++) {
                long id = random.nextLong();
                int file = random.nextInt();
                long row = random.nextLong();
                digests.add(id, file, row);
                bytes.putLong(id).putInt(file).putLong(row);
            }
            List<String> expected = new ArrayList<>();
            for (int at = 0; at < rows; at += RowDigests.ROWS) {
                byte[] part = new byte[Math.min(RowDigests.ROWS, rows - at) * 20];
                bytes.get(at * 20, part);
                expected.add(Sha256.hex(part));
            }
            assertThat(digests.end()).as("%d rows", rows).isEqualTo(expected);
            assertThat(RowDigests.count(rows)).isEqualTo(expected.size());
        }
    }

    @Test
    void count_isThatOfPartsBegun() {
        assertThat(RowDigests.count(Long.MAX_VALUE)).isEqualTo(1L << 43);
    }
}
