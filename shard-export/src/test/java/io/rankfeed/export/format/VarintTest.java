package io.rankfeed.export.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VarintTest {
    /** Around each power of two, where the number of bytes and the way of writing change. */
    @Test
    void varint_ofAnyNumber_hasSevenBitsInEachByte() {
        for (int power = 0; power <= Long.SIZE; power++) {
            for (long value = (1L << power) - 130; value <= (1L << power) + 130; value++) {
                ByteBuilder bytes = new ByteBuilder().putVarint(value).put((byte) 0x7F);
                int length = Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7);
                assertThat(bytes.size()).as("bytes of %d and one", value).isEqualTo(length + 1);
                long read = 0;
                for (int i = 0; i < length; i++) {
                    read |= (bytes.array()[i] & 0x7FL) << (7 * i);
                    assertThat(bytes.array()[i] < 0)
                            .as("byte %d of %d", i, value)
                            .isEqualTo(i < length - 1);
                }
                assertThat(read).isEqualTo(value);
                assertThat(bytes.array()[length]).isEqualTo((byte) 0x7F);
            }
        }
    }
}
