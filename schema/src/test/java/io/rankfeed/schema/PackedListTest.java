package io.rankfeed.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("java17")
class PackedListTest {
    @Test
    void isCountLengthsAndBytes() {
        byte[] packed = PackedList.of(List.of(new byte[] {7, 8}, new byte[0], new byte[] {9}));
        assertThat(packed).containsExactly(3, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 7, 8, 9);
        byte[] within = new byte[packed.length + 10];
        System.arraycopy(packed, 0, within, 5, packed.length);
        PackedList list = new PackedList(within, 5, packed.length);
        assertThat(list.count()).isEqualTo(3);
        assertThat(list.itemLength(0)).isEqualTo(2);
        assertThat(list.itemLength(1)).isZero();
        assertThat(list.valuesBytes()).isEqualTo(3);
        assertThat(Arrays.copyOfRange(list.array(), list.valuesOffset(), list.valuesOffset() + 3))
                .containsExactly(7, 8, 9);
    }

    @Test
    void mayBeEmpty() {
        byte[] packed = PackedList.of(List.of());
        assertThat(packed).containsExactly(0, 0, 0, 0);
        assertThat(new PackedList(packed, 0, 4).count()).isZero();
    }

    /** Every length but the right one, and lengths that lead outside. */
    @Test
    void bytesThatAreNoListAreRefused() {
        byte[] packed = PackedList.of(List.of(new byte[3], new byte[1]));
        for (int length = 0; length < packed.length; length++) {
            int cut = length;
            assertThatThrownBy(() -> new PackedList(packed, 0, cut)).isInstanceOf(CorruptDataException.class);
        }
        assertThatThrownBy(() -> new PackedList(Arrays.copyOf(packed, packed.length + 1), 0, packed.length + 1))
                .isInstanceOf(CorruptDataException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 4, 2})
    void countsAndLengthsAreNotBelieved(int number) {
        for (int at : new int[] {0, 4, 8}) {
            byte[] packed = PackedList.of(List.of(new byte[3], new byte[1], new byte[1]));
            ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN).putInt(at, number);
            assertThatThrownBy(() -> new PackedList(packed, 0, packed.length)).isInstanceOf(CorruptDataException.class);
        }
    }
}
