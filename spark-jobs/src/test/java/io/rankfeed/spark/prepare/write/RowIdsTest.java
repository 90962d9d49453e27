package io.rankfeed.spark.prepare.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RowIdsTest {
    @Test
    void id_ofTwoRows_isFoundInOneUnitAndInTwo() {
        RowIds many = of(LongStream.range(-5_000, 5_000).toArray());
        assertThat(RowIds.anyTwice(List.of(many, of(5_000, Long.MIN_VALUE), of())))
                .isFalse();
        assertThat(RowIds.anyTwice(List.of(many, of(5_000, -5_000), of()))).isTrue();
        assertThat(RowIds.anyTwice(List.of(of(7, 8, 7)))).isTrue();
        assertThat(RowIds.anyTwice(List.of())).isFalse();
    }

    @Test
    void keys_ofLargeTables_areCheckedBeforeWriting() {
        assertThat(KeyCheck.of(2_000_000, 2L << 30)).isEqualTo(KeyCheck.AFTER);
        assertThat(KeyCheck.of(5_000_000, 2L << 30)).isEqualTo(KeyCheck.BEFORE);
        assertThat(KeyCheck.of(10_000, 5L << 30)).isEqualTo(KeyCheck.BEFORE);
    }

    private static RowIds of(long... ids) {
        RowIds all = new RowIds();
        for (long id : ids) {
            all.add(id);
        }
        return all.finished();
    }
}
