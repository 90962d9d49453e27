package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class UnitsTest {
    @Test
    void aHashesUnitIsItsShareOfTheUnsignedRange() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 1000; i++) {
            long id = random.nextLong();
            int count = 1 + random.nextInt(Units.MAX_UNITS);
            BigInteger expected = new BigInteger(Long.toUnsignedString(id))
                    .multiply(BigInteger.valueOf(count))
                    .shiftRight(64);
            assertThat(new Units.Hashes(count).unit(id, 0, 0)).isEqualTo(expected.intValueExact());
        }
    }

    @Test
    void runsOfRowsAscendAndUseEveryUnit() {
        Units.Ranges units = new Units.Ranges(5, new long[] {100, 0, 50}, new long[] {1000, 0, 50});
        int last = 0;
        for (int row = 0; row < 1000; row++) {
            int unit = units.unit(0, 0, row);
            assertThat(unit).isBetween(last, 4);
            last = unit;
        }
        for (int row = 0; row < 50; row++) {
            int unit = units.unit(0, 2, row);
            assertThat(unit).isBetween(last, 4);
            last = unit;
        }
        assertThat(last).isEqualTo(4);
    }
}
