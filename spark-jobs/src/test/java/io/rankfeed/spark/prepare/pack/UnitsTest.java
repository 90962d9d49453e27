package io.rankfeed.spark.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.export.parquet.FileRowGroup;
import io.rankfeed.spark.prepare.query.UnitPlanner;
import java.math.BigInteger;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnitsTest {
    @Test
    void unitOfHash_isItsShareOfTheUnsignedRange() {
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
    void runsOfRows_ascendAndUseEveryUnit() {
        Units.Ranges units = Units.Ranges.even(5, new long[] {100, 0, 50}, new long[] {1000, 0, 50});
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

    @Test
    void units_beginAtRowGroupsUnlessTheseAreFewAndLarge() {
        List<FileRowGroup> ten = IntStream.range(0, 10)
                .mapToObj(i -> new FileRowGroup(100L * i, 100, 0))
                .toList();
        List<List<FileRowGroup>> files = List.of(ten, List.of(), ten);
        Units.Ranges even = Units.Ranges.even(6, new long[] {1000, 0, 1000}, new long[] {1000, 0, 1000});
        Units.Ranges aligned = UnitPlanner.aligned(even, files, 6);
        assertThat(aligned.count()).isEqualTo(6);
        for (int row = 0; row < 1000; row++) {
            assertThat(aligned.unit(0, 0, row)).isEqualTo(row < 300 ? 0 : row < 700 ? 1 : 2);
            assertThat(aligned.unit(0, 2, row)).isEqualTo(row < 300 ? 3 : row < 700 ? 4 : 5);
        }
        assertThat(aligned.alignedTo(files)).isEqualTo(aligned);
        List<List<FileRowGroup>> one = List.of(List.of(new FileRowGroup(0, 1000, 0)));
        Units.Ranges two = Units.Ranges.even(2, new long[] {1000}, new long[] {1000});
        assertThat(two.alignedTo(one).count()).isEqualTo(1);
        assertThat(UnitPlanner.aligned(two, one, 5)).isEqualTo(two);
        assertThat(UnitPlanner.aligned(two, one, 4)).isEqualTo(two.alignedTo(one));
    }
}
