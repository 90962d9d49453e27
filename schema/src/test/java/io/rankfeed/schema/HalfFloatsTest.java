package io.rankfeed.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HalfFloatsTest {
    @Test
    void knownValues_roundToNearestTiesToEven() {
        assertThat(HalfFloats.float16(1f)).isEqualTo((short) 0x3C00);
        assertThat(HalfFloats.float16(-2f)).isEqualTo((short) 0xC000);
        assertThat(HalfFloats.float16(65504f)).isEqualTo((short) 0x7BFF);
        assertThat(HalfFloats.float16(65519.99f)).isEqualTo((short) 0x7BFF);
        assertThat(HalfFloats.float16(65520f)).isEqualTo((short) 0x7C00);
        assertThat(HalfFloats.float16(0x1p-24f)).isEqualTo((short) 1);
        assertThat(HalfFloats.float16(0x1p-25f)).isEqualTo((short) 0);
        assertThat(HalfFloats.float16(0x1.8p-24f)).isEqualTo((short) 2);
        assertThat(HalfFloats.float16(1f + 0x1p-11f)).isEqualTo((short) 0x3C00);
        assertThat(HalfFloats.float16(1f + 0x1.8p-10f)).isEqualTo((short) 0x3C02);
        assertThat(HalfFloats.float16(Float.NaN)).isEqualTo((short) 0x7E00);
        assertThat(HalfFloats.bfloat16(1f)).isEqualTo((short) 0x3F80);
        assertThat(HalfFloats.bfloat16(Float.intBitsToFloat(0x3F808000))).isEqualTo((short) 0x3F80);
        assertThat(HalfFloats.bfloat16(Float.intBitsToFloat(0x3F818000))).isEqualTo((short) 0x3F82);
    }

    @Test
    void float16_each_comesBackFromItsFloat() {
        for (int bits = 0; bits < 0x7C00; bits++) {
            int exponent = bits >>> 10;
            float value = exponent == 0
                    ? (bits & 0x3FF) * 0x1p-24f
                    : Math.scalb(1f + (bits & 0x3FF) * 0x1p-10f, exponent - 15);
            assertThat(HalfFloats.float16(value)).isEqualTo((short) bits);
            assertThat(HalfFloats.fromFloat16((short) bits)).isEqualTo(value);
            assertThat(HalfFloats.fromFloat16((short) (bits | 0x8000))).isEqualTo(-value);
            assertThat(HalfFloats.float16(-value)).isEqualTo((short) (bits | 0x8000));
        }
    }
}
